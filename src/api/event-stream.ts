/** Writes server-sent events as text. */

/**
 * Yields one event in pieces. Line breaks in `data` may be of any kind: each line becomes its own field. The name comes
 * last, so that an event that is cut off has no name and no listener receives it.
 *
 * @param last true for the final event of the stream
 */
export function* serverEvent(
  name: string,
  id: string,
  data: Iterable<string>,
  last = false,
): Generator<string> {
  yield 'data: ';
  for (const piece of data) {
    yield /[\r\n]/.test(piece) ? piece.replace(/\r\n|\r|\n/g, '\ndata: ') : piece;
  }
  // An EventSource reconnects after every end, whether or not there is more. A long delay prevents that.
  const retry = last ? 'retry: 86400000\n' : '';
  yield `\n${retry}id: ${id}\nevent: ${name}\n\n`;
}

/** A comment line, so that proxies do not close an idle stream. */
export const heartbeat = ': alive\n\n';
