/**
 * Reads a tool's JSON Schema for the argument form: follows references, merges `allOf`, and lists alternatives.
 * Each schema is read when it is first shown, with a limit on its cost, so that recursive schemas are safe.
 */

import { Budget } from '../../../../runtime/async/pace.ts';
import { asObject, isObject, stringsIn } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../../../runtime/spec/json.ts';
import { decodeFragment } from '../../../../runtime/spec/schema-walk.ts';
import { memberOf, resolveReference } from '../page/schema-node.ts';
import {
  alternativesOf,
  type Choice,
  choicesOf,
  defaultOf,
  examplesOf,
  readConstants,
} from './schema-choices.ts';
import {
  commonTypes,
  isTextOfType,
  isTypeName,
  type JsonValue,
  type TypeName,
} from './json-value.ts';
import {
  findAddedSchemas,
  isConditional,
  type Need,
  needsOf,
  propertiesOf,
} from './schema-properties.ts';
import { isQuickPattern } from './schema-match.ts';

/**
 * The facts about one schema that the form needs, with its references and its `allOf` already followed. If the schema has
 * conditions, {@link FormSchema.shapeFor} gives its shape for a value.
 */
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
  /** Names of which the object must have some, beside the required ones. */
  readonly needs: readonly Need[];
  /** Schemas of undeclared properties: by pattern of their names (`patterns`), and of the rest (`additional`). */
  readonly patterns: readonly (readonly [string, Json])[];
  readonly additional: Json;
  /** Whether the schema allows additional properties explicitly, not just by default. */
  readonly invitesMore: boolean;
  /** Schemas of the first items by index (`prefix`), and of all further items (`items`). */
  readonly prefix: readonly Json[];
  readonly items: Json;
  readonly minItems: number;
  /** The alternatives, each merged with the rest of the schema; null if there are none. */
  readonly branches: (() => readonly Shape[]) | null;
  /** Whether parts of the schema were skipped because it is too large. */
  readonly cut: boolean;
}

/** Returns whether the form of an object of this shape has a field of this name, with or without a value. */
export function hasField({ properties, required }: Shape, name: string): boolean {
  const declared = properties.get(name) ?? required.has(name);
  // The schema `false` allows no value.
  return declared !== false;
}

/** What the shape of a schema with conditions was made from, so that its variants can be made too. */
interface Source {
  /** The schemas that the shape merges: the schema itself, the targets of its references, and the members of `allOf`. */
  readonly parts: readonly JsonObject[];
  /** Unions whose alternative is already chosen. */
  readonly taken: ReadonlySet<Json>;
  /** Changes every variant as the shape itself was changed. */
  readonly finish: (shape: Shape) => Shape;
  /** The shapes that were made with schemas which conditions have added. */
  readonly variants: { readonly added: readonly JsonObject[]; readonly shape: Shape }[];
}

/** Maximum number of steps that reading one schema may take. */
// @mutant the budget of reading a schema for a form => 20_000 -> 2_000_000_000
const maxSteps = 20_000;
const maxParts = 64;
const maxBranches = 100;
/** Maximum number of alternatives that are compared with those of a second union. */
const maxPaired = 10;
/** Maximum number of variants of one shape that are kept, one for each outcome of its conditions. */
const maxVariants = 20;
const maxWords = 2_000;
/** Limits of comparing names with patterns: of the comparisons of one form, and of a name. */
// @mutant names are compared with patterns a limited number of times => 2_000 -> 2_000_000_000
//   [src/app/ui/tools/forms/schema-match.test.ts]
const maxMatches = 2_000;
const longestName = 100;

/** Keywords that make alternatives look different in the form. */
const shaping = [
  'type',
  'properties',
  'enum',
  'const',
  'items',
  'prefixItems',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'patternProperties',
  'additionalProperties',
  'title',
];

/** The shapes of one document's schemas. */
export class FormSchema {
  readonly #root: JsonObject;
  #whole: Shape | undefined;
  readonly #known = new WeakMap<JsonObject, Shape>();
  readonly #sources = new WeakMap<Shape, Source>();
  /** Schemas of names, by the patterns that they match. */
  readonly #byPattern = new WeakMap<Shape, Map<string, Json>>();
  readonly #matches = new Budget(maxMatches);

