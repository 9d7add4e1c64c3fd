/** Server-sent events as text. */

/**
 * One event, in pieces. `data` may hold line breaks of any kind: each line gets a field of its own. The name comes last:
 * an event that is cut off in the middle is one without a name, which nobody listens to.
 *
 * @param last nothing is to come after it
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
  // An EventSource comes back after every end, whether there is more or not: not within the day.
  const retry = last ? 'retry: 86400000\n' : '';
  yield `\n${retry}id: ${id}\nevent: ${name}\n\n`;
}

/** Says nothing, so that whoever stands between does not take the stream for dead. */
export const heartbeat = ': alive\n\n';
