/** Says what is wrong with text that is no YAML, and what to write instead. */

import type { ErrorCode, LineCounter, YAMLError } from 'yaml';
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

export function mistakeOf(
  { code, message, pos: [at] }: YAMLError,
  text: string,
  lines: LineCounter,
): ParsedText {
  const { line } = lines.linePos(at);
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
  const spaced = text.split(/\r?\n/).findIndex((one) => otherSpace.test(one));
  if (spaced >= 0)
    return {
      line: spaced + 1,
      mistake: 'this line is indented with spaces of another kind, as copied text may have them',
      hint: 'Replace them by ordinary spaces.',
    };
  if (code === 'MULTIPLE_DOCS')
    return {
      line,
      mistake: '“---” begins another document',
      hint: 'Write it into a file of its own, or remove this line.',
    };
  return { line, mistake: message, hint: advice[code] ?? 'Write JSON or YAML.' };
}
