/** A response's body written piece by piece, so that long texts neither block the page nor are built as a whole. */

import { createPacer, type Pacer } from '../scan/pace.ts';

const chunkChars = 65_536;
const sliceChars = 65_536;

/**
 * Gives the pieces as UTF-8, small ones together. `onCancel` is told when the reader goes away before the end;
 * an error in `pieces` becomes the stream's.
 */
export function pacedBody(
  pieces: () => Promise<Iterable<string>>,
  onCancel: () => void = () => {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let rest: Iterator<string> | undefined;
  let pacer: Pacer | undefined;
  return new ReadableStream({
    async pull(controller) {
      rest ??= (await pieces())[Symbol.iterator]();
      // Not before there is something to write: the time spent waiting is not the page's.
      pacer ??= createPacer();
      let text = '';
      let ended = false;
      while (!ended && text.length < chunkChars) {
        const next = rest.next();
        if (next.done === true) ended = true;
        else text += next.value;
        if (pacer.due()) await pacer.rest();
      }
      if (text !== '') controller.enqueue(encoder.encode(text));
      if (ended) controller.close();
    },
    cancel() {
      onCancel();
    },
  });
}

/** A string as JSON, in pieces. */
export function* jsonString(text: string): Generator<string> {
  yield '"';
  let at = 0;
  while (at < text.length) {
    let end = Math.min(text.length, at + sliceChars);
    // A surrogate pair must stay together: halves would be escaped.
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}
