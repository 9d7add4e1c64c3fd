/** Infers a JSON Schema from values: the names and types that they have in common, and never a value. */

import type { ObservedRun } from './call.ts';
import { isObject, parseJson } from './guards.ts';
import type { Json, JsonObject } from './json.ts';

/** Limits of what is looked at, and of the schema. */
const maxDepth = 6;
const maxVisited = 200_000;
const maxItems = 1_000;
const maxMembers = 50;
const maxNodes = 300;
/** Values at one place from which on a member that all have counts as required. */
const minForRequired = 3;
/** Strings of arguments that are compared with keys. */
const maxGiven = 10_000;

/**
 * Returns the schema of what the runs returned; null if that says nothing about a list or an object.
 * @param code the code of the tool. Keys that are data are not in it, so an object with only such keys is a map.
 */
export function inferSchema(runs: readonly ObservedRun[], code: string): JsonObject | null {
  const argumentStrings = new Set<string>();
  const shape = new Shape();
  const budget = { values: maxVisited };
  for (const { arguments: args, value } of runs) {
    addStrings(parseJson(args), argumentStrings);
    const parsed = parseJson(value);
    if (parsed !== undefined) shape.add(parsed as Json, 0, budget);
  }
  const names = new Set(code.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? []);
  const schema = shape.schema({ given: argumentStrings, names, nodes: maxNodes });
  return shape.isNested ? schema : null;
}

interface Known {
  /** Strings in the arguments of the runs. */
  readonly given: ReadonlySet<string>;
  /** Words of the tool's code. */
  readonly names: ReadonlySet<string>;
  /** Number of schemas that may still be written. */
  nodes: number;
}

type TypeName = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/** All values that were found at one place. */
class Shape {
  readonly #types = new Set<TypeName>();
  /** Number of objects among the values. */
  #objects = 0;
  /** The members of the objects by name; `count` is the number of objects that have the member. */
  readonly #members = new Map<string, { readonly shape: Shape; count: number }>();
  /** Whether objects had more names than are kept, as only maps have. */
  #hasMore = false;
  #items: Shape | null = null;

  get isNested(): boolean {
    return this.#types.has('array') || this.#types.has('object');
  }

  /** Adds a value. @param budget the number of values that are still looked at, counted down */
  add(value: Json, depth: number, budget: { values: number }): void {
    budget.values -= 1;
    if (budget.values < 0) return;
    this.#types.add(typeOf(value));
    if (depth === maxDepth) return;
    if (Array.isArray(value)) {
      this.#items ??= new Shape();
      for (const item of value.slice(0, maxItems)) this.#items.add(item, depth + 1, budget);
    } else if (isObject(value)) {
      this.#objects += 1;
      for (const [key, member] of Object.entries(value).slice(0, maxItems))
        this.#shapeOfMember(key).add(member, depth + 1, budget);
    }
  }

  /** Counts a member of one more object. @returns the shape to which its value belongs */
  #shapeOfMember(key: string): Shape {
    const known = this.#members.get(key);
    if (known !== undefined) {
      known.count += 1;
      return known.shape;
    }
    this.#hasMore ||= this.#members.size === maxMembers;
    // The values of a map have one shape, so those of names that are not kept belong to that of the first name.
    const [first] = this.#hasMore ? this.#members.values() : [];
    if (first !== undefined) return first.shape;
    const shape = new Shape();
    this.#members.set(key, { shape, count: 1 });
    return shape;
  }

  /** Returns the schema that the values fit; `{}` once the schema has as many nodes as it may have. */
  schema(known: Known): JsonObject {
    known.nodes -= 1;
    if (known.nodes < 0) return {};
    // Every integer is also a number.
    const types = [...this.#types].filter(
      (type) => type !== 'integer' || !this.#types.has('number'),
    );
    const [only] = types;
    if (only === undefined) return {};
    const items = this.#items?.schema(known) ?? {};
    return {
      type: types.length === 1 ? only : types.sort(),
      ...(Object.keys(items).length > 0 ? { items } : {}),
      ...(this.#members.size === 0 ? {} : this.#membersSchema(known)),
    };
  }

  /** The keywords about members: those with names, and what all members whose keys are data have in common. */
  #membersSchema(known: Known): JsonObject {
    const dataKeys = this.#dataKeys(known);
    const named = [...this.#members].filter(([key]) => !dataKeys.has(key));
    const required = named.filter(([, { count }]) => count === this.#objects).map(([key]) => key);
    const others = new Shape();
    for (const [key, { shape }] of this.#members) if (dataKeys.has(key)) others.#take(shape);
    const properties = named.map(([key, { shape }]) => [key, shape.schema(known)] as const);
    return {
      ...(named.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 || this.#objects < minForRequired ? {} : { required }),
      ...(dataKeys.size === 0 ? {} : { additionalProperties: others.schema(known) }),
    };
  }

  /** The keys that are data, such as names of users, and not names that the tool has chosen. When in doubt, a key is data. */
  #dataKeys({ given, names }: Known): ReadonlySet<string> {
    if (this.#hasMore) return new Set(this.#members.keys());
    // Names in the code were chosen by the tool. The others are names only if each looks like one, is in every object
    // and in no argument, and not all have values of the same types.
    const others = [...this.#members].filter(([key]) => !names.has(key));
    const types = others.map(([, { shape }]) => [...shape.#types].sort().join());
    const isData =
      new Set(types).size < 2 ||
      others.some(
        ([key, { count }]) => !isNameLike(key) || given.has(key) || count !== this.#objects,
      );
    // @mutant keys that are data stay out of a schema => isData -> false [src/runtime/spec/inferred-schema.test.ts]
    return new Set(isData ? others.map(([key]) => key) : []);
  }

  /** Adds the values of another shape. */
  #take(other: Shape): void {
    for (const type of other.#types) this.#types.add(type);
    this.#objects += other.#objects;
    this.#hasMore ||= other.#hasMore;
    if (other.#items !== null) (this.#items ??= new Shape()).#take(other.#items);
    for (const [key, { shape, count }] of other.#members) {
      const known = this.#members.get(key) ?? { shape: new Shape(), count: 0 };
      known.count += count;
      known.shape.#take(shape);
      this.#members.set(key, known);
    }
  }
}

function isNameLike(key: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u.test(key);
}

function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'object' | 'string';
}

/** Adds the strings in the arguments of a run, and the keys of objects in them. */
function addStrings(args: unknown, found: Set<string>): void {
  const waiting: unknown[] = [args];
  while (waiting.length > 0 && waiting.length + found.size <= maxGiven) {
    const value = waiting.pop();
    if (typeof value === 'string') found.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) {
        // The names of the arguments are not data, unlike keys inside them.
        if (value !== args) found.add(key);
        waiting.push(member);
      }
  }
}
