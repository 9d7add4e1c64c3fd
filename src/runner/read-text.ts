/** Reads JSON or YAML text that has a form, and says in which lines it is wrong. */

import type { ValidatorError } from 'virtual:cloche/validators';
import { errorText } from '../spec/error.ts';

/** What is wrong, and how to correct it. */
export interface FormProblem {
  /** Where in the value. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

export interface LineProblem extends FormProblem {
  /** From 1. */
  readonly line: number;
}

/** Longest text; characters. */
const mostChars = 500_000;
/** Longer or deeper texts would block the page for a second, or overflow the stack. */
const mostTokens = 60_000;
const mostLevels = 100;
export const mostProblems = 50;

export interface ReadText<T> {
  /** Null if the text does not have the form. */
  readonly checked: T | null;
  readonly problems: readonly LineProblem[];
  /** What the text says; undefined if it is neither JSON nor YAML. */
  readonly value: unknown;
}

/** @param what such as `plan` @param begin what to write into an empty text */
export async function readText<T>(
  text: string,
  what: string,
  begin: string,
  check: (value: unknown) => {
    readonly checked: T | null;
    readonly problems: readonly FormProblem[];
  },
): Promise<ReadText<T>> {
  const bad = (line: number, message: string, hint: string): ReadText<T> => ({
    checked: null,
    problems: [{ path: [], line, message, hint }],
    value: undefined,
  });
  if (text.length > mostChars)
    return bad(1, `the ${what} has ${text.length} characters`, `At most ${mostChars} are allowed.`);
  if (text.trim() === '') return { ...bad(1, `the ${what} is empty`, begin), value: {} };
  const { Lexer, LineCounter, parseDocument, visit } = await import('yaml');
  const excess = tooMuch(new Lexer().lex(text));
  if (excess !== null) return bad(1, `the ${what} ${excess}`, `Split it into several.`);
  const lines = new LineCounter();
  // YAML contains JSON.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
  });
  const [mistake] = document.errors;
  if (mistake !== undefined)
    return bad(lines.linePos(mistake.pos[0]).line, mistake.message, 'Write JSON or YAML.');
  const inexact: LineProblem[] = [];
  visit(document, {
    Scalar(_, { value, source = '', range }) {
      if (typeof value !== 'number' || !/^-?\d+$/.test(source) || Number.isSafeInteger(value))
        return;
      const { line } = lines.linePos(range?.[0] ?? 0);
      const message = `the number ${source.slice(0, 50)} is too large to be kept exactly`;
      inexact.push({ path: [], line, message, hint: 'Write at most 15 digits, or a text.' });
    },
  });
  let value: unknown;
  try {
    // Few aliases: they can multiply a short text.
    value = document.toJS({ maxAliasCount: 20 });
  } catch (thrown) {
    return bad(1, errorText(thrown), `Write the ${what} without aliases.`);
  }
  const { checked, problems } = check(value);
  const lineOf = (path: FormProblem['path']): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
        return lines.linePos(Number(node.range[0])).line;
    }
    return 1;
  };
  return {
    checked,
    value,
    problems: [
      ...inexact.slice(0, mostProblems),
      ...problems.map((problem) => ({ ...problem, line: lineOf(problem.path) })),
    ].sort((a, b) => a.line - b.line),
  };
}

/** What the text has too much of; null if it may be parsed. @param tokens of YAML */
function tooMuch(tokens: Iterable<string>): string | null {
  let count = 0;
  let flow = 0;
  /** Lists that begin one in another on the same line. */
  let inLine = 0;
  for (const token of tokens) {
    count += 1;
    if (token === '[' || token === '{') flow += 1;
    if (token === ']' || token === '}') flow -= 1;
    if (token === '\n' || token === '\r\n') inLine = 0;
    if (token === '-' || token === '?') inLine += 1;
    if (count > mostTokens) return 'has too many values';
    if (flow > mostLevels || inLine > mostLevels) return 'is nested too deeply';
  }
  return null;
}

/** The problem that a validator of a form reports. */
export function formProblem(
  { keyword, instancePath, params, message }: ValidatorError,
  what: string,
): FormProblem {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const at = path.length === 0 ? `the ${what}` : path.join('.');
  if (keyword === 'required')
    return { path, message: `${at} has no “${String(params.missingProperty)}”`, hint: 'Add it.' };
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty).slice(0, 100);
    return {
      path: [...path, name],
      message: `${at} has the unknown key “${name}”`,
      hint: 'Correct or remove it.',
    };
  }
  return {
    path,
    message: `${at} ${message ?? 'is not valid'}`,
    hint: `Compare it with the ${what}s in the help.`,
  };
}
