/** A JSON Schema as table rows, one for each property, nested ones below their parent. */

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

/** What a schema says of a property, in words. */
export interface PropertyWords {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  /** Everything else that the schema demands, such as `default 10` or `at least 1`. */
  readonly demands: readonly string[];
}

export interface SchemaRow extends PropertyWords {
  /** Unique in the table. */
  readonly path: string;
  /** Steps below the top level. */
  readonly depth: number;
}

export interface SchemaTable {
  readonly rows: readonly SchemaRow[];
  /** The schema goes on: deeper, or over more rows. */
  readonly cut: boolean;
}

/** Rows for a schema of type object, at most `limit` of them. */
export function schemaTable(schema: JsonObject, limit: number): SchemaTable {
  const rows: SchemaRow[] = [];
  const whole = addRows(rows, { schema, root: schema, path: '', depth: 0, limit });
  return { rows, cut: !whole };
}

/** `root` is where references lead from. */
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
/** Types that one property is said to have, at most. */
const mostTypes = 12;
/** Longer lists are not looked through. */
const mostListed = 1_000;
const mostChars = 160;

/** False where the limit was met. */
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

/** The object inside: the schema itself, or that of its items. */
function inner(schema: JsonObject, root: JsonObject, hops: number): JsonObject | null {
  if (objectOrNull(member(schema, 'properties')) !== null) return schema;
  const items = objectOrNull(member(schema, 'items'));
  return items === null || hops >= 4 ? null : inner(resolved(items, root), root, hops + 1);
}

/** The type of a schema that has been resolved, in words. */
export function typeName(schema: JsonObject, root: JsonObject, depth = 0): string {
  const type = member(schema, 'type');
  if (type === 'array' && depth < 4) return arrayName(schema, root, depth);
  if (Array.isArray(type)) return type.map(String).join(' or ');
  if (typeof type === 'string') return type;
  if (Object.hasOwn(schema, 'const')) return 'constant';
  const listed = member(schema, 'enum');
  if (Array.isArray(listed)) return kindsOf(listed);
  // Choices that lead back to themselves would otherwise multiply at every step.
  const choices = depth < 4 ? choicesIn(schema, mostTypes) : [];
  if (choices.length === 0) return 'any';
  return [...new Set(choices.map((each) => typeName(resolved(each, root), root, depth + 1)))].join(
    ' or ',
  );
}

/** What stands at the beginning one by one; then what all others are. */
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

/** The types of listed values, which the list itself may leave unsaid. */
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
  const reported = Object.entries(wordings).flatMap(([key, wording]) => {
    const value = member(schema, key);
    return value === undefined
      ? []
      : [wording(['format', 'pattern'].includes(key) ? (textOf(value) ?? '') : shown(value))];
  });
  return [...listed, ...reported];
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
