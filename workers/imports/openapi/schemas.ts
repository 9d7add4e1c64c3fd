/**
 * Turns the schemas of a document into JSON Schema 2020-12 for the parameters of one tool. References stay: each schema
 * that is referred to becomes one of the tool’s `$defs`.
 */

import {
  asFields,
  isRecord,
  isStrings,
  stringsIn,
  type Fields,
} from '../../../src/runtime/spec/guards.ts';
import { isPattern } from '../../../src/runtime/spec/schema-walk.ts';
import { cut, FreeNames, plainText } from '../python-text.ts';
import { isCircle, isReadOnly, resolveReference, valueAt } from './references.ts';

/** Schemas in schemas; each takes two levels of JSON, of which Cloche accepts 64. */
const maxLevels = 26;
/** Values in the schemas of one tool; Cloche accepts 50,000 in a spec. */
const maxValues = 20_000;
const maxDefinitions = 500;
/** Limit of the properties and members of an `allOf` that are searched for read-only ones. */
const maxJoined = 1_000;
const maxJoinedLevels = 5;
/** Limit of an example, in characters: the form and models need no long ones. */
const maxExample = 1_000;
const maxExamples = 5;

const tooLarge = 'A part of its schema is left out, because the schema is too large.';

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/** Keywords that say nothing about which values are valid. */
const annotations = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);
/** Keywords that may refuse null, whatever the type is. */
const refusing = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const'];
const none: ReadonlySet<string> = new Set();

type Schema = boolean | Fields;

/** The schemas of one tool. */
export class Schemas {
  readonly #document: unknown;
  /** Names of definitions by their references. */
  readonly #names = new Map<string, string>();
  readonly #free = new FreeNames();
  readonly #definitions = new Map<string, Schema>();
  readonly #notes: Set<string>;
  /** Descriptions are cut to this length; 0 leaves them out. */
  readonly #maxText: number;
  /** Whether the document is an OpenAPI document, and whether its version is before 3.1. */
  readonly #isApi: boolean;
  readonly #isOld: boolean;
  #values = 0;

  /** @param notes receives what cannot be expressed */
  constructor(document: unknown, notes: Set<string>, maxText: number) {
    this.#document = document;
    this.#notes = notes;
    this.#maxText = maxText;
    const { openapi, swagger } = asFields(document);
    this.#isApi = openapi !== undefined || swagger !== undefined;
    this.#isOld = swagger !== undefined || /^3(?:\.0|$)/.test(plainText(openapi));
  }