  /** @param root the document to which references are relative */
  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Arguments are always an object: alternatives of other types are left out. */
  get root(): Shape {
    if (this.#whole !== undefined) return this.#whole;
    const budget = new Budget(maxSteps);
    const parts = [{ type: 'object' }, ...this.#parts(this.#root, budget)];
    return (this.#whole = this.#makeShape(parts, new Set(), budget));
  }

  shape(schema: Json): Shape {
    if (!isObject(schema)) return this.#makeShape([], new Set());
    // A schema that is only a `$ref` shares the cached shape of its target.
    const resolved =
      Object.keys(schema).length === 1 ? resolveReference(schema, this.#root) : schema;
    const known = this.#known.get(resolved);
    if (known !== undefined) return known;
    const budget = new Budget(maxSteps);
    const shape = this.#makeShape(this.#parts(resolved, budget), new Set(), budget);
    this.#known.set(resolved, shape);
    return shape;
  }

  /** The shape of a schema for this value: with what conditions such as `if` and `dependentSchemas` add for it. */
  shapeFor(shape: Shape, value: JsonValue | undefined): Shape {
    const source = this.#sources.get(shape);
    if (source === undefined || value === undefined) return shape;
    const budget = new Budget(maxSteps);
    const parts = new Set(source.parts);
    // The set grows during the loop, because a condition can add further conditions.
    for (const part of parts)
      if (isConditional(part) && parts.size < maxParts)
        for (const schema of findAddedSchemas(part, value, this.#root))
          for (const each of this.#parts(schema, budget)) parts.add(each);
    if (parts.size === source.parts.length) return shape;
    const added = [...parts].slice(source.parts.length);
    const known = source.variants.find(
      (each) =>
        each.added.length === added.length && each.added.every((one, at) => one === added[at]),
    );
    if (known !== undefined) return known.shape;
    const variant = source.finish(this.#combine([...parts], source.taken, budget));
    source.variants.unshift({ added, shape: variant });
    source.variants.length = Math.min(source.variants.length, maxVariants);
    return variant;
  }

  /** The schema of an object's member; `true` if it is unknown. */
  memberSchema(shape: Shape, name: string): Json {
    const declared = shape.properties.get(name);
    if (declared !== undefined) return declared;
    if (shape.patterns.length === 0) return shape.additional;
    const known = this.#byPattern.get(shape) ?? new Map<string, Json>();
    this.#byPattern.set(shape, known);
    const found = known.get(name) ?? this.#schemaByPattern(shape, name);
    known.set(name, found);
    return found;
  }

  #schemaByPattern(shape: Shape, name: string): Json {
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
    while (waiting.length > 0 && parts.size < maxParts) {
      const next = waiting.shift();
      if (!isObject(next) || parts.has(next) || !budget.take(10)) continue;
      parts.add(next);
      const target = resolveReference(next, this.#root);
      if (target !== next) waiting.push(target);
      const all = memberOf(next, 'allOf');
      if (Array.isArray(all)) waiting.push(...all.slice(0, maxParts));
    }
    // Spends the budget if parts were skipped, so that the form says that it is incomplete.
    if (waiting.some((part) => isObject(part) && !parts.has(part))) budget.take(maxSteps);
    return [...parts];
  }

  /** Remembers a shape with its parts if some of them have conditions. */
  #makeShape(
    parts: readonly JsonObject[],
    taken: ReadonlySet<Json>,
    budget = new Budget(maxSteps),
    finish = (shape: Shape): Shape => shape,
  ): Shape {
    const shape = finish(this.#combine(parts, taken, budget));
    if (parts.some(isConditional)) this.#sources.set(shape, { parts, taken, finish, variants: [] });
    return shape;
  }

  #combine(parts: readonly JsonObject[], taken: ReadonlySet<Json>, budget: Budget): Shape {
    /** The value of a keyword in the first part that has it. */
    const find = (key: string): Json | undefined => {
      for (const part of parts) {
        const value = memberOf(part, key);
        if (value !== undefined) return value;
      }
      return undefined;
    };
    const textOf = (key: string): string => {
      const found = parts
        .map((part) => memberOf(part, key))
        .find((value) => typeof value === 'string');
      return found?.slice(0, maxWords) ?? '';
    };
    const numberOf = (key: string): number | null => {
      const value = find(key);
      return typeof value === 'number' ? value : null;
    };
    const unions = parts
      .flatMap((part) => [memberOf(part, 'oneOf'), memberOf(part, 'anyOf')])
      .filter((each) => Array.isArray(each));
    const union = unions.find((each) => !taken.has(each) && each.some(isShaping));
    const properties = propertiesOf(parts, budget);
    const others = parts.some((part) => memberOf(part, 'additionalProperties') === false)
      ? false
      : (find('additionalProperties') ?? find('unevaluatedProperties'));
    const types = this.#types(parts, properties.size > 0);
    const listedChoices =
      choicesOf(parts, budget) ?? (union === undefined ? null : readConstants(union, budget));
    const choices = listedChoices === null ? null : withTypes(listedChoices, types);
    const branches = this.#branches(parts, { union, types, taken, choices });
    const listed = find('items');
    const prefix = find('prefixItems') ?? listed;
    return {
      types,
      title: textOf('title'),
      description: textOf('description'),
      format: textOf('format'),
      base64: textOf('contentEncoding') === 'base64' || /^(byte|binary)$/.test(textOf('format')),
      multiline: /^(textarea|multiline)$|^text\//.test(
        textOf('format') || textOf('contentMediaType'),
      ),
      choices,
      default: defaultOf(parts, budget),
      examples: examplesOf(find('examples'), budget),
      properties,
      required: new Set(parts.flatMap((part) => stringsIn(memberOf(part, 'required')))),
      needs: needsOf(unions.filter((each) => !each.some(isShaping))),
      patterns: parts.flatMap((part) =>
        Object.entries(asObject(memberOf(part, 'patternProperties'))),
      ),
      additional: others ?? true,
      invitesMore: others !== undefined && others !== false,
      prefix: Array.isArray(prefix) ? prefix : [],
      items: (Array.isArray(listed) ? find('additionalItems') : listed) ?? true,
      minItems: numberOf('minItems') ?? 0,
      branches,
      cut: budget.isSpent,
    };
  }

  /** The types that all parts allow. Without `type`, a schema with properties is an object, and one with items a list. */
  #types(parts: readonly JsonObject[], hasProperties: boolean): readonly TypeName[] | null {
    const declared = parts
      .map((part) => memberOf(part, 'type'))
      .filter((type) => type !== undefined)
      .map((type) => [type].flat().filter(isTypeName));
    const types = declared.length === 0 ? null : declared.reduce(commonTypes);
    if (types !== null) return types;
    // Anything else under these keywords is no schema, and says nothing.
    const has = (key: string): boolean =>
      parts.some((part) => typeof memberOf(part, key) === 'object');
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
    let branches: readonly Shape[] | undefined;
    if (union !== undefined) {
      const all = new Set([...taken, union]);
      return () =>
        (branches ??= possibleBranches(
          alternativesOf(union, maxBranches).map((branch) => {
            const budget = new Budget(maxSteps);
            const branchParts = isObject(branch) ? this.#parts(branch, budget) : [];
            const title = branchParts
              .map((part) => memberOf(part, 'title'))
              .find((each) => typeof each === 'string');
            // The branch's own keywords come first.
            return this.#makeShape([...branchParts, ...parts], all, budget, (shape) => ({
              ...shape,
              title: title ?? refName(branch),
              default: defaultOf(branchParts, new Budget(maxSteps)),
            }));
          }),
        ));
    }
    const several = types?.filter((type) => type !== 'integer' || !types.includes('number')) ?? [];
    if (several.length < 2) return null;
    return () =>
      (branches ??= several.map((type) =>
        this.#makeShape([{ type }, ...parts], taken, new Budget(maxSteps), (shape) => ({
          ...shape,
          types: [type],
          branches: null,
          title: '',
        })),
      ));
  }
}

