/** Reads JSON or YAML text that has a form, and says in which lines it is wrong. */

import type { ValidatorError } from 'virtual:cloche/validators';
import type { YamlReader } from '../protocol/yaml.ts';
import { errorText } from '../spec/error.ts';
import { isRecord } from '../spec/guards.ts';

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
  yaml: YamlReader,
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
  try {
    const parsed = await yaml.parse(text);
    if ('excess' in parsed) return bad(1, `the ${what} ${parsed.excess}`, 'Split it into several.');
    if ('mistake' in parsed) return bad(parsed.line, parsed.mistake, parsed.hint);
    const { checked, problems } = check(parsed.value);
    const paths = problems.map(({ path }) => path);
    const lines = paths.length === 0 ? [] : await yaml.lines(text, paths);
    return {
      checked,
      value: parsed.value,
      problems: [
        ...parsed.inexact.map(({ line, number }) => ({
          ...{ path: [], line, hint: 'Write at most 15 digits, or a text.' },
          message: `the number ${number} is too large to be kept exactly`,
        })),
        ...problems.map((problem, at) => ({ ...problem, line: lines[at] ?? 1 })),
      ].sort((a, b) => a.line - b.line),
    };
  } catch (thrown) {
    return bad(
      1,
      `the ${what} cannot be read: ${errorText(thrown)}`,
      'Write it with fewer values.',
    );
  }
}

/**
 * The problem of a list that is too long; null if it is not. Validators need time that grows with the square of a list's
 * errors, so this is found out first.
 */
export function lengthProblem(value: unknown, key: string, most: number): FormProblem | null {
  const list = isRecord(value) ? value[key] : undefined;
  if (!Array.isArray(list) || list.length <= most) return null;
  return {
    path: [key],
    message: `${key} must NOT have more than ${most} items`,
    hint: `There are ${list.length}.`,
  };
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
