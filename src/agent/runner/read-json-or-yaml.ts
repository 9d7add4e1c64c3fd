/** Reads JSON or YAML text that has a form, and says in which lines it is wrong. */

import { pointerKeys } from '../../runtime/spec/schema-walk.ts';
import type { ValidatorError } from 'virtual:cloche/validators';
import type { YamlReader } from '../../runtime/protocol/yaml.ts';
import { errorText } from '../../runtime/spec/error.ts';
import { isRecord } from '../../runtime/spec/guards.ts';
import { nearestNames } from '../../runtime/spec/nearest-names.ts';

/** A mistake in the form of a value, with its correction. */
export interface FormProblem {
  /** Steps to the value, such as `['tasks', 0, 'id']`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

export interface LineProblem extends FormProblem {
  /** The line, from 1. */
  readonly line: number;
}

/** Longest text; characters. */
const maxChars = 500_000;
export const maxProblems = 50;
/** Limit of the validator errors that are read, because they are compared pair by pair. */
const maxErrors = 500;

interface Checked<T> {
  /** Null if the text does not have the form. */
  readonly checked: T | null;
  readonly problems: readonly FormProblem[];
}

export interface TextReading<T> extends Checked<T> {
  readonly problems: readonly LineProblem[];
  /** The parsed text; undefined if it cannot be parsed, or is too long. */
  readonly value: unknown;
}