  /** The definitions to which the converted schemas refer. */
  get definitions(): Readonly<Record<string, Schema>> {
    return Object.fromEntries(this.#definitions);
  }

  /** @param unsent names that the schema has in another member of its `allOf`, where they are read-only */
  convert(value: unknown, level = 0, unsent = none): Schema {
    if (typeof value === 'boolean') return value;
    if (!isRecord(value) || Array.isArray(value)) return {};
    this.#values += 1;
    if (level > maxLevels || this.#values > maxValues) {
      this.#notes.add(tooLarge);
      return {};
    }
    if (typeof value.$ref === 'string') return this.#reference(value.$ref, value, level);
    const own = this.#isApi ? readOnlyNames(this.#document, value) : none;
    const omitted = new Set([...unsent, ...own]);
    return nullable(value, exclusive(value, this.#keywords(value, level, omitted)));
  }

  #keywords(value: Fields, level: number, unsent: ReadonlySet<string>): Fields {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => {
        const converted = this.#keyword(key, item, level + 1, unsent);
        if (converted === undefined || (key === 'example' && 'examples' in value)) return [];
        return [[key === 'example' ? 'examples' : key, converted]];
      }),
    );
  }

  #reference(reference: string, value: Fields, level: number): Schema {
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
    // Before 3.1, a reference replaces everything beside it, but many documents put a description or `nullable` there.
    const beside = Object.entries(value).filter(
      ([key]) => key !== '$ref' && (!this.#isOld || annotations.has(key)),
    );
    const own = this.#keywords(Object.fromEntries(beside), level, none);
    return nullable(value, { $ref: `#/$defs/${name}`, ...own });
  }

  #define(reference: string, target: unknown): string | null {
    if (this.#names.size >= maxDefinitions) {
      this.#notes.add(tooLarge);
      return null;
    }
    const last = reference.split('/').at(-1) ?? '';
    const plain = last.replace(/[^A-Za-z\d_.-]+/g, '_').slice(0, 80);
    const name = this.#free.take(plain === '' ? 'schema' : plain);
    this.#names.set(reference, name);
    // Set first, so that the definitions are in the order of their names’ first use.
    this.#definitions.set(name, {});
    this.#definitions.set(name, this.convert(target));
    return name;
  }

  /** The value of a keyword in the new schema; undefined if it has none there. */
  #keyword(key: string, value: unknown, level: number, unsent: ReadonlySet<string>): unknown {
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
      case 'example':
        return this.#examples([value], level);
      case 'examples':
        return Array.isArray(value) ? this.#examples(value, level) : undefined;
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
      case 'required': {
        const names = isStrings(value) ? value.filter((name) => !unsent.has(name)) : [];
        return names.length > 0 ? [...new Set(names)] : undefined;
      }
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
        return Array.isArray(value) && value.length > 0
          ? value.map((item) => this.convert(item, level, unsent))
          : undefined;
      case 'anyOf':
      case 'oneOf':
      case 'prefixItems':
        return Array.isArray(value) && value.length > 0 ? value.map(schema) : undefined;
      case 'properties':
      case 'patternProperties':
      case 'dependentSchemas': {
        if (!isRecord(value) || Array.isArray(value)) return undefined;
        const omitted = key === 'properties' ? unsent : none;
        const members = Object.entries(value).filter(
          ([name]) =>
            !omitted.has(name) &&
            (key !== 'patternProperties' || this.#pattern(name) !== undefined),
        );
        return Object.fromEntries(members.map(([name, item]) => [name, schema(item)]));
      }
      default:
        return undefined;
    }
  }

  /** Short examples; none where descriptions are shortened, too. */
  #examples(values: readonly unknown[], level: number): unknown {
    if (this.#maxText < maxExample) return undefined;
    const short = values
      .slice(0, maxExamples)
      .filter(
        (value) => countOf(value, level, maxExample) < maxExample && jsonChars(value) <= maxExample,
      );
    return short.length === 0 ? undefined : this.#json(short, level);
  }

  #pattern(value: unknown): string | undefined {
    if (typeof value !== 'string' || value.length > 2_000) return undefined;
    if (isPattern(value)) return value;
    this.#notes.add(
      `The pattern ${cut(value, 100)} is left out, because it is not a JavaScript regular expression.`,
    );
    return undefined;
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
    const known = [...new Set(stringsIn(value))].filter((one) => types.has(one));
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
function nullable(value: Fields, schema: Fields): Fields {
  if (value.nullable !== true && value['x-nullable'] !== true) return schema;
  if (refusing.some((key) => key in schema)) return orNull(schema);
  const { type } = schema;
  const kinds: unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const choices: unknown[] = Array.isArray(schema.enum) ? schema.enum : [null];
  return {
    ...schema,
    ...(kinds.length > 0 && !kinds.includes('null') && { type: [...kinds, 'null'] }),
    ...(!choices.includes(null) && { enum: [...choices, null] }),
  };
}

function orNull(schema: Fields): Fields {
  const own = Object.entries(schema);
  const inner = Object.fromEntries(own.filter(([key]) => !annotations.has(key)));
  const { anyOf, ...rest } = inner;
  const isUnion = Array.isArray(anyOf) && Object.keys(rest).length === 0;
  const alternatives: unknown[] = isUnion ? anyOf : [inner];
  return {
    ...Object.fromEntries(own.filter(([key]) => annotations.has(key))),
    anyOf: [...alternatives, { type: 'null' }],
  };
}

/** The read-only properties of an object, also in members of its `allOf`: requests leave them out, even if they are required. */
function readOnlyNames(document: unknown, schema: Fields): Set<string> {
  const names = new Set<string>();
  let searched = 0;
  const search = (given: unknown, level: number): void => {
    const part = level === 0 ? schema : resolveReference(document, given);
    searched += 1;
    if (part === null || level > maxJoinedLevels || searched > maxJoined) return;
    const { properties, allOf } = part;
    for (const [name, property] of Object.entries(asFields(properties))) {
      searched += level === 0 ? 0 : 1;
      if (searched > maxJoined) return;
      if (isReadOnly(document, property)) names.add(name);
    }
    if (Array.isArray(allOf)) for (const each of allOf.slice(0, maxJoined)) search(each, level + 1);
  };
  search(schema, 0);
  return names;
}

/** Length of the value as JSON. */
export function jsonChars(value: unknown): number {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? String(item) : item,
  ).length;
}
