/** Turns a JSON Schema into table rows, one per property, with nested ones below their parent. */

import { asObject } from '../../../spec/guards.ts';
import type { Json, JsonObject } from '../../../spec/json.ts';
import {
  choicesIn,
  member,
  objectOrNull,
  properties,
  requiredNames,
  resolved,
} from './schema-node.ts';

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
  /** Whether the schema continues deeper, or has more rows. */
  readonly cut: boolean;
}

/** Rows for a schema of type object, at most `limit` of them. */
export function schemaTable(schema: JsonObject, limit: number): SchemaTable {
  const rows: SchemaRow[] = [];
  const whole = addRows(rows, { schema, root: schema, path: '', depth: 0, limit });
  return { rows, cut: !whole };
}

/** `root` is the document to which references are relative. */
export function propertyWords(
  name: string,
  property: JsonObject,
  root: JsonObject,
  required: boolean,
): PropertyWords {
  const schema = resolved(property, root);
  return {
    name,
    type: typeName(schema, root),
    required,
    description:
      textOf(member(property, 'description')) ?? textOf(member(schema, 'description')) ?? '',
    demands: demands({ ...schema, ...property }, root),
  };
}

interface Place {
  readonly schema: JsonObject;
  readonly root: JsonObject;
  readonly path: string;
  readonly depth: number;
  readonly limit: number;
}

const deepest = 8;
const mostChoices = 24;
/** Limit of the listed types of one property. */
const mostTypes = 12;
/** Limit of the length of lists that are examined. */
const mostListed = 1_000;
const mostChars = 160;

/** False if the limit was reached. */
function addRows(rows: SchemaRow[], place: Place): boolean {
  const required = requiredNames(place.schema);
  for (const [name, property] of properties(place.schema)) {
    if (rows.length >= place.limit || place.depth >= deepest) return false;
    const path = `${place.path}/${name}`;
    rows.push({
      path,
      depth: place.depth,
      ...propertyWords(name, property, place.root, required.has(name)),
    });
    const below = inner(resolved(property, place.root), place.root, 0);
    if (below !== null && !addRows(rows, { ...place, schema: below, path, depth: place.depth + 1 }))
      return false;
  }
  return true;
}

/** The object that a schema describes: its own, or that of its items. */
function inner(schema: JsonObject, root: JsonObject, hops: number): JsonObject | null {
  if (objectOrNull(member(schema, 'properties')) !== null) return schema;
  const items = objectOrNull(member(schema, 'items'));
  return items === null || hops >= 4 ? null : inner(resolved(items, root), root, hops + 1);
}

/** The type of a resolved schema, as text. */
export function typeName(schema: JsonObject, root: JsonObject, depth = 0): string {
  const type = member(schema, 'type');
  if (type === 'array' && depth < 4) return arrayName(schema, root, depth);
  if (Array.isArray(type)) return type.map(String).join(' or ');
  if (typeof type === 'string') return type;
  if (Object.hasOwn(schema, 'const')) return 'constant';
  const listed = member(schema, 'enum');
  if (Array.isArray(listed)) return kindsOf(listed);
  // Recursive alternatives would otherwise multiply at each level.
  const choices = depth < 4 ? choicesIn(schema, mostTypes) : [];
  if (choices.length === 0) return 'any';
  return [...new Set(choices.map((each) => typeName(resolved(each, root), root, depth + 1)))].join(
    ' or ',
  );
}

/** The types of the first items, one by one; then that of all others. */
function arrayName(schema: JsonObject, root: JsonObject, depth: number): string {
  const named = (item: Json | undefined): string =>
    typeName(resolved(asObject(item), root), root, depth + 1);
  const listed = member(schema, 'prefixItems');
  const first = Array.isArray(listed) ? listed.slice(0, mostTypes).map(named) : [];
  const items = member(schema, 'items');
  const others = objectOrNull(items) === null ? '' : named(items);
  if (first.length === 0) return others === '' ? 'array' : `array of ${others}`;
  const more = Array.isArray(listed) && listed.length > mostTypes ? ', …' : '';
  return `array of ${first.join(', ')}${more}${others === '' ? '' : `, then ${others}`}`;
}

/** The types of enumerated values, which a schema need not state. */
function kindsOf(values: readonly Json[]): string {
  const kinds = new Set(values.slice(0, mostListed).map(kindOf));
  return kinds.size === 0 ? 'any' : [...kinds].join(' or ');
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
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

function demands(schema: JsonObject, root: JsonObject): string[] {
  const choices = member(schema, 'enum');
  const each = member(resolved(asObject(member(schema, 'items')), root), 'enum');
  const listed = [
    ...(Array.isArray(choices) ? [`one of ${listOf(choices)}`] : []),
    ...(Array.isArray(each) ? [`each one of ${listOf(each)}`] : []),
  ];
  const texts = Object.entries(wordings).flatMap(([key, wording]) => {
    const value = member(schema, key);
    return value === undefined
      ? []
      : [wording(['format', 'pattern'].includes(key) ? (textOf(value) ?? '') : shown(value))];
  });
  return [...listed, ...texts];
}

/** The raw schema below the table has all of them. */
function listOf(choices: readonly Json[]): string {
  const first = choices.slice(0, mostChoices).map(shown).join(', ');
  return choices.length > mostChoices
    ? `${first} and ${String(choices.length - mostChoices)} more`
    : first;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