/**
 * The alternatives that some value can match. If there is none, all are kept, and the check of the arguments gives the
 * reason.
 */
function possibleBranches(branches: readonly Shape[]): readonly Shape[] {
  const fitting = branches.filter(
    (branch) => !isImpossible(branch, { deeper: branches.length <= maxPaired }),
  );
  return fitting.length === 0 ? branches : fitting;
}

/** @param options.deeper whether to try the alternatives of another union, which must match too */
function isImpossible(
  { types, choices, branches }: Shape,
  { deeper }: { deeper: boolean },
): boolean {
  if (types?.length === 0 || choices?.length === 0) return true;
  if (choices?.slice(0, maxPaired).every(({ text }) => !isTextOfType(text, types))) return true;
  return deeper && (branches?.().every((each) => isImpossible(each, { deeper: false })) ?? false);
}

/** The choices that the types allow. If there are none, all are kept, and the check of the arguments gives the reason. */
function withTypes(choices: readonly Choice[], types: Shape['types']): readonly Choice[] {
  const fitting = choices.filter(({ text }) => isTextOfType(text, types));
  return fitting.length === 0 ? choices : fitting;
}

function isShaping(branch: Json): boolean {
  return isObject(branch) && shaping.some((key) => Object.hasOwn(branch, key));
}

function isMap(part: JsonObject): boolean {
  return isObject(memberOf(part, 'additionalProperties'));
}

function refName(branch: Json): string {
  const ref = isObject(branch) ? memberOf(branch, '$ref') : undefined;
  if (typeof ref !== 'string') return '';
  // The name of an anchor stands behind the sign; the whole document has no name.
  return decodeFragment((ref.split('/').at(-1) ?? '').replace(/^.*#/, ''));
}
