/** Writes a response body piece by piece, so that long texts neither block the page nor are built as one string. */

import { createPacer } from '../async/pace.ts';

const chunkChars = 65_536;
const sliceChars = 65_536;

/** One part of a body, in small pieces. Each part is sent as soon as it is available. */
export type Part = Iterable<string>;

/**
 * Encodes the parts as UTF-8. An error in `parts` becomes an error of the stream.
 *
 * @param onCancel called when the reader disconnects before the end
 */
export function pacedBody(
  parts: Iterable<Part> | AsyncIterable<Part>,
  onCancel: () => void = () => {},
): ReadableStream<Uint8Array> {
  const chunks = encoded(parts);
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel() {
      onCancel();
    },
  });
}

async function* encoded(parts: Iterable<Part> | AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const part of parts) {
    // Created only when there is something to write, so that time spent waiting does not count as work.
    const pacer = createPacer();
    let text = '';
    for (const piece of part) {
      text += piece;
      if (text.length >= chunkChars) {
        yield encoder.encode(text);
        text = '';
      }
      if (pacer.mustRest()) await pacer.rest();
    }
    if (text !== '') yield encoder.encode(text);
  }
}

/** Yields a string as JSON, in pieces. */
export function* jsonString(text: string): Generator<string> {
  yield '"';
  let at = 0;
  while (at < text.length) {
    let end = Math.min(text.length, at + sliceChars);
    // A surrogate pair must not be split: JSON.stringify would escape its halves.
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}
