/** Finds the schema's description of the argument at the caret, and what can be inserted there. */

import { Budget } from '../../../../runtime/async/pace.ts';
import { asObject, isObject, parseJson } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import { argumentPlace, pathText } from './argument-place.ts';
import { sampleFor } from './argument-template.ts';
import { prettyText } from './json-edit.ts';
import { describable, propertyWords, type PropertyWords } from '../page/schema-rows.ts';
import {
  itemAt,
  memberOf,
  objectOrNull,
  listProperties,
  requiredNamesOf,
  resolveReference,
} from '../page/schema-node.ts';

export interface ArgumentHelp {
  /** The property at the caret; null if there is none, or it is not in the schema. */
  readonly property: PropertyWords | null;
  /** JSON texts that can replace `token`. */
  readonly values: readonly string[];
  readonly token: { readonly start: number; readonly end: number } | null;
  /** Declared properties that the outermost object is missing. */
  readonly missing: readonly string[];
}

const maxValues = 12;
const maxMissing = 12;

/** Analyses the text of arguments while it is being written. */
export function argumentHelp(text: string, offset: number, parameters: JsonObject): ArgumentHelp {
  const { path, token } = argumentPlace(text, offset);
  const found = schemaAt(parameters, path);
  return {
    property:
      found && propertyWords(pathText(path), found.schema, describable(parameters), found.required),
    values: found === null || token === null ? [] : values(found.schema, parameters),
    token,
    missing: missingNames(text, parameters),
  };
}

/**
 * Returns the text with a property added at the end of the outermost object, and the offset of the end of its value;
 * null if that is not possible.
 */
export function withProperty(
  text: string,
  name: string,
  parameters: JsonObject,
): { readonly text: string; readonly end: number } | null {
  const object = parseJson(text);
  const property = listProperties(parameters).find(([each]) => each === name)?.[1];
  if (!isObject(object) || property === undefined) return null;
  const close = text.lastIndexOf('}');
  const before = text.slice(0, close).trimEnd();
  const value = prettyText(sampleFor(property, parameters)).replaceAll('\n', '\n  ');
  const comma = Object.keys(object).length === 0 ? '' : ',';
  const changed = `${before}${comma}\n  ${JSON.stringify(name)}: ${value}`;
  return { text: `${changed}\n${text.slice(close)}`, end: changed.length };
}

interface Found {
  readonly schema: JsonObject;
  readonly required: boolean;
}

function schemaAt(root: JsonObject, path: readonly (string | number)[]): Found | null {
  let found: Found = { schema: root, required: true };
  const within = { root, budget: new Budget() };
  for (const step of path) {
    const next = schemaBelow(resolveReference(found.schema, root), step, within, 0);
    if (next === null) return null;
    found = next;
  }
  return path.length === 0 ? null : found;
}

/** Returns nothing once the budget is spent, because nested alternatives multiply the work at each level. */
function schemaBelow(
  schema: JsonObject,
  step: string | number,
  within: { readonly root: JsonObject; readonly budget: Budget },
  hops: number,
): Found | null {
  if (!within.budget.take(5)) return null;
  const direct = typeof step === 'string' ? propertyNamed(schema, step) : item(schema, step);
  if (direct !== null) return direct;
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const choices = memberOf(schema, key);
    if (!Array.isArray(choices) || hops >= 4) continue;
    for (const choice of choices) {
      const inside = schemaBelow(
        resolveReference(asObject(choice), within.root),
        step,
        within,
        hops + 1,
      );
      if (inside !== null) return inside;
    }
  }
  return null;
}

function propertyNamed(schema: JsonObject, name: string): Found | null {
  const declared = asObject(memberOf(schema, 'properties'));
  if (Object.hasOwn(declared, name))
    return { schema: asObject(declared[name]), required: requiredNamesOf(schema).has(name) };
  const others = objectOrNull(memberOf(schema, 'additionalProperties'));
  return others && { schema: others, required: false };
}

function item(schema: JsonObject, index: number): Found | null {
  const found = itemAt(schema, index);
  return found && { schema: found, required: false };
}

function values(property: JsonObject, root: JsonObject): string[] {
  const schema = { ...resolveReference(property, root), ...property };
  const choices: Json[] = [];
  for (const key of ['enum', 'examples']) {
    const listed = memberOf(schema, key);
    if (Array.isArray(listed)) choices.push(...listed);
  }
  for (const key of ['const', 'default']) {
    const value = memberOf(schema, key);
    if (value !== undefined) choices.push(value);
  }
  const type = memberOf(schema, 'type');
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('boolean')) choices.push(true, false);
  if (types.includes('null')) choices.push(null);
  const texts = choices.map((choice) => JSON.stringify(choice));
  return [...new Set(texts)].filter((text) => text.length <= 60).slice(0, maxValues);
}

function missingNames(text: string, parameters: JsonObject): string[] {
  const object = parseJson(text);
  if (!isObject(object)) return [];
  return listProperties(parameters)
    .map(([name]) => name)
    .filter((name) => !Object.hasOwn(object, name))
    .slice(0, maxMissing);
}
