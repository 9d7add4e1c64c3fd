/**
 * Makes the values with which a form begins. Initial arguments are a tool's first example, or else defaults and constants
 * of its schema; a field gets such a value when the user adds it, or a converted one when they switch to another
 * alternative. No value is invented, so that the form asks for required values.
 */

import { Budget } from '../../../../runtime/async/pace.ts';
import { exactText } from '../../../../runtime/spec/exact-json.ts';
import type { Json, JsonObject, JsonText } from '../../../../runtime/spec/json.ts';
import type { RegisteredTool, Tool } from '../../../../runtime/spec/tool.ts';
import { FormSchema, type Shape } from './form-schema.ts';
import { prettyText, withValue } from './json-edit.ts';
import {
  contentOf,
  isOfType,
  isSame,
  type JsonValue,
  type ObjectValue,
  parseValue,
  type TypeName,
} from './json-value.ts';
import { fits } from './fitting-alternative.ts';
import type { Draft, Drafts } from './draft.svelte.ts';

/** JSON text that the user edits before the first run of a tool. */
export function argumentTemplate(tool: Pick<Tool, 'parameters' | 'examples'>): JsonText {
  const [example] = tool.examples;
  if (example !== undefined) return prettyText(exactText(example));
  const schema = formSchema(tool.parameters);
  return prettyText(objectText(schema.root, { schema, budget: new Budget(maxValues) }, 0));
}

/** The draft of a tool. Not a method of `Drafts`, so that the first paint does not load argument templates. */
export function draftOf(
  drafts: Drafts,
  tool: Pick<RegisteredTool, 'name' | 'parameters' | 'examples'>,
): Draft {
  return drafts.of(tool.name, argumentTemplate(tool));
}

/** A first value for a field that the user adds; null if the schema gives none. */
export function firstText(schema: FormSchema, shape: Shape): JsonText | null {
  const within = { schema, budget: new Budget(maxValues) };
  const template = givenText(shape, within, 1);
  if (template !== null || shape.choices !== null || shape.types?.length !== 1) return template;
  if (shape.types[0] === 'object') return objectText(shape, within, 1);
  return shape.types[0] === 'array' ? '[]' : null;
}

/** The value of a member that becomes applicable; null if the schema gives none. */
export function memberText(schema: FormSchema, property: Json, required: boolean): JsonText | null {
  const shape = schema.shape(property);
  const within = { schema, budget: new Budget(maxValues) };
  return required || hasDefault(shape) ? givenText(shape, within, 1) : null;
}

/** A value of one property for the user to change: the schema's value, or the first value of its type. */
export function sampleFor(property: Json, root: JsonObject): JsonText {
  const schema = formSchema(root);
  const shape = schema.shape(property);
  const { choices, types } = shape.branches?.()[0] ?? shape;
  const text = firstText(schema, shape) ?? choices?.[0]?.text ?? shape.examples[0];
  return text ?? samples[types?.[0] ?? 'string'];
}

/**
 * Returns the value for the alternative `target`, to which the user switches: the same value, if it fits or can be converted, else the schema's first
 * value; null if the user has to enter one.
 */
export function convertValue(
  value: JsonValue | undefined,
  target: Shape,
  schema: FormSchema,
): JsonText | null {
  const first = firstText(schema, target);
  if (value === undefined) return first;
  if (target.choices !== null)
    return target.choices.some(({ text }) => isSame(value, text)) ? value.text : first;
  const [type] = target.types ?? [];
  if (value.kind === 'object')
    return type === 'object' ? keepMembers(value, target, schema, first ?? '{}') : first;
  // The items of a list are not converted.
  if (value.kind === 'array') return first;
  if (value.kind === 'string' && (type === 'number' || type === 'integer')) {
    const content = contentOf(value);
    return isNumber(content) ? content : first;
  }
  if (value.kind === 'number' && type === 'string') return JSON.stringify(value.text);
  return isOfType(value, target.types) ? value.text : first;
}

/** Returns whether the text is a number as JSON writes it. */
export function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

