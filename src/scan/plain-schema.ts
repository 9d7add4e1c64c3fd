/** Recognizes quickly the schemas that certainly have no fault, as nearly all do: a folder may have thousands of tools. */

import { isObject } from '../spec/guards.ts';
import type { Json, JsonObject } from '../spec/json.ts';

/** Larger schemas get the full check, which pauses in between. */
const mostSchemas = 500;
const longestList = 200;

const types: ReadonlySet<unknown> = new Set([
  ...['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
]);

type Check = (value: Json, room: Room) => boolean;

/** How many schemas may still be visited. */
interface Room {
  schemas: number;
}

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number';
const isSize: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isAnything: Check = () => true;
const isList: Check = (value) => Array.isArray(value);
const isNames: Check = (value) =>
  Array.isArray(value) &&
  value.length <= longestList &&
  value.every((name) => typeof name === 'string') &&
  new Set(value).size === value.length;
const isSchema: Check = (value, room) => isObject(value) && isPlain(value, room);
const isSchemaOrFlag: Check = (value, room) => isFlag(value, room) || isSchema(value, room);
const areSchemas: Check = (value, room) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isSchema(one, room));
const areNamedSchemas: Check = (value, room) =>
  isObject(value) && Object.values(value).every((one) => isSchema(one, room));

/** Keywords that mean the same in all drafts, and hold neither references nor patterns. */
const checks: ReadonlyMap<string, Check> = new Map([
  ['type', (value) => types.has(value)],
  ['title', isText],
  ['description', isText],
  ['default', isAnything],
  ['const', isAnything],
  ['enum', isList],
  ['examples', isList],
  ['properties', areNamedSchemas],
  ['required', isNames],
  ['additionalProperties', isSchemaOrFlag],
  ['items', isSchema],
  ['anyOf', areSchemas],
  ['oneOf', areSchemas],
  ['allOf', areSchemas],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['minLength', isSize],
  ['maxLength', isSize],
  ['minItems', isSize],
  ['maxItems', isSize],
  ['uniqueItems', isFlag],
]);

/**
 * Whether the schema is certainly valid, without references and patterns. False if only the full check can tell. Must not
 * be nested deeper than the stack allows.
 */
export function isPlainSchema(schema: JsonObject): boolean {
  return isPlain(schema, { schemas: mostSchemas });
}

function isPlain(schema: JsonObject, room: Room): boolean {
  room.schemas -= 1;
  if (room.schemas < 0) return false;
  for (const keyword of Object.keys(schema)) {
    const check = checks.get(keyword);
    if (check?.(schema[keyword] as Json, room) !== true) return false;
  }
  return true;
}
