/**
 * Joins pieces of text that have arrived together in a chat-completions stream. Each piece costs the SDK several steps,
 * and servers send only a few characters in each.
 */

const string = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
/** A member whose value is neither an object nor an array, such as `"finish_reason":null`. */
const member = String.raw`${string}: ?(?:${string}|[\w.+-]+)`;
const before = String.raw`data: ?\{(?:${member}, ?)*"choices": ?\[\{(?:${member}, ?)*"delta": ?\{(?:"role": ?"assistant", ?)?"content": ?"`;
const after = String.raw`"(?:, ?${string}: ?null)*\}(?:, ?${member})*\}\](?:, ?${member})*\}\s*`;

/**
 * A line with a piece of text. It has no other data that joining would drop from a second line, such as a call. The
 * groups are what precedes the text, the text in JSON's escapes, and what follows it.
 */
const textLine = new RegExp(String.raw`^(${before})([^"\\]*(?:\\.[^"\\]*)*)(${after})$`);

/**
 * Joins events that follow one another and differ only in their text. Events with other data, such as calls, reasoning,
 * log probabilities or token counts, stay as they are.
 *
 * @param lines without line ends; an event is a line that is followed by an empty one
 */
export function joinTexts(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let last = { head: '', text: '', tail: '' };
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [, head = '', text = '', tail = ''] = textLine.exec(line) ?? [];
    const emptyLine = lines[index + 1];
    if (head === '' || emptyLine?.trim() !== '') {
      last = { head: '', text: '', tail: '' };
      joined.push(line);
      continue;
    }
    // The empty line after an event belongs to it.
    index += 1;
    if (head === last.head && tail === last.tail) {
      last.text += text;
      joined.splice(-2, 1, head + last.text + tail);
    } else {
      last = { head, text, tail };
      joined.push(line, emptyLine);
    }
  }
  return joined;
}
