/** Problems of the arguments in an editor: invalid JSON, or otherwise the errors that a run would report. */

import type { ArgumentError } from '../../../../runtime/protocol/argument-check.ts';
import { isObject, isRecord, parseJson } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import { pointerKeys } from '../../../../runtime/spec/schema-walk.ts';
import { jsonFault, type JsonFault } from '../../json/json-fault.ts';
import { memberOf, listProperties } from '../page/schema-node.ts';
import type { ArgumentPath } from './argument-place.ts';
import type { Draft } from './draft.svelte.ts';

export interface Remark {
  readonly text: string;
  readonly path: ArgumentPath;
}

export interface ArgumentNotes {
  /** The text cannot be sent. */
  readonly fault: JsonFault | null;
  /** The text can be sent, but the call will reject it. */
  readonly remarks: readonly Remark[];
}

/** Finds JSON errors and names that the schema does not declare. */
export function argumentNotes(text: string, parameters: JsonObject): ArgumentNotes {
  const fault = jsonFault(text);
  if (fault !== null) return { fault, remarks: [] };
  const value = JSON.parse(text) as Json;
  if (!isObject(value)) {
    const message = 'Arguments must be a JSON object: { … }';
    return { fault: { offset: 0, line: 1, column: 1, message }, remarks: [] };
  }
  return { fault: null, remarks: unknownArguments(value, parameters) };
}

/**
 * Turns the errors of a check into remarks on the draft, which may have changed since the check.
 * @param withEmpty whether to remark on empty fields
 */
export function remarksOf(
  errors: readonly ArgumentError[],
  { formText: text, unfinished }: Pick<Draft, 'formText' | 'unfinished'>,
  withEmpty: boolean,
): readonly Remark[] {
  if (errors.length === 0) return [];
  const value = parseJson(text);
  if (value === undefined) return [];
  return errors
    .map(({ path, pointer, message }) => ({
      // `path` is for people: `$.stops[0]` becomes `stops[0]`. `pointer` names the same place: `/stops/0`.
      text: `${path === '$' ? 'The arguments' : path.replace(/^\$\.?/, '')} ${message}`,
      ...placeOf(pointer, value),
    }))
    .filter(({ found }) => withEmpty || !isEmpty(found, unfinished))
    .map(({ text: words, path }) => ({ text: words, path }));
}

/**
 * Whether a field has no value yet. In `formText`, a placeholder, which is a string, stands for each value that cannot be sent,
 * and `unfinished` tells by the placeholder's JSON text why.
 */
function isEmpty(found: unknown, unfinished: Draft['unfinished']): boolean {
  if (found === undefined) return true;
  return typeof found === 'string' && unfinished.get(JSON.stringify(found))?.why === 'empty';
}

/** Follows a pointer into the arguments. Returns its path, and the value that is there now. */
function placeOf(pointer: string, value: unknown): { path: ArgumentPath; found: unknown } {
  let found = value;
  const path = pointerKeys(pointer).map((key) => {
    const step = Array.isArray(found) ? Number(key) : key;
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    return step;
  });
  return { path, found };
}

/** Arguments that the schema neither declares nor forbids, so the handler will probably not accept them. */
function unknownArguments(value: JsonObject, parameters: JsonObject): Remark[] {
  const closing = ['additionalProperties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'];
  if (closing.some((key) => memberOf(parameters, key) !== undefined)) return [];
  if (!Object.hasOwn(parameters, 'properties')) return [];
  const known = new Set(listProperties(parameters).map(([name]) => name));
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => ({ text: `${name} is not in the schema`, path: [name] }));
}
