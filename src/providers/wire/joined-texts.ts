/**
 * Joins pieces of text that have arrived together in a chat-completions stream. Each piece costs the SDK several steps,
 * and servers send only a few characters in each.
 */

/** A line with a piece of text: what is before the text, the text as it is in JSON, and what is after it. */
const textLine =
  /^(data:.*?"delta": ?\{(?:"role": ?"assistant", ?)?"content": ?")((?:[^"\\]|\\.)*)(".*)$/;

/**
 * Joins events that follow one another and differ only in their text.
 *
 * @param lines without line ends; an event is a line that is followed by an empty one
 */
export function joinedTexts(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let [before, text, after] = ['', '', ''];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, head = '', piece = '', tail = ''] = textLine.exec(line) ?? [];
    const isEvent = head !== '' && lines[at + 1]?.trim() === '';
    if (isEvent && head === before && tail === after) {
      text += piece;
      joined[joined.length - 2] = head + text + tail;
      at += 1;
      continue;
    }
    [before, text, after] = isEvent ? [head, piece, tail] : ['', '', ''];
    joined.push(line);
    if (isEvent) joined.push(lines[(at += 1)] ?? '');
  }
  return joined;
}
