/**
 * Reads a tool's JSON Schema for the argument form: follows references, merges `allOf`, and lists alternatives.
 * Each schema is read when it is first shown, with a limit on its cost, so that recursive schemas are safe.
 */

import { Budget } from '../../../async/budget.ts';
import { deeperThan, moreThan } from '../../../spec/depth.ts';
import { exactMember } from '../../../spec/exact-json.ts';
import { asObject, isObject, stringsIn } from '../../../spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../../spec/json.ts';
import { decodedFragment } from '../../../spec/schema-walk.ts';
import { member, resolved } from '../page/schema-node.ts';
import { alternativesOf } from './alternatives.ts';
import { isQuickPattern } from './quick-pattern.ts';

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

export interface Choice {
  readonly text: JsonText;
  readonly label: string;
}

/** What the form needs to know about one schema. */
export interface Shape {
  /** Null if the schema allows all types. */
  readonly types: readonly TypeName[] | null;
  readonly title: string;
  readonly description: string;
  readonly format: string;
  readonly base64: boolean;
  readonly multiline: boolean;
  /** The values of `enum` and `const`; null if the schema does not list them. */
  readonly choices: readonly Choice[] | null;
  readonly default: JsonText | null;
  readonly examples: readonly JsonText[];
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
  /** Schemas of undeclared properties: by pattern of their names (`patterns`), and of the rest (`additional`). */
  readonly patterns: readonly (readonly [string, Json])[];
  readonly additional: Json;
  /** Whether the schema allows additional properties explicitly, not just by default. */
  readonly invitesMore: boolean;
  /** Schemas of the first items by index (`prefix`), and of all further items (`items`). */
  readonly prefix: readonly Json[];
  readonly items: Json;
  readonly minItems: number;
  readonly bounds: Bounds;
  /** The alternatives, each merged with the rest of the schema; null if there are none. */
  readonly branches: (() => readonly Shape[]) | null;
  /** Whether parts of the schema were skipped because it is too large. */
  readonly cut: boolean;
}

export interface Bounds {
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly above: number | null;
  readonly below: number | null;
}

/** Most steps that reading one schema may take. */
const mostSteps = 20_000;
const mostParts = 64;
const mostBranches = 100;
const mostChoices = 10_000;
const mostExamples = 5;
/** Limits of a default or example. */
const mostValues = 2_000;
const deepest = 32;
const mostLabel = 200;
const mostWords = 2_000;
/** Limits of comparing names with patterns: of the comparisons of one form, and of a name. */
const mostMatches = 2_000;
const longestName = 100;

const typeNames: ReadonlySet<string> = new Set<TypeName>([
  ...(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const),
]);
/** Keywords that make alternatives look different in the form. */
const shaping = [
  ...['type', 'properties', 'enum', 'const', 'items', 'prefixItems', '$ref', 'allOf', 'anyOf'],
  ...['oneOf', 'patternProperties', 'additionalProperties', 'title'],
];

/** The shapes of one document's schemas. */
export class FormSchema {
  readonly #root: JsonObject;
  readonly #known = new WeakMap<JsonObject, Shape>();
  /** Schemas of names, by the patterns that they match. */
  readonly #byPattern = new WeakMap<Shape, Map<string, Json>>();
  readonly #matches = new Budget(mostMatches);

  /** @param root the document to which references are relative */
  constructor(root: JsonObject) {
    this.#root = root;
  }

