/** Infers a JSON Schema from values: the names and types that they have in common, and never a value. */

import { isObject, parsedJson } from './guards.ts';
import type { Json, JsonObject, JsonText } from './json.ts';

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

/** A logged run. */
export interface ObservedRun {
  readonly arguments: JsonText;
  /** The value that it returned. */
  readonly value: JsonText;
}

/**
 * Returns the schema of what the runs returned; null if that says nothing about a list or an object.
 * @param code the code of the tool. Keys that are data are not in it, so an object with only such keys is a map.
 */
export function inferredSchema(runs: readonly ObservedRun[], code: string): JsonObject | null {
  const given = new Set<string>();
  const shape = new Shape();
  const room = { visited: maxVisited };
  for (const { arguments: args, value } of runs) {
    addStrings(parsedJson(args), given);
    const parsed = parsedJson(value);
    if (parsed !== undefined) shape.add(parsed as Json, 0, room);
  }
  const names = new Set(code.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? []);
  const schema = shape.schema({ given, names, nodes: maxNodes });
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
  #objects = 0;
  readonly #members = new Map<string, { readonly shape: Shape; count: number }>();
  /** Whether objects had more names than are kept, as only maps have. */
  #hasMore = false;
  #items: Shape | null = null;

  get isNested(): boolean {
    return this.#types.has('array') || this.#types.has('object');
  }

  add(value: Json, depth: number, room: { visited: number }): void {
    room.visited -= 1;
    if (room.visited < 0) return;
    this.#types.add(typeOf(value));
    if (depth === maxDepth) return;
    if (Array.isArray(value)) {
      this.#items ??= new Shape();
      for (const item of value.slice(0, maxItems)) this.#items.add(item, depth + 1, room);
    } else if (isObject(value)) {
      this.#objects += 1;
      for (const [key, member] of Object.entries(value).slice(0, maxItems)) {
        const known = this.#members.get(key);
        if (known !== undefined) known.count += 1;
        else if (this.#members.size === maxMembers) this.#hasMore = true;
        const { shape } = known ?? this.#addMember(key);
        shape.add(member, depth + 1, room);
      }
    }
  }

  #addMember(key: string): { readonly shape: Shape } {
    // The values of a map have one shape. Further ones add to that of the first.
    const shape = this.#hasMore ? [...this.#members.values()][0]?.shape : undefined;
    const member = { shape: shape ?? new Shape(), count: 1 };
    if (shape === undefined) this.#members.set(key, member);
    return member;
  }

  schema(known: Known): JsonObject {
    known.nodes -= 1;
    if (known.nodes < 0) return {};
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

  #membersSchema(known: Known): JsonObject {
    const others = this.#dataKeys(known);
    const named = [...this.#members].filter(([key]) => !others.has(key));
    const required = named.filter(([, { count }]) => count === this.#objects).map(([key]) => key);
    const rest = new Shape();
    for (const key of others) {
      const member = this.#members.get(key);
      if (member !== undefined) rest.#take(member.shape);
    }
    const properties = named.map(([key, { shape }]) => [key, shape.schema(known)] as const);
    return {
      ...(named.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 || this.#objects < minForRequired ? {} : { required }),
      ...(others.size === 0 ? {} : { additionalProperties: rest.schema(known) }),
    };
  }

  /** The keys that are data, such as names of users, and not names that the tool has chosen. When in doubt, a key is data. */
  #dataKeys({ given, names }: Known): ReadonlySet<string> {
    const keys = [...this.#members.keys()];
    if (this.#hasMore) return new Set(keys);
    const others = keys.filter((key) => !names.has(key));
    const types = others.map((key) => {
      const member = this.#members.get(key);
      return member === undefined ? '' : [...member.shape.#types].sort().join();
    });
    const isData =
      new Set(types).size < 2 ||
      others.some(
        (key) =>
          !/^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u.test(key) ||
          given.has(key) ||
          this.#members.get(key)?.count !== this.#objects,
      );
    // @mutant keys that are data stay out of a schema => isData -> false [src/runtime/spec/inferred-schema.test.ts]
    return new Set(isData ? others : []);
  }

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

function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'object' | 'string';
}

function addStrings(value: unknown, found: Set<string>): void {
  const left: unknown[] = [value];
  for (let next = left.pop(); left.length + found.size < maxGiven; next = left.pop()) {
    if (typeof next === 'string') found.add(next);
    else if (typeof next === 'object' && next !== null)
      for (const [key, member] of Object.entries(next)) {
        // The keys of an object in a list of arguments may be data as well, those of the arguments are not.
        if (next !== value) found.add(key);
        left.push(member);
      }
    if (left.length === 0) return;
  }
}
