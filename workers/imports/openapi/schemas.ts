/**
 * Turns the schemas of a document into JSON Schema 2020-12 for the parameters of one tool. References stay: each schema
 * that is referred to becomes one of the tool’s `$defs`.
 */

import { isRecord, isStrings, type Fields } from '../../../src/runtime/spec/guards.ts';
import { cut, freeName } from '../python-text.ts';
import { isCircle, valueAt } from './references.ts';

/** Schemas in schemas; each takes two levels of JSON, of which Cloche accepts 64. */
const maxLevels = 26;
/** Values in the schemas of one tool; Cloche accepts 50,000 in a spec. */
const maxValues = 20_000;
const maxDefinitions = 500;

const tooLarge = 'A part of its schema is left out, because the schema is too large.';

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

type Schema = boolean | Fields;

/** The schemas of one tool. */
export class Schemas {
  readonly #document: unknown;
  /** Names of definitions by their references. */
  readonly #names = new Map<string, string>();
  readonly #definitions = new Map<string, Schema>();
  readonly #notes: Set<string>;
  /** Descriptions are cut to this length; 0 leaves them out. */
  readonly #maxText: number;
  #values = 0;

  /** @param notes receives what cannot be expressed */
  constructor(document: unknown, notes: Set<string>, maxText: number) {
    this.#document = document;
    this.#notes = notes;
    this.#maxText = maxText;
  }

  /** The definitions to which the converted schemas refer. */
  get definitions(): Readonly<Record<string, Schema>> {
    return Object.fromEntries(this.#definitions);
  }

  convert(value: unknown, level = 0): Schema {
    if (typeof value === 'boolean') return value;
    if (!isRecord(value) || Array.isArray(value)) return {};
    this.#values += 1;
    if (level > maxLevels || this.#values > maxValues) {
      this.#notes.add(tooLarge);
      return {};
    }
    if (typeof value.$ref === 'string') return this.#reference(value.$ref, value);
    const schema = Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => {
        const converted = this.#keyword(key, item, level + 1);
        return converted === undefined ? [] : [[key, converted]];
      }),
    );
    return nullable(value, exclusive(value, schema));
  }

  #reference(reference: string, { description }: Fields): Schema {
    const target = valueAt(this.#document, reference);
    const isFound = isRecord(target) || typeof target === 'boolean';
    const isLoop = isRecord(target) && isCircle(this.#document, reference);
    if (!isFound || isLoop) {
      const where = isLoop
        ? 'which refers only to itself'
        : reference.startsWith('#')
          ? 'which the document does not have'
          : 'another document';
      this.#notes.add(
        `A schema refers to ${cut(reference, 200)}, ${where}. Every value is accepted there.`,
      );
      return {};
    }
    const name = this.#names.get(reference) ?? this.#define(reference, target);
    if (name === null) return {};
    return {
      $ref: `#/$defs/${name}`,
      ...(typeof description === 'string' &&
        this.#maxText > 0 && { description: cut(description, this.#maxText) }),
    };
  }

  #define(reference: string, target: unknown): string | null {
    if (this.#names.size >= maxDefinitions) {
      this.#notes.add(tooLarge);
      return null;
    }
    const last = reference.split('/').at(-1) ?? '';
    const plain = last.replace(/[^A-Za-z\d_.-]+/g, '_').slice(0, 80);
    const name = freeName(plain === '' ? 'schema' : plain, new Set(this.#names.values()));
    this.#names.set(reference, name);
    // Set first, so that the definitions are in the order of their names’ first use.
    this.#definitions.set(name, {});
    this.#definitions.set(name, this.convert(target));
    return name;
  }

  /** The value of a keyword in the new schema; undefined if it has none there. */
  #keyword(key: string, value: unknown, level: number): unknown {
    const schema = (item: unknown): Schema => this.convert(item, level);
    switch (key) {
      case 'type':
        return typeOf(value);
      case 'title':
      case 'description':
        return cut(value, this.#maxText) || undefined;
      case 'format':
      case 'contentEncoding':
      case 'contentMediaType':
        return typeof value === 'string' ? cut(value, 200) : undefined;
      case 'default':
      case 'const':
        return this.#json(value, level);
      case 'enum':
        return Array.isArray(value) && value.length > 0
          ? this.#json([...new Set(value)], level)
          : undefined;
      case 'pattern':
        return this.#pattern(value);
      case 'minimum':
      case 'maximum':
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        return isNumber(value) ? value : undefined;
      case 'multipleOf':
        return isNumber(value) && value > 0 ? value : undefined;
      case 'minLength':
      case 'maxLength':
      case 'minItems':
      case 'maxItems':
      case 'minProperties':
      case 'maxProperties':
      case 'minContains':
      case 'maxContains':
        return Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined;
      case 'uniqueItems':
      case 'readOnly':
      case 'writeOnly':
      case 'deprecated':
        return value === true ? true : undefined;
      case 'required':
        return isStrings(value) && value.length > 0 ? [...new Set(value)] : undefined;
      case 'items':
        // A list of schemas is what later drafts call prefixItems.
        return isRecord(value) && !Array.isArray(value) ? schema(value) : undefined;
      case 'additionalProperties':
      case 'unevaluatedProperties':
      case 'unevaluatedItems':
      case 'propertyNames':
      case 'contains':
      case 'not':
      case 'if':
      case 'then':
      case 'else':
        return isRecord(value) || typeof value === 'boolean' ? schema(value) : undefined;
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
      case 'prefixItems':
        return Array.isArray(value) && value.length > 0 ? value.map(schema) : undefined;
      case 'properties':
      case 'patternProperties':
      case 'dependentSchemas':
        return isRecord(value) && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, schema(item)]))
          : undefined;
      default:
        return undefined;
    }
  }

  #pattern(value: unknown): string | undefined {
    if (typeof value !== 'string' || value.length > 2_000) return undefined;
    try {
      new RegExp(value, 'u');
      return value;
    } catch {
      this.#notes.add(
        `The pattern ${cut(value, 100)} is left out, because it is not a JavaScript expression.`,
      );
      return undefined;
    }
  }

  /** A JSON value; undefined if it is too large, since a part of it would mean something else. */
  #json(value: unknown, level: number): unknown {
    const count = countOf(value, level, maxValues - this.#values);
    if (count === Infinity) {
      this.#notes.add(tooLarge);
      return undefined;
    }
    this.#values += count;
    return value ?? null;
  }
}