  get root(): Shape {
    return this.shape(this.#root);
  }

  shape(schema: Json): Shape {
    if (!isObject(schema)) return this.#combined([], new Set(), new Budget(mostSteps));
    // A schema that is only a `$ref` shares the cached shape of its target.
    const own = Object.keys(schema).length === 1 ? resolved(schema, this.#root) : schema;
    const known = this.#known.get(own);
    if (known !== undefined) return known;
    const budget = new Budget(mostSteps);
    const shape = this.#combined(this.#parts(own, budget), new Set(), budget);
    this.#known.set(own, shape);
    return shape;
  }

  /** The schema of an object's member; `true` if it is unknown. */
  memberSchema(shape: Shape, name: string): Json {
    const declared = shape.properties.get(name);
    if (declared !== undefined) return declared;
    if (shape.patterns.length === 0) return shape.additional;
    const known = this.#byPattern.get(shape) ?? new Map<string, Json>();
    this.#byPattern.set(shape, known);
    const found = known.get(name) ?? this.#matching(shape, name);
    known.set(name, found);
    return found;
  }

  #matching(shape: Shape, name: string): Json {
    for (const [pattern, schema] of shape.patterns) {
      if (!isQuickPattern(pattern) || name.length > longestName || !this.#matches.take())
        return true;
      if (new RegExp(pattern, 'u').test(name)) return schema;
    }
    return shape.additional;
  }

  itemSchema(shape: Shape, index: number): Json {
    return shape.prefix[index] ?? shape.items;
  }

  /** The schema, the targets of its references and the members of `allOf`, each once. */
  #parts(schema: JsonObject, budget: Budget): JsonObject[] {
    const parts = new Set<JsonObject>();
    const waiting: Json[] = [schema];
    while (waiting.length > 0 && parts.size < mostParts) {
      const next = waiting.shift();
      if (!isObject(next) || parts.has(next) || !budget.take(10)) continue;
      parts.add(next);
      const target = resolved(next, this.#root);
      if (target !== next) waiting.push(target);
      const all = member(next, 'allOf');
      if (Array.isArray(all)) waiting.push(...all.slice(0, mostParts));
    }
    // Spends the budget if parts were skipped, so that the form says that it is incomplete.
    if (waiting.some((left) => isObject(left) && !parts.has(left))) budget.take(mostSteps);
    return [...parts];
  }

  #combined(parts: readonly JsonObject[], taken: ReadonlySet<Json>, budget: Budget): Shape {
    const find = (key: string): readonly [JsonObject, Json] | null => {
      for (const part of parts) {
        const value = member(part, key);
        if (value !== undefined) return [part, value];
      }
      return null;
    };
    const words = (key: string): string => {
      const found = parts
        .map((part) => member(part, key))
        .find((value) => typeof value === 'string');
      return found?.slice(0, mostWords) ?? '';
    };
    const number = (key: string): number | null => {
      const value = find(key)?.[1];
      return typeof value === 'number' ? value : null;
    };
    const unions = parts
      .flatMap((part) => [member(part, 'oneOf'), member(part, 'anyOf')])
      .filter((each) => Array.isArray(each))
      .filter((each) => !taken.has(each) && each.some(isShaping));
    const [union] = unions;
    const properties = propertiesOf(parts, budget);
    const others = find('additionalProperties') ?? find('unevaluatedProperties');
    const types = this.#types(parts, properties.size > 0);
    const choices =
      choicesOf(parts, budget) ?? (union === undefined ? null : constants(union, budget));
    const branches = this.#branches(parts, { union, types, taken, choices });
    const listed = find('items')?.[1];
    const prefix = find('prefixItems')?.[1] ?? listed;
    return {
      types,
      title: words('title'),
      description: words('description'),
      format: words('format'),
      base64: words('contentEncoding') === 'base64' || /^(byte|binary)$/.test(words('format')),
      multiline: /^(textarea|multiline)$|^text\//.test(
        words('format') || words('contentMediaType'),
      ),
      choices,
      default: defaultOf(parts, budget),
      examples: examplesOf(find('examples'), budget),
      properties,
      required: new Set(parts.flatMap((part) => stringsIn(member(part, 'required')))),
      patterns: parts.flatMap((part) =>
        Object.entries(asObject(member(part, 'patternProperties'))),
      ),
      additional: others?.[1] ?? true,
      invitesMore: others !== null && others[1] !== false,
      prefix: Array.isArray(prefix) ? prefix : [],
      items: (Array.isArray(listed) ? find('additionalItems')?.[1] : listed) ?? true,
      minItems: number('minItems') ?? 0,
      bounds: {
        minimum: number('minimum'),
        maximum: number('maximum'),
        above: number('exclusiveMinimum'),
        below: number('exclusiveMaximum'),
      },
      branches,
      cut: budget.isSpent,
    };
  }