const samples: Readonly<Record<TypeName, JsonText>> = {
  string: '""',
  number: '0',
  integer: '0',
  boolean: 'false',
  null: 'null',
  object: '{}',
  array: '[]',
};

const known = new WeakMap<JsonObject, FormSchema>();

/** The schemas of a tool's parameters, read once. */
export function formSchema(parameters: JsonObject): FormSchema {
  const schema = known.get(parameters) ?? new FormSchema(parameters);
  known.set(parameters, schema);
  return schema;
}

/** The document to which the written values belong, and the limit of all of them. */
interface Within {
  readonly schema: FormSchema;
  /** Number of values that may still be written. */
  readonly budget: Budget;
}

/**
 * Maximum number of values in a template. Nested required objects multiply at each level; the user
 * adds the rest.
 */
// @mutant the budget of the arguments that a form starts with => 2_000 -> 20_000
const maxValues = 2_000;
/** Objects at this depth begin empty. */
const deepest = 6;
/** Maximum number of rounds: a condition can depend on a default that another condition adds. */
const maxRounds = 4;

/** The text of an object with its required members, and with those that have a default, as far as the schema gives values. */
function objectText(outer: Shape, within: Within, depth: number): JsonText {
  // Going through a hundred properties costs about as much as writing one value.
  within.budget.take(outer.properties.size / 100);
  const members = new Map<string, JsonText>();
  const read = new Set<string>();
  let shape = outer;
  for (let round = 0; round < maxRounds; round += 1) {
    for (const [name, property] of shape.properties) {
      if (read.has(name) || property === false) continue;
      if (within.budget.isSpent) break;
      read.add(name);
      const required = shape.required.has(name);
      // Reading a schema costs more than writing its value.
      if (!within.budget.take(required ? 1 : 0.2)) break;
      const propertyShape = within.schema.shape(property);
      if (!required && !hasDefault(propertyShape)) continue;
      const text = givenText(propertyShape, within, depth + 1);
      if (text !== null) members.set(name, text);
    }
    const next = within.schema.shapeFor(outer, parseValue(textOf(members)) ?? undefined);
    if (next === shape) break;
    shape = next;
  }
  return textOf(members);
}

function textOf(members: ReadonlyMap<string, JsonText>): JsonText {
  const lines = Array.from(members, ([name, text]) => `${JSON.stringify(name)}: ${text}`);
  return `{${lines.join(', ')}}`;
}

/**
 * The value that the schema gives: a default or constant, or an object if its members have such values or are required.
 */
function givenText(shape: Shape, within: Within, depth: number): JsonText | null {
  if (shape.default !== null && hasDefault(shape)) return chargeText(shape.default, within);
  const [choice, ...others] = shape.choices ?? [];
  if (choice !== undefined) return others.length === 0 ? chargeText(choice.text, within) : null;
  const [type, ...types] = shape.types ?? [];
  if (types.length > 0 || shape.branches !== null) return null;
  if (type === 'null') return 'null';
  if (type !== 'object') return null;
  const text = depth < deepest ? objectText(shape, within, depth) : '{}';
  const isAsked = [...shape.required].some((name) => shape.properties.get(name) !== false);
  return text === '{}' && !isAsked ? null : text;
}

/** Returns whether there is a default of a type that the schema allows. */
function hasDefault(shape: Shape): boolean {
  return shape.default !== null && fits(shape.default, shape);
}

/** Charges a value's text to the budget, so that a large value that many properties share is not repeated. */
function chargeText(text: JsonText, { budget }: Within): JsonText {
  budget.take(text.length / 100);
  return text;
}

/** Keeps the members that the alternative declares, if their values fit: puts them into the alternative's first value. */
function keepMembers(
  { members }: ObjectValue,
  target: Shape,
  schema: FormSchema,
  first: JsonText,
): JsonText {
  let text = first;
  for (const [name, member] of members) {
    const property = target.properties.get(name);
    if (property === undefined) continue;
    const { choices, types } = schema.shape(property);
    if (choices === null && isOfType(member, types)) text = withValue(text, [name], member.text);
  }
  return text;
}
