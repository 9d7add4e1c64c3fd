/** Quick checks of arguments while they are typed; the call itself validates them in full. */

import { asObject, isObject, isRecord } from '../../../spec/guards.ts';
import type { Json, JsonObject } from '../../../spec/json.ts';
import { jsonFault, type JsonFault } from '../../json/json-fault.ts';
import {
  choicesIn,
  itemAt,
  member,
  objectOrNull,
  properties,
  requiredNames,
  resolved,
} from '../page/schema-node.ts';
import { typeName } from '../page/schema-rows.ts';
import { pathText, type ArgumentPath } from './argument-place.ts';

export interface Remark {
  readonly text: string;
  /** Text of the value at fault; null if it is missing. */
  readonly path: ArgumentPath | null;
}

export interface ArgumentNotes {
  /** The text cannot be sent. */
  readonly fault: JsonFault | null;
  /** The text can be sent, but the call will probably reject it. */
  readonly remarks: readonly Remark[];
}

/** Compares arguments with the names and types of a tool's schema. The call itself checks the rest. */
export function argumentNotes(text: string, parameters: JsonObject): ArgumentNotes {
  const fault = jsonFault(text);
  if (fault !== null) return { fault, remarks: [] };
  const value = JSON.parse(text) as Json;
  if (!isObject(value)) {
    const message = 'Arguments must be a JSON object: { … }';
    return { fault: { offset: 0, line: 1, column: 1, message }, remarks: [] };
  }
  const remarks = [
    ...missing(value, parameters),
    ...unknown(value, parameters),
    ...misfits(value, parameters).map(({ path, words }) => ({
      text: `${pathText(path)} ${words}`,
      path,
    })),
  ];
  return { fault: null, remarks };
}

function missing(value: JsonObject, parameters: JsonObject): Remark[] {
  return [...requiredNames(parameters)]
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ text: `${name} is required`, path: null }));
}

function unknown(value: JsonObject, parameters: JsonObject): Remark[] {
  const open = member(parameters, 'additionalProperties');
  if ((open !== undefined && open !== false) || Object.hasOwn(parameters, 'patternProperties'))
    return [];
  if (!Object.hasOwn(parameters, 'properties')) return [];
  const known = new Set(properties(parameters).map(([name]) => name));
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => ({ text: `${name} is not in the schema`, path: [name] }));
}

export interface Misfit {
  readonly path: ArgumentPath;
  /** Continues a sentence after the name of the value. */
  readonly words: string;
}

/** Limit of the steps of one check, which runs at each key press, since a schema is untrusted. */
const mostSteps = 2_000;
const mostMisfits = 20;
/** Limit of checked items in a list. */
const mostListed = 1_000;
const mostChoices = 50;
const deepest = 30;

/**
 * Compares values with their schemas. Checks only types and enumerations, and reports nothing if it is unsure, since
 * the call itself checks the rest.
 */
export function misfits(value: Json, parameters: JsonObject): readonly Misfit[] {
  const walk: Walk = { root: parameters, steps: mostSteps, found: [] };
  inside(walk, value, parameters, []);
  return walk.found;
}

interface Walk {
  readonly root: JsonObject;
  steps: number;
  readonly found: Misfit[];
}

function check(walk: Walk, value: Json, schema: JsonObject, path: ArgumentPath): void {
  if (walk.found.length >= mostMisfits || path.length > deepest) return;
  if (isOfOtherType(walk, value, schema, 0)) {
    const type = typeName(resolved(schema, walk.root), walk.root);
    walk.found.push({ path, words: `is ${kindOf(value)}, expected ${type}` });
  } else if (isUnlisted(value, resolved(schema, walk.root)))
    walk.found.push({ path, words: 'is not one of the allowed values' });
  else inside(walk, value, schema, path);
}

function inside(walk: Walk, value: Json, schema: JsonObject, path: ArgumentPath): void {
  const here = narrowed(walk, value, schema);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (walk.steps <= 0) return;
      const own = itemAt(here, index);
      if (own !== null) check(walk, item, own, [...path, index]);
    }
    return;
  }
  const declared = asObject(member(here, 'properties'));
  const others = objectOrNull(member(here, 'additionalProperties'));
  // Patterns are left to the call, since a hostile one may take forever.
  const fallback = Object.hasOwn(here, 'patternProperties') ? null : others;
  for (const [name, each] of Object.entries(asObject(value))) {
    if (walk.steps <= 0) return;
    const own =
      objectOrNull(member(declared, name)) ?? (Object.hasOwn(declared, name) ? null : fallback);
    if (own !== null) check(walk, each, own, [...path, name]);
  }
}

/** The only alternative that can apply to the value; if several can, the enclosing schema. */
function narrowed(walk: Walk, value: Json, schema: JsonObject): JsonObject {
  const here = resolved(schema, walk.root);
  const choices = choicesOf(here);
  if (choices.length === 0) return here;
  const fitting = choices.filter((choice) => !isOfOtherType(walk, value, choice, 0));
  const [only] = fitting;
  return only === undefined || fitting.length > 1 ? here : resolved(only, walk.root);
}

function isOfOtherType(walk: Walk, value: Json, schema: JsonObject, hops: number): boolean {
  walk.steps -= 1;
  if (walk.steps <= 0 || hops > 4) return false;
  const here = resolved(schema, walk.root);
  const type = member(here, 'type');
  const types = Array.isArray(type) ? type.slice(0, mostChoices) : [type];
  if (types.length > 0 && !types.some((each) => mayBe(value, each))) return true;
  const choices = choicesOf(here);
  return (
    choices.length > 0 && choices.every((choice) => isOfOtherType(walk, value, choice, hops + 1))
  );
}

/** None where there are too many to look through. */
function choicesOf(schema: JsonObject): readonly JsonObject[] {
  const choices = choicesIn(schema, mostChoices + 1);
  return choices.length > mostChoices ? [] : choices;
}

function mayBe(value: Json, type: Json | undefined): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type;
    case 'integer':
      // Numbers beyond JavaScript's range all count as integers.
      return typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value));
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return true;
  }
}

function isUnlisted(value: Json, schema: JsonObject): boolean {
  const listed = member(schema, 'enum');
  if (!Array.isArray(listed) || listed.length > mostListed) return false;
  if (isRecord(value)) return false;
  // Numbers beyond the safe integers cannot be compared here.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  return !listed.includes(value);
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
