/** Initial arguments of a tool: its first example, or what its schema requires and the defaults that it allows. */

import { Budget } from '../../../async/budget.ts';
import { exactText } from '../../../spec/exact-json.ts';
import type { Json, JsonObject, JsonText } from '../../../spec/json.ts';
import type { Tool } from '../../../spec/tool.ts';
import { FormSchema, type Shape } from './form-schema.ts';
import { prettyText } from './json-edit.ts';
import { parseValue } from './json-value.ts';
import { isOfType, isSame } from './value-fit.ts';

/** JSON text that the user edits before the first run of a tool. */
export function argumentTemplate(tool: Pick<Tool, 'parameters' | 'examples'>): JsonText {
  const [example] = tool.examples;
  if (example !== undefined) return prettyText(exactText(example));
  const schema = formSchema(tool.parameters);
  return prettyText(objectText(schema.root, { schema, budget: new Budget(mostValues) }, 0));
}

/** A first value for a schema, on one line: a default that the schema allows, a sample, or the empty value of its type. */
export function firstText(schema: FormSchema, shape: Shape, depth = 1): JsonText {
  return textFor(shape, { schema, budget: new Budget(mostValues) }, depth);
}

/** A first value of one property. */
export function sampleFor(property: Json, root: JsonObject): JsonText {
  const schema = formSchema(root);
  return firstText(schema, schema.shape(property));
}

const known = new WeakMap<JsonObject, FormSchema>();

/** The schemas of a tool's parameters, read once. */
export function formSchema(parameters: JsonObject): FormSchema {
  const schema = known.get(parameters) ?? new FormSchema(parameters);
  known.set(parameters, schema);
  return schema;
}

interface Within {
  readonly schema: FormSchema;
  /** How many values may still be written. */
  readonly budget: Budget;
}

/** Most values in a template. Nested required objects multiply at each level; the user adds the rest. */
const mostValues = 2_000;
const deepest = 6;
/** Deepest level with list items, because nested lists multiply at each level. */
const deepestItems = 3;
const mostItems = 16;

function objectText(shape: Shape, within: Within, depth: number): JsonText {
  within.budget.take(shape.properties.size / 100);
  const members: string[] = [];
  for (const [name, property] of shape.properties) {
    if (within.budget.isSpent) break;
    const required = shape.required.has(name);
    // Reading a schema costs more than writing its value.
    if (!within.budget.take(required ? 1 : 0.2)) break;
    const own = within.schema.shape(property);
    if (!required && !hasDefault(own)) continue;
    members.push(`${JSON.stringify(name)}: ${textFor(own, within, depth + 1)}`);
  }
  return `{${members.join(', ')}}`;
}

function textFor(shape: Shape, within: Within, depth: number): JsonText {
  if (shape.default !== null && hasDefault(shape)) return paid(shape.default, within);
  const [choice] = shape.choices ?? [];
  if (choice !== undefined) return paid(choice.text, within);
  const sample = shape.examples.find((text) => fits(text, shape));
  if (sample !== undefined) return paid(sample, within);
  const branches = shape.branches?.() ?? [];
  // Null, where it is allowed, because a half-filled object would be sent as it is.
  if (shape.types?.includes('null') === true || branches.some(isNull)) return 'null';
  const [first] = branches;
  if (first !== undefined) return depth < deepest ? textFor(first, within, depth + 1) : 'null';
  return emptyText(shape, within, depth);
}

function isNull({ types, choices }: Shape): boolean {
  return (types?.length === 1 && types[0] === 'null') || choices?.[0]?.text === 'null';
}

/** Whether there is a default of a type that the schema allows. */
function hasDefault(shape: Shape): boolean {
  return shape.default !== null && fits(shape.default, shape);
}

function fits(text: JsonText, shape: Shape): boolean {
  const value = parseValue(text);
  if (value === null || !isOfType(value, shape.types)) return false;
  const { choices } = shape;
  if (choices !== null && !choices.some((each) => isSame(value, each.text))) return false;
  const branches = shape.branches?.() ?? [];
  return branches.length === 0 || branches.some((branch) => isOfType(value, branch.types));
}

/** Charges a value's text to the budget, so that a large value that many properties share is not repeated. */
function paid(text: JsonText, { budget }: Within): JsonText {
  budget.take(text.length / 100);
  return text;
}

function emptyText(shape: Shape, within: Within, depth: number): JsonText {
  switch (shape.types?.[0]) {
    case 'integer':
    case 'number':
      return numberText(shape);
    case 'boolean':
      return 'false';
    case 'null':
      return 'null';
    case 'array':
      return depth < deepestItems ? itemsText(shape, within, depth) : '[]';
    case 'object':
      return depth < deepest ? objectText(shape, within, depth) : '{}';
    default:
      return '""';
  }
}

/** Zero, or the number within the bounds that is closest to it. */
function numberText({ bounds: { minimum, maximum, above, below } }: Shape): JsonText {
  const least = Math.max(minimum ?? -Infinity, above === null ? -Infinity : Math.floor(above) + 1);
  const most = Math.min(maximum ?? Infinity, below === null ? Infinity : Math.ceil(below) - 1);
  const number = least > 0 ? least : Math.min(0, most);
  return JSON.stringify(Number.isFinite(number) ? number : 0);
}

/** The required number of items, as far as the schema describes them. */
function itemsText(shape: Shape, within: Within, depth: number): JsonText {
  const items: string[] = [];
  while (items.length < Math.min(shape.minItems, mostItems)) {
    const item = within.schema.itemSchema(shape, items.length);
    if (item === true || item === false || !within.budget.take()) break;
    items.push(textFor(within.schema.shape(item), within, depth + 1));
  }
  return `[${items.join(', ')}]`;
}
