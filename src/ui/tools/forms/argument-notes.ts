/** What can be said about arguments before they are sent: quick remarks, no verdict. */

import type { Json, JsonObject } from '../../../spec/json.ts';
import { jsonFault, type JsonFault } from '../../json/json-fault.ts';
import { pathText, type ArgumentPath } from './argument-place.ts';
import { misfits } from './argument-types.ts';
import { asObject, member, properties, requiredNames } from '../page/schema-node.ts';

export interface Remark {
  readonly text: string;
  /** The value that it is about; null where none stands there. */
  readonly path: ArgumentPath | null;
}

export interface ArgumentNotes {
  /** The text cannot be sent. */
  readonly fault: JsonFault | null;
  /** The text can be sent, but these will likely be refused. */
  readonly remarks: readonly Remark[];
}

/** Reads the text of arguments against what a tool's schema says of names and types. The call itself checks the rest. */
export function argumentNotes(text: string, parameters: JsonObject): ArgumentNotes {
  const fault = jsonFault(text);
  if (fault !== null) return { fault, remarks: [] };
  const value = asObject(JSON.parse(text) as Json);
  if (value === null) {
    const message = 'Arguments are one JSON object: { … }';
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
