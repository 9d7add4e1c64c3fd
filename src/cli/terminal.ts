/** Writes lines for the user. Names, errors and results of a folder are foreign text, which terminals would obey. */

import { writeSync } from 'node:fs';
import { stderr, stdout } from 'node:process';
import type { Problem } from '../runtime/spec/folder.ts';

type ListedProblem = Pick<Problem, 'file' | 'line' | 'message' | 'hint'>;

/** Writes a result. */
export function print(text: string): void {
  stdout.write(`${terminalText(text)}\n`);
}

/** Writes anything else. */
export function note(text: string): void {
  stderr.write(`${terminalText(text)}\n`);
}

/** Formats a problem of a file as one line. */
export function problemLine({ file, line, message, hint }: ListedProblem): string {
  const end = /[.!?]$/.test(message) ? '' : '.';
  return `${file}${line === null ? '' : `:${line}`}: ${message}${end} ${hint}`.trimEnd();
}

/** Writes at once, because the process may end before a stream is flushed. */
export function noteAtOnce(text: string): void {
  writeSync(2, `${terminalText(text)}\n`);
}

/** The text with control characters, except line breaks and tabs, and with direction marks spelt out. */
export function terminalText(text: string): string {
  // @mutant a folder’s text does not command the terminal => \p{Cc} -> \p{Cs}
  return text.replace(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
