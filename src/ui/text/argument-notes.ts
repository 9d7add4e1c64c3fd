/** What can be said about arguments before they are sent: quick remarks, no verdict. */

import type { Json, JsonObject } from '../../spec/json.ts';
import { jsonFault, type JsonFault } from './json-fault.ts';
import { asObject, member, properties, requiredNames } from './schema-node.ts';

export interface ArgumentNotes {
  /** The text cannot be sent. */
  readonly fault: JsonFault | null;
  /** The text can be sent, but these will likely be refused. */
  readonly remarks: readonly string[];
}

/** Reads the text of arguments against the top level of a tool's schema. The call itself checks the rest. */
export function argumentNotes(text: string, parameters: JsonObject): ArgumentNotes {
  const fault = jsonFault(text);
  if (fault !== null) return { fault, remarks: [] };
  const value = asObject(JSON.parse(text) as Json);
  if (value === null) {
    const message = 'Arguments are one JSON object: { … }';
    return { fault: { offset: 0, line: 1, column: 1, message }, remarks: [] };
  }
  return { fault: null, remarks: [...missing(value, parameters), ...unknown(value, parameters)] };
}

function missing(value: JsonObject, parameters: JsonObject): string[] {
  return [...requiredNames(parameters)]
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${name} is required`);
}

function unknown(value: JsonObject, parameters: JsonObject): string[] {
  const open = member(parameters, 'additionalProperties');
  if ((open !== undefined && open !== false) || Object.hasOwn(parameters, 'patternProperties'))
    return [];
  if (!Object.hasOwn(parameters, 'properties')) return [];
  const known = new Set(properties(parameters).map(([name]) => name));
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => `${name} is not in the schema`);
}