/** @param what such as `plan` @param begin what to write into an empty text */
export async function readText<T>(
  text: string,
  what: string,
  begin: string,
  yaml: YamlReader,
  check: (value: unknown) => Checked<T> | Promise<Checked<T>>,
): Promise<TextReading<T>> {
  const bad = (line: number, message: string, hint: string): TextReading<T> => ({
    checked: null,
    problems: [{ path: [], line, message, hint }],
    value: undefined,
  });
  if (text.length > maxChars)
    return bad(1, `the ${what} has ${text.length} characters`, `At most ${maxChars} are allowed.`);
  if (text.trim() === '') return { ...bad(1, `the ${what} is empty`, begin), value: {} };
  try {
    const parsed = await yaml.parse(text);
    if ('excess' in parsed) return bad(1, `the ${what} ${parsed.excess}`, 'Split it into several.');
    if ('mistake' in parsed) return bad(parsed.line, parsed.mistake, parsed.hint);
    const { checked, problems } = await check(parsed.value);
    const paths = problems.map(({ path }) => path);
    const lines = paths.length === 0 ? [] : await yaml.lines(text, paths);
    return {
      checked,
      value: parsed.value,
      problems: [
        ...parsed.inexact.map(inexactProblem),
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

function inexactProblem({ line, number }: { line: number; number: string }): LineProblem {
  const isNamed = /^[-+]?\./.test(number);
  return {
    path: [],
    line,
    message: isNamed
      ? `${number} is not a number in JSON`
      : `the number ${number} is too large to be kept exactly`,
    hint: isNamed
      ? 'Write another number, or put it in quotes if it is meant as text.'
      : 'Write at most 15 digits, or put it in quotes.',
  };
}

/**
 * The problem of a list that is too long; null if it is not. Validators need time that grows with the square of a list's
 * errors, so this is found out first.
 */
export function lengthProblem(value: unknown, key: string, max: number): FormProblem | null {
  const list = isRecord(value) ? value[key] : undefined;
  if (!Array.isArray(list) || list.length <= max) return null;
  return {
    path: [key],
    message: `${key} must have at most ${max} items`,
    hint: `There are ${list.length}.`,
  };
}

/** Descriptions of what a value with several allowed forms must be, by its key. */
export type AllowedForms = Readonly<Record<string, string>>;

/** The problems that a validator reports; of a value with several allowed forms, those of the form that was meant. */
export function formProblems(
  reported: readonly ValidatorError[],
  what: string,
  forms: AllowedForms = {},
): readonly FormProblem[] {
  const errors = reported.slice(0, maxErrors);
  const chosen = new Map<ValidatorError, readonly ValidatorError[]>();
  for (const error of errors)
    if (error.keyword === 'anyOf') chosen.set(error, meantForm(error, errors));
  const inForms = new Set([...chosen.keys()].flatMap((error) => ofForms(error, errors)));
  const meant = new Set([...chosen.values()].flat());
  const relevant = errors.filter((error) =>
    inForms.has(error) ? meant.has(error) : (chosen.get(error)?.length ?? 0) === 0,
  );
  const misspelt = misspeltKeys(relevant);
  const lacks = new Set(misspelt.values());
  return relevant
    .filter((error) => !lacks.has(error))
    .slice(0, maxProblems)
    .map((error) => formProblem(error, what, forms, missingKey(misspelt.get(error))));
}

/** Maps the error for each unknown key that misspells a missing key of the same object to the error for the missing key. */
function misspeltKeys(
  errors: readonly ValidatorError[],
): ReadonlyMap<ValidatorError, ValidatorError> {
  const missing = new Map<string, ValidatorError[]>();
  for (const error of errors)
    if (error.keyword === 'required')
      missing.set(error.instancePath, [...(missing.get(error.instancePath) ?? []), error]);
  const found = new Map<ValidatorError, ValidatorError>();
  for (const error of errors) {
    const lacks = error.keyword === 'additionalProperties' ? missing.get(error.instancePath) : [];
    if (lacks === undefined || lacks.length === 0) continue;
    const key = meantKey(String(error.params.additionalProperty), lacks.map(missingKey));
    const lack = lacks.find((one) => missingKey(one) === key);
    if (lack === undefined) continue;
    found.set(error, lack);
    lacks.splice(lacks.indexOf(lack), 1);
  }
  return found;
}

function missingKey(error?: ValidatorError): string {
  return error === undefined ? '' : String(error.params.missingProperty);
}

function ofForms(
  { instancePath, schemaPath }: ValidatorError,
  errors: readonly ValidatorError[],
): readonly ValidatorError[] {
  return errors.filter(
    (one) =>
      one.schemaPath.startsWith(`${schemaPath}/`) &&
      (one.instancePath === instancePath || one.instancePath.startsWith(`${instancePath}/`)),
  );
}

/** The errors of the only form that the value fits, apart from its parts; empty if it fits no form, or several. */
function meantForm(
  anyOf: ValidatorError,
  errors: readonly ValidatorError[],
): readonly ValidatorError[] {
  const byForm = new Map<string, ValidatorError[]>();
  for (const error of ofForms(anyOf, errors)) {
    const form = error.schemaPath.slice(anyOf.schemaPath.length + 1).split('/')[0] ?? '';
    byForm.set(form, [...(byForm.get(form) ?? []), error]);
  }
  const isOther = ({ instancePath, keyword }: ValidatorError): boolean =>
    instancePath === anyOf.instancePath && ['required', 'type', 'enum', 'const'].includes(keyword);
  const possible = [...byForm.values()].filter((all) => !all.some(isOther));
  const [first = []] = possible;
  return possible.length === 1 ? first : [];
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object with keys',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  'string,array': 'text or a list',
};

/** What to write instead of a value of another type, such as nothing. */
const typeHints: Readonly<Record<string, string>> = {
  array: 'Write a list, such as [a, b], or remove the key.',
  object: 'Write “key: value” on the lines below, or remove the key.',
  string:
    'Put it in quotes if it is meant as text, or write one text; below “|” it may have several lines.',
  integer: 'Write digits only, without quotes or a unit.',
  number: 'Write digits only, without quotes or a unit; 80 % is 0.8.',
  boolean: 'Write true or false, without quotes.',
};

/** Keys of plans and evaluations. */
const knownKeys =
  'goal tasks model tools budget id title instructions depends_on inputs output check retries parallel programs arguments call expect expression judge test minutes tokens cost name prompts models repeats threshold versions text messages answer calls must must_not may order equals includes regex';

/** What keys are meant as, without capitals and marks: keys of plans and evaluations in other spellings, and of other tools. */
const meantKeys: Readonly<Record<string, string>> = {
  ...Object.fromEntries(knownKeys.split(' ').map((key) => [plainKey(key), key])),
  needs: 'depends_on',
  deps: 'depends_on',
  dependencies: 'depends_on',
  context: 'depends_on',
  description: 'instructions',
  prompt: 'instructions',
  task: 'tasks',
  tests: 'prompts',
  providers: 'models',
  expectedoutput: 'output',
};

/** The least similarity of a misspelt key to the one that is meant: “gaol” is 0.57 like “goal”, “instrution” 0.9 like “instructions”. */
const leastLikeness = { missing: 0.55, any: 0.7 };
/** Maximum difference in length between a misspelt key and the one that is meant; letters. */
const maxLetters = 2;

/** The key that is meant by an unknown one; undefined if none is like it. @param missing the keys that the value lacks */
function meantKey(name: string, missing?: readonly string[]): string | undefined {
  const plain = plainKey(name);
  const key = Object.hasOwn(meantKeys, plain) ? meantKeys[plain] : undefined;
  // A known key is not misspelt, but in the wrong place.
  if (key === name) return undefined;
  if (key !== undefined && (missing?.includes(key) ?? true)) return key;
  const alike = (missing ?? Object.values(meantKeys)).filter(
    (one) => Math.abs(one.length - name.length) <= maxLetters,
  );
  return nearestNames(name, alike, leastLikeness[missing === undefined ? 'any' : 'missing'])[0];
}

function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/**
 * Descriptions of what a value must be if it breaks a limit, by keyword. `#` stands for the limit.
 */
const limitWords: Readonly<Record<string, string>> = {
  minLength: 'must not be empty',
  minItems: 'must not be empty',
  maxLength: 'must have at most # characters',
  maxItems: 'must have at most # items',
  minimum: 'must be at least #',
  maximum: 'must be at most #',
  exclusiveMinimum: 'must be more than #',
  pattern: 'must name a provider and a model, such as “My provider/small”',
};

/** @param missing the missing key that the unknown one misspells; empty if none */
function formProblem(
  { keyword, instancePath, params, message }: ValidatorError,
  what: string,
  forms: AllowedForms,
  missing: string,
): FormProblem {
  const path = pointerKeys(instancePath).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const at = path.length === 0 ? `the ${what}` : path.join('.');
  const hint = `Compare it with the ${what}s in the help.`;
  const form = forms[String(path.at(-1))];
  if (form !== undefined && (keyword === 'anyOf' || keyword === 'type'))
    return { path, message: `${at} must be ${form}`, hint };
  if (keyword === 'required')
    return { path, message: `${at} has no “${String(params.missingProperty)}”`, hint: 'Add it.' };
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty).slice(0, 100);
    const meant = missing === '' ? meantKey(name) : missing;
    return {
      path: [...path, name],
      message: `${at} has the unknown key “${name}”`,
      hint: meant === undefined ? 'Correct or remove it.' : `Did you mean “${meant}”?`,
    };
  }
  const type = keyword === 'type' ? typeWords[String(params.type)] : undefined;
  const limit = limitWords[keyword]?.replace('#', String(params.limit));
  const words = type === undefined ? (limit ?? message ?? 'is not valid') : `must be ${type}`;
  const instead = keyword === 'type' ? typeHints[String(params.type)] : undefined;
  return { path, message: `${at} ${words}`, hint: instead ?? hint };
}
