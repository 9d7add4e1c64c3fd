/** Names the types of JSON Schemas in words, such as `array of string or null`. */

import { Budget } from '../../../../runtime/async/pace.ts';
import { asObject } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import {
  alternativesOf,
  choicesIn,
  memberOf,
  objectOrNull,
  resolveReference,
} from './schema-node.ts';

/** Limit of the listed types of one schema. */
const maxTypes = 12;
/** Limit of the length of lists that are examined. */
const maxListed = 1_000;
/** Limit of one name; characters. */
const maxChars = 400;
const deepest = 4;

/** The names of one document's types. */
export class TypeNames {
  readonly #root: JsonObject;
  readonly #budget: Budget;
  /**
   * Names of known types by depth: alternatives that refer to the same schemas would otherwise
   * multiply at each level.
   */
  readonly #known: readonly Map<JsonObject, string>[] = Array.from(
    { length: deepest + 1 },
    () => new Map<JsonObject, string>(),
  );

  /** @param root the document to which references are relative */
  constructor(root: JsonObject, budget = new Budget()) {
    this.#root = root;
    this.#budget = budget;
  }

  /** The name of a resolved schema's type; `…` once the budget is spent. */
  of(schema: JsonObject, depth = 0): string {
    const known = this.#known[depth]?.get(schema);
    if (known !== undefined) return known;
    // @mutant the budget of a schema is spent by its types => removed
    if (!this.#budget.take(5)) return '…';
    const name = shorten(this.#name(schema, depth));
    // @mutant the types of a schema are named once => removed [src/app/ui/tools/page/schema-rows.test.ts]
    this.#known[depth]?.set(schema, name);
    return name;
  }

  #name(schema: JsonObject, depth: number): string {
    const type = memberOf(schema, 'type');
    if (type === 'array' && depth < deepest) return this.#arrayName(schema, depth);
    if (Array.isArray(type))
      return joinAlternatives(type.slice(0, maxTypes).map(String), type.length);
    if (typeof type === 'string') return type;
    if (Object.hasOwn(schema, 'const')) return 'constant';
    const listed = memberOf(schema, 'enum');
    if (Array.isArray(listed)) return this.#kindsOf(listed);
    // Recursive alternatives would otherwise never end.
    const choices = depth < deepest ? choicesIn(schema, maxTypes) : [];
    if (choices.length === 0) return 'any';
    const names = choices.map((each) => this.#nameOfAny(each, depth));
    return joinAlternatives(names, alternativesOf(schema).length);
  }

  /** The types of the first items, one by one; then that of all others. */
  #arrayName(schema: JsonObject, depth: number): string {
    const listed = memberOf(schema, 'prefixItems');
    const first = Array.isArray(listed)
      ? listed.slice(0, maxTypes).map((item) => this.#nameOfAny(item, depth))
      : [];
    const items = objectOrNull(memberOf(schema, 'items'));
    const others = items === null ? '' : this.#nameOfAny(items, depth);
    if (first.length === 0) return others === '' ? 'array' : `array of ${others}`;
    const more = Array.isArray(listed) && listed.length > maxTypes ? ', …' : '';
    return `array of ${first.join(', ')}${more}${others === '' ? '' : `, then ${others}`}`;
  }

  #nameOfAny(schema: Json, depth: number): string {
    return this.of(resolveReference(asObject(schema), this.#root), depth + 1);
  }

  /** The types of enumerated values, which a schema need not state. */
  #kindsOf(values: readonly Json[]): string {
    const some = values.slice(0, maxListed);
    this.#budget.take(some.length / 50);
    const kinds = new Set(some.map(kindOf));
    return kinds.size === 0 ? 'any' : [...kinds].join(' or ');
  }
}

/** Joins names, which may be alternatives themselves. @param count of all, of which `names` has the first */
function joinAlternatives(names: readonly string[], count: number): string {
  const all = [...new Set(names.flatMap((name) => name.split(' or ')))];
  const words = all.filter((name) => !uncounted.test(name));
  const more = count - names.length;
  // The number of other types is unknown: those of the alternatives may be the same.
  if (words.length < all.length) words.push('others');
  else if (more > 0) words.push(`${more.toLocaleString('en')} more`);
  return words.join(' or ');
}

const uncounted = /^(?:[\d,]+ more|others)$/;

function shorten(name: string): string {
  return name.length > maxChars ? `${name.slice(0, maxChars)}…` : name;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