  /** The types that all parts allow. Without `type`, a schema with properties is an object, and one with items a list. */
  #types(parts: readonly JsonObject[], hasProperties: boolean): readonly TypeName[] | null {
    const declared = parts
      .map((part) => member(part, 'type'))
      .filter((type) => type !== undefined)
      .map((type) => [type].flat().filter(isTypeName));
    const types = declared.length === 0 ? null : declared.reduce(commonTypes);
    if (types !== null) return types;
    // Anything else under these keywords is no schema, and says nothing.
    const has = (key: string): boolean =>
      parts.some((part) => typeof member(part, key) === 'object');
    if (hasProperties || has('patternProperties') || parts.some(isMap)) return ['object'];
    return has('prefixItems') || has('items') ? ['array'] : null;
  }

  #branches(
    parts: readonly JsonObject[],
    given: Pick<Shape, 'types' | 'choices'> & {
      union: Json[] | undefined;
      taken: ReadonlySet<Json>;
    },
  ): Shape['branches'] {
    const { union, types, taken, choices } = given;
    if (choices !== null) return null;
    let made: readonly Shape[] | undefined;
    if (union !== undefined) {
      const all = new Set([...taken, union]);
      return () =>
        (made ??= alternativesOf(union, mostBranches).map((branch) => {
          const budget = new Budget(mostSteps);
          const own = isObject(branch) ? this.#parts(branch, budget) : [];
          // The branch's own keywords come first.
          const shape = this.#combined([...own, ...parts], all, budget);
          const title = own
            .map((part) => member(part, 'title'))
            .find((each) => typeof each === 'string');
          return { ...shape, title: title ?? refName(branch), default: defaultOf(own, budget) };
        }));
    }
    const several = types?.filter((type) => type !== 'integer' || !types.includes('number')) ?? [];
    if (several.length < 2) return null;
    return () =>
      (made ??= several.map((type) => {
        const shape = this.#combined([{ type }, ...parts], taken, new Budget(mostSteps));
        return { ...shape, types: [type], branches: null, title: '' };
      }));
  }
}

function isTypeName(value: Json): value is TypeName {
  return typeof value === 'string' && typeNames.has(value);
}

/** The types in both lists; `integer` is included in `number`. */
function commonTypes(some: readonly TypeName[], others: readonly TypeName[]): TypeName[] {
  return some.flatMap((type): TypeName[] => {
    if (others.includes(type)) return [type];
    if (type === 'integer' && others.includes('number')) return ['integer'];
    return type === 'number' && others.includes('integer') ? ['integer'] : [];
  });
}

function isShaping(branch: Json): boolean {
  return isObject(branch) && shaping.some((key) => Object.hasOwn(branch, key));
}

function isMap(part: JsonObject): boolean {
  return isObject(member(part, 'additionalProperties'));
}

/** The properties of all parts, including conditional ones. A name that several parts declare must match all of their schemas. */
function propertiesOf(parts: readonly JsonObject[], budget: Budget): Map<string, Json> {
  const found = new Map<string, Json>();
  const add = (declared: Json | undefined, optional: boolean): void => {
    for (const [name, schema] of Object.entries(asObject(declared))) {
      if (!budget.take()) return;
      const before = found.get(name);
      if (before === undefined || before === true) found.set(name, schema);
      else if (!optional && schema !== true && schema !== before)
        found.set(name, { allOf: [before, schema] });
    }
  };
  for (const part of parts) add(member(part, 'properties'), false);
  for (const part of parts) {
    for (const key of ['then', 'else'])
      add(member(asObject(member(part, key)), 'properties'), true);
    for (const key of ['dependentSchemas', 'dependencies'])
      for (const each of Object.values(asObject(member(part, key))))
        add(member(asObject(each), 'properties'), true);
  }
  return found;
}