/** The number of values in a JSON value; infinite if there are more than `max`, or if it is nested too deeply. */
function countOf(value: unknown, level: number, max: number): number {
  if (level > maxLevels || max < 1) return Infinity;
  let count = 1;
  for (const item of typeof value === 'object' && value !== null ? Object.values(value) : [])
    count += countOf(item, level + 1, max - count);
  return count;
}

function typeOf(value: unknown): unknown {
  if (value === 'file') return 'string';
  if (Array.isArray(value)) {
    const known = [...new Set(value)].filter((one) => types.has(String(one)));
    return known.length === 0 ? undefined : known.length === 1 ? known[0] : known;
  }
  return typeof value === 'string' && types.has(value) ? value : undefined;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isFinite(value);
}

/** Before 3.1, `exclusiveMinimum: true` said how `minimum` is meant. */
function exclusive(value: Fields, schema: Fields): Record<string, unknown> {
  const { minimum, maximum, ...rest } = schema;
  return {
    ...rest,
    ...(minimum !== undefined && {
      [value.exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum,
    }),
    ...(maximum !== undefined && {
      [value.exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum,
    }),
  };
}

/** Before 3.1, `nullable: true` allowed null. */
function nullable(value: Fields, schema: Record<string, unknown>): Fields {
  if (value.nullable !== true && value['x-nullable'] !== true) return schema;
  const { type } = schema;
  if (typeof type === 'string' && type !== 'null') schema.type = [type, 'null'];
  else if (type === undefined && Object.keys(schema).some((key) => /Of$|^\$ref$/.test(key)))
    return { anyOf: [schema, { type: 'null' }] };
  const choices: unknown[] = Array.isArray(schema.enum) ? schema.enum : [null];
  if (!choices.includes(null)) schema.enum = [...choices, null];
  return schema;
}
