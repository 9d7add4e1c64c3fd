/** Says what is wrong with text that is no YAML, and what to write instead. */

import type { Document, ErrorCode, LineCounter } from 'yaml';
import type { ParsedText } from '../../../runtime/protocol/yaml.ts';

/** Messages of the parser that do not say what to do, with what to do. */
const advice: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_SCALAR_START: 'Put the text in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'Put a text with “: ” in quotes, or write it below “|”.',
  BAD_INDENT: 'Let keys that belong together begin in the same column.',
  DUPLICATE_KEY: 'Remove or rename one of these keys.',
  MISSING_CHAR: 'Close the quotes or brackets that are open here.',
  MULTILINE_IMPLICIT_KEY: 'Write “key: value”, with a space behind the colon.',
  TAB_AS_INDENT: 'Indent with spaces.',
  TAG_RESOLVE_FAILED: 'Put the text in quotes.',
  UNEXPECTED_TOKEN: 'Put a text with quotes, brackets or * in quotes.',
};

/** A no-break or other special space in the indentation of a line. */
const otherSpace = /^[ \t-]*[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/;

/** The errors that such a space causes, apart from those of a line that only seems to be empty. */
const spaceMistakes: ReadonlySet<ErrorCode> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'MULTILINE_IMPLICIT_KEY',
]);

/** The first mistake of a text; null if it has none. */
export function mistakeOf(
  { errors, warnings }: Document,
  text: string,
  lines: LineCounter,
): ParsedText | null {
  const mistake = errors[0] ?? warnings[0];
  if (mistake === undefined) return null;
  const { code, message } = mistake;
  const lineAt = (at: number): number => lines.linePos(at).line;
  const line = lineAt(mistake.pos[0]);
  const written = text.trim().split(/\r?\n/);
  if (written[0]?.startsWith('```') === true)
    return {
      line: 1,
      mistake: 'the text is in a Markdown fence',
      hint: 'Remove the lines with ```.',
    };
  if (written.length > 1 && written.every((one) => /^\{.*\}$/.test(one.trim())))
    return {
      line,
      mistake: 'each line is a JSON object of its own (JSON Lines)',
      hint: 'Write one object, with these in a list.',
    };
  // Elsewhere, as in a text behind “|”, these spaces are harmless.
  const ends = errors.filter(({ pos }) => lineAt(pos[0]) === line).map(({ pos }) => lineAt(pos[1]));
  const spaced = text
    .split(/\r?\n/)
    .slice(line - 1, Math.max(line, ...ends))
    .findIndex((one) => otherSpace.test(one));
  if (spaced >= 0 && (spaceMistakes.has(code) || message.startsWith('Implicit map keys')))
    return {
      line: line + spaced,
      mistake: 'this line is indented with special spaces, which copied text may contain',
      hint: 'Replace them with ordinary spaces.',
    };
  if (code === 'MULTIPLE_DOCS')
    return {
      line,
      mistake: '“---” begins another document',
      hint: 'Write it into a file of its own, or remove this line.',
    };
  return { line, mistake: message, hint: advice[code] ?? 'Write JSON or YAML.' };
}
