/** Checks a call's arguments against the tool's schema, inside the tool worker: a hostile pattern freezes only its own interpreter. */

import {
  decodeFragment,
  pointerKeys,
  pointerOf,
  schemaDraft,
  type SchemaDraft,
} from '../../src/runtime/spec/schema-walk.ts';
import { format, Validator, type OutputUnit, type Schema } from '@cfworker/json-schema';
import type { ArgumentError } from '../../src/runtime/protocol/argument-check.ts';
import { isObject } from '../../src/runtime/spec/guards.ts';
import type { Json, JsonText } from '../../src/runtime/spec/json.ts';
import { checkable, type Checkable } from './checkable-schema.ts';
import { exactErrors, anyRequired, meantErrors, outerKeywords } from './meant-errors.ts';
import { byEcmaScript, byPython, type Reading } from './readable-pattern.ts';

// In JSON Schema 2020-12 `format` is an annotation; as an assertion it would reject values that authors allow.
for (const name of Object.keys(format)) Reflect.deleteProperty(format, name);

/** Limit of the paths that one failure lists. */
const maxErrors = 50;

export class ArgumentCheck {
  /**
   * The checks of each tool: one by ECMAScript's rules for patterns, and one by Python's if the schema has patterns. None if
   * the validator cannot use the schema.
   */
  readonly #checks = new Map<string, readonly SchemaCheck[]>();

  /** Stores the schema of a tool for later checks. */
  setSchema(tool: string, schema: JsonText): void {
    const parsed = JSON.parse(schema) as Json;
    const readings = schema.includes('"pattern') ? [byEcmaScript, byPython] : [byEcmaScript];
    const checks = readings.map((reading) => checkOf(parsed, reading));
    this.#checks.set(tool, checks.includes(null) ? [] : checks.filter((one) => one !== null));
  }

  /**
   * Checks arguments against the tool's schema. Arguments also pass where the validator itself fails (deep nesting, long
   * lists, unusual references), since they are checked against the handler's signature too; and where patterns match by
   * Python's rules but not by ECMAScript's, since the author may have meant Python's.
   *
   * @returns every invalid path; empty if the arguments are valid
   */
  check(tool: string, args: JsonText): ArgumentError[] {
    const found = this.#checks.get(tool);
    if (found === undefined)
      return [{ path: '$', pointer: '', message: 'cannot be checked: the schema is missing' }];
    if (found.length === 0) return [];
    let value: unknown;
    try {
      value = JSON.parse(args);
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      const message = `cannot be checked against the schema: ${reason}`;
      return [{ path: '$', pointer: '', message }];
    }
    try {
      let first: readonly ArgumentError[] | undefined;
      for (const { validator, copy } of found) {
        const errors = faults(validator, value);
        if (errors.length === 0) return [];
        first ??= summarise(copy, errors);
      }
      return [...(first ?? [])];
    } catch {
      return [];
    }
  }
}

interface SchemaCheck {
  readonly validator: Validator;
  /** The schema, rewritten for the validator; `$comment` beside a rewritten pattern keeps the author's (checkable-schema.ts). */
  readonly copy: Checkable;
}

/** The errors of a value, without those that only rounding causes, and of a union only those of the closest alternative. */
function faults(validator: Validator, value: unknown): readonly OutputUnit[] {
  const { valid, errors } = validator.validate(value);
  return valid ? [] : meantErrors(exactErrors(errors, value));
}

/** Returns null if the validator cannot use the schema. */
function checkOf(schema: Json, reading: Reading): SchemaCheck | null {
  try {
    const draft = (isObject(schema) ? schemaDraft(schema) : null) ?? 2020;
    const copy = checkable(schema, reading);
    const shortCircuit = false;
    const validator = new Validator(copy.schema as Schema, validatorDrafts[draft], shortCircuit);
    return { copy, validator };
  } catch {
    return null;
  }
}

/** The drafts of the validator. The copy has no keyword that differs between drafts 6 and 7. */
const validatorDrafts = {
  4: '4',
  6: '7',
  7: '7',
  2019: '2019-09',
  2020: '2020-12',
} as const satisfies Record<SchemaDraft, string>;