function choicesOf(parts: readonly JsonObject[], budget: Budget): readonly Choice[] | null {
  let shown: readonly Choice[] | null = null;
  for (const part of parts) {
    const constant = exactMember(part, 'const');
    const listed = member(part, 'enum');
    if (constant === undefined && !Array.isArray(listed)) continue;
    const texts =
      constant !== undefined
        ? [constant]
        : Array.isArray(listed)
          ? textsIn(listed, mostChoices, budget)
          : [];
    const names = member(part, 'enumNames') ?? member(part, 'x-enumNames');
    const labels = Array.isArray(names) ? names : [];
    const own = texts.map((text, index) => choice(text, labels[index]));
    shown = shown === null ? own : withBoth(shown, own);
  }
  // If all choices are strings, they need no quotes to be told apart from other types.
  return shown?.every(({ text }) => text.startsWith('"')) === true
    ? shown.map(({ text, label }) => ({ text, label: unquoted(label) }))
    : shown;
}

function unquoted(label: string): string {
  return /^"[^"\\]+"/.test(label) ? label.replace(/^"([^"\\]+)"/, '$1') : label;
}

function withBoth(some: readonly Choice[], others: readonly Choice[]): readonly Choice[] {
  const texts = new Set(some.map(({ text }) => text));
  return others.filter(({ text }) => texts.has(text));
}

/** The choices of a union whose alternatives are all constants, usually with titles; null for any other union. */
function constants(union: readonly Json[], budget: Budget): readonly Choice[] | null {
  const all = alternativesOf(union, mostChoices).map((branch) => {
    if (!isObject(branch) || !budget.take()) return null;
    const only = Object.keys(branch).every((key) => /^(const|title|description|type)$/.test(key));
    const text = exactMember(branch, 'const');
    return only && text !== undefined ? choice(text, member(branch, 'title')) : null;
  });
  return all.every((each) => each !== null) ? all : null;
}

function choice(text: JsonText, title: Json | undefined): Choice {
  const label = text.slice(0, mostLabel);
  return { text, label: typeof title === 'string' && title !== '' ? `${label} – ${title}` : label };
}

function defaultOf(parts: readonly JsonObject[], budget: Budget): JsonText | null {
  const part = parts.find((each) => Object.hasOwn(each, 'default'));
  const value = part?.default;
  return part === undefined || value === undefined || !isAffordable(value, budget)
    ? null
    : (exactMember(part, 'default') ?? null);
}

function examplesOf(
  found: readonly [JsonObject, Json] | null,
  budget: Budget,
): readonly JsonText[] {
  return found !== null && Array.isArray(found[1]) ? textsIn(found[1], mostExamples, budget) : [];
}

function textsIn(list: Json[], most: number, budget: Budget): readonly JsonText[] {
  return list.slice(0, most).flatMap((value, index) => {
    if (!isAffordable(value, budget)) return [];
    return [exactMember(list, index) ?? ''];
  });
}

function isAffordable(value: Json, budget: Budget): boolean {
  if (typeof value === 'string')
    return value.length <= 100_000 && budget.take(1 + value.length / 500);
  if (typeof value !== 'object' || value === null) return budget.take();
  return budget.take(100) && !moreThan(value, mostValues) && !deeperThan(value, deepest);
}

function refName(branch: Json): string {
  const ref = isObject(branch) ? member(branch, '$ref') : undefined;
  return typeof ref === 'string' ? decodedFragment(ref.split('/').at(-1) ?? '') : '';
}
