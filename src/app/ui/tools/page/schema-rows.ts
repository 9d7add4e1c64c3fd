/** Turns a JSON Schema into table rows, one per property, with nested ones below their parent. */

import { Budget } from '../../../../runtime/async/pace.ts';
import { type Json, type JsonObject, moreThan } from '../../../../runtime/spec/json.ts';
import { exactMember } from '../../../../runtime/spec/exact-json.ts';
import { asObject } from '../../../../runtime/spec/guards.ts';
import {
  memberOf,
  objectOrNull,
  listProperties,
  requiredNamesOf,
  resolveReference,
} from './schema-node.ts';
import { TypeNames } from './type-names.ts';

/** The schema's description of a property, as text. */
export interface PropertyWords {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  /** All other constraints, such as `default 10` or `at least 1`. */
  readonly demands: readonly string[];
}

export interface SchemaRow extends PropertyWords {
  /** Unique in the table. */
  readonly path: string;
  /** Nesting level, from 0. */
  readonly depth: number;
}

export interface SchemaTable {
  readonly rows: readonly SchemaRow[];
  /**
   * The missing part: `more` rows, which a higher limit shows; `deeper` levels; or everything that the budget was too
   * small for. Null if nothing is.
   */
  readonly cut: 'more' | 'deeper' | 'budget' | null;
}

/** Rows for a schema of type object, at most `limit` of them. */
export function schemaTable(schema: JsonObject, limit: number): SchemaTable {
  const rows: SchemaRow[] = [];
  const root = describable(schema);
  const whole = addRows(rows, { ...root, schema, path: '', depth: 0, limit });
  if (root.budget.isSpent) return { rows, cut: 'budget' };
  return { rows, cut: whole ? null : rows.length >= limit ? 'more' : 'deeper' };
}

/** A document to which references are relative, and what its description may cost. */
export interface Describable {
  readonly root: JsonObject;
  readonly types: TypeNames;
  readonly budget: Budget;
}

export function describable(root: JsonObject): Describable {
  const budget = new Budget();
  return { root, types: new TypeNames(root, budget), budget };
}

export function propertyWords(
  name: string,
  property: JsonObject,
  within: Describable,
  required: boolean,
): PropertyWords {
  const schema = resolveReference(property, within.root);
  return {
    name,
    type: within.types.of(schema),
    required,
    description:
      textOf(memberOf(property, 'description')) ?? textOf(memberOf(schema, 'description')) ?? '',
    demands: demandTexts([property, schema], within),
  };
}

interface Place extends Describable {
  readonly schema: JsonObject;
  readonly path: string;
  readonly depth: number;
  readonly limit: number;
}

const deepest = 8;
const maxChoices = 24;
/** Limits of a value in a constraint; above the first, it is shown as `…`. */
const maxValues = 100;
const maxChars = 160;

/** False if the limit or the end of the budget was reached. */
function addRows(rows: SchemaRow[], place: Place): boolean {
  const listed = listProperties(place.schema);
  const required = requiredNamesOf(place.schema);
  place.budget.take((listed.length + required.size) / 10);
  for (const [name, property] of listed) {
    if (rows.length >= place.limit || place.depth >= deepest) return false;
    if (!place.budget.take(20)) return false;
    const path = `${place.path}/${name}`;
    rows.push({
      path,
      depth: place.depth,
      ...propertyWords(name, property, place, required.has(name)),
    });
    const below = inner(resolveReference(property, place.root), place.root, 0);
    if (below !== null && !addRows(rows, { ...place, schema: below, path, depth: place.depth + 1 }))
      return false;
  }
  return true;
}

/** The object that a schema describes: its own, or that of its items. */
function inner(schema: JsonObject, root: JsonObject, hops: number): JsonObject | null {
  if (objectOrNull(memberOf(schema, 'properties')) !== null) return schema;
  const items = objectOrNull(memberOf(schema, 'items'));
  return items === null || hops >= 4 ? null : inner(resolveReference(items, root), root, hops + 1);
}

const wordings: Record<string, (value: string) => string> = {
  const: (value) => `always ${value}`,
  default: (value) => `default ${value}`,
  format: (value) => `format ${value}`,
  pattern: (value) => `matches ${value}`,
  minimum: (value) => `at least ${value}`,
  exclusiveMinimum: (value) => `more than ${value}`,
  maximum: (value) => `at most ${value}`,
  exclusiveMaximum: (value) => `less than ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  uniqueItems: (value) => (value === 'true' ? 'unique items' : 'items may repeat'),
};

/** @param schemas the first one that has a keyword says its value */
function demandTexts(schemas: readonly JsonObject[], { root, budget }: Describable): string[] {
  const schemaWith = (key: string): JsonObject | undefined =>
    schemas.find((schema) => memberOf(schema, key) !== undefined);
  const choices = memberOf(schemaWith('enum') ?? {}, 'enum');
  const items = asObject(memberOf(schemaWith('items') ?? {}, 'items'));
  const each = memberOf(resolveReference(items, root), 'enum');
  const listed = [
    ...(Array.isArray(choices) ? [`one of ${listOf(choices, budget)}`] : []),
    ...(Array.isArray(each) ? [`each one of ${listOf(each, budget)}`] : []),
  ];
  const texts = Object.entries(wordings).flatMap(([key, wording]) => {
    const schema = schemaWith(key);
    if (schema === undefined) return [];
    const isText = key === 'format' || key === 'pattern';
    const text = isText ? textOf(memberOf(schema, key)) : valueText(schema, key, budget);
    return [wording(text ?? '')];
  });
  return [...listed, ...texts];
}

/** The raw schema below the table has all of them. */
function listOf(choices: Json[], budget: Budget): string {
  const first = choices
    .slice(0, maxChoices)
    .map((_, index) => valueText(choices, index, budget))
    .join(', ');
  return choices.length > maxChoices
    ? `${first} and ${String(choices.length - maxChoices)} more`
    : first;
}

/** The value as the schema writes it: `3.0` stays `3.0`. */
function valueText(holder: JsonObject | Json[], key: string | number, budget: Budget): string {
  const value = Array.isArray(holder) ? holder[Number(key)] : memberOf(holder, String(key));
  if (value === undefined || !budget.take() || moreThan(value, maxValues)) return '…';
  const text = exactMember(holder, key) ?? '';
  budget.take(text.length / 200);
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