/** Words the innermost errors, one entry per path. */
function summarise(copy: Checkable, errors: readonly OutputUnit[]): ArgumentError[] {
  const byPointer = new Map<string, Set<string>>();
  const types = new Map<string, { found: string; expected: Set<string> }>();
  for (const error of errors) {
    const wrong = error.keyword === 'type' ? typesIn(error.error) : null;
    if (wrong !== null) {
      // Alternatives of a union each expect one type: one message names them all.
      const place = decoded(error.instanceLocation);
      const known = types.get(place)?.expected ?? new Set();
      types.set(place, { ...wrong, expected: new Set([...known, ...wrong.expected]) });
      if (!byPointer.has(place)) byPointer.set(place, new Set());
      continue;
    }
    const { pointer, message } = worded(copy, error);
    if (message === null) continue;
    const messages = byPointer.get(pointer) ?? new Set();
    byPointer.set(pointer, messages.add(message));
  }
  if (errors.length > 0 && byPointer.size === 0)
    byPointer.set('', new Set(['is not allowed by the schema']));
  return [...byPointer].slice(0, maxErrors).map(([pointer, messages]) => ({
    path: `$${pointerKeys(pointer).map(step).join('')}`,
    pointer,
    message: [...typesAt(pointer), ...messages].slice(0, 5).join(', or '),
  }));

  function typesAt(pointer: string): string[] {
    const wrong = types.get(pointer);
    return wrong === undefined ? [] : [typeWords(wrong.expected, wrong.found)];
  }
}

/** The place and the text of an error; the text is null if other errors say what is wrong. */
function worded(
  copy: Checkable,
  { keyword, error, instanceLocation, keywordLocation }: OutputUnit,
): { pointer: string; message: string | null } {
  const pointer = decoded(instanceLocation);
  // `meantErrors` has worded this error.
  if (keyword === anyRequired) return { pointer, message: error };
  if (keyword === 'required') {
    const name = /required property "(.*)"\.$/s.exec(error)?.[1] ?? '';
    return { pointer: pointer + pointerOf([name]), message: 'is required' };
  }
  if (keyword === 'false') return { pointer, message: 'is not a declared property' };
  // The errors inside say what is wrong.
  if (outerKeywords.has(keyword)) return { pointer, message: null };
  if (keyword === 'oneOf') {
    const matches = Number(/\((\d+) matches\)/.exec(error)?.[1]);
    const message = `matches ${String(matches)} alternatives, but may match only one`;
    return { pointer, message: matches > 1 ? message : null };
  }
  const pattern =
    keyword === 'pattern' ? member(schemaAt(copy, keywordLocation), '$comment') : undefined;
  if (typeof pattern === 'string')
    return { pointer, message: `does not match the pattern ${shown(pattern)}` };
  const plain = error.replace(/^(Instance|String|Array) /, '').replace(/\.$/, '');
  return { pointer, message: plain.charAt(0).toLowerCase() + plain.slice(1, 500) };
}

function shown(pattern: string): string {
  return pattern.length > 300 ? `${pattern.slice(0, 300)}…` : pattern;
}

function decoded(pointer: string): string {
  return decodeFragment(pointer.replace(/^#/, ''));
}

/** A step of a path, such as `[0]`, `.name` or `["first name"]`. */
function step(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** The types that an error of `type` expects, and the one that it found; null for any other error. */
function typesIn(error: string): { found: string; expected: readonly string[] } | null {
  const [, found, list] =
    /^Instance type "(\w+)" is invalid\. Expected "(.*)"\.$/.exec(error) ?? [];
  if (found === undefined || list === undefined) return null;
  return { found, expected: list.split('", "') };
}

/**
 * Describes a wrong type, such as `must be an integer or null, but is a string`. `schema_check.py` does the same;
 * type-words.json has the cases for both.
 */
function typeWords(expected: ReadonlySet<string>, found: string): string {
  const names = [...expected].map(withArticle);
  const last = names.pop() ?? '';
  const list = names.length === 0 ? last : `${names.join(', ')} or ${last}`;
  // An integer would have been taken for a number.
  const isFraction = found === 'number' && expected.has('integer');
  return `must be ${list}, but is ${isFraction ? 'a decimal number' : withArticle(found)}`;
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/**
 * The schema that has a keyword; undefined if it cannot be found.
 * @param location the keyword's, as the validator reports it, such as `#/properties/id/$ref/pattern`
 */
function schemaAt({ schema, targets }: Checkable, location: string): Json | undefined {
  let here: Json | undefined = schema;
  for (const step of pointerKeys(location).map(decodeFragment).slice(0, -1)) {
    here = member(here, step);
    // In the copy, a reference is `#` and the anchor of its target.
    if (step === '$ref') here = typeof here === 'string' ? targets.get(here.slice(1)) : undefined;
  }
  return here;
}

function member(value: Json | undefined, step: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return Reflect.get(value, step) as Json;
}
