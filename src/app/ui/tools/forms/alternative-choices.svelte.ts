/**
 * What a form remembers besides its text: which alternative of each union is shown, and values that it left out because they
 * no longer apply. A choice stays until the user changes it, even if the value that is being typed would fit another
 * alternative better.
 */

import { dependOn } from '../../parts/depend-on.ts';
import { type ArgumentPath, toPointer } from './argument-place.ts';
import type { Draft } from './draft.svelte.ts';
import type { FormSchema, Shape } from './form-schema.ts';
import type { JsonValue } from './json-value.ts';
import { branchOf } from './fitting-alternative.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';

/** A control that chooses between alternatives. */
export interface Chooser {
  /** Nesting level among the choosers of one value; 0 is the outermost. */
  readonly level: number;
  readonly branches: readonly Shape[];
  readonly index: number;
}

/** The last value of an alternative. Placeholders in its text stand for unfinished values. */
interface LastValue {
  readonly value: JsonValue;
  readonly unfinished: Draft['unfinished'];
}

interface Shown {
  readonly index: number;
  /** The value's text when the alternative was decided; undefined if the value was left out. */
  readonly text: string | undefined;
  readonly revision: number;
}

/** Levels of nested alternatives that get choosers; deeper ones are edited as JSON. */
const maxChoosers = 3;
/** Levels of nested alternatives in all, with those that leave no choice. */
const maxLevels = 10;

const noChoosers: readonly Chooser[] = [];
/** The choices of each draft, which outlive the form on the page. */
const known = new WeakMap<Draft, Alternatives>();

export class Alternatives {
  readonly #schema: FormSchema;
  /** The shown alternatives, by pointer and level. Not reactive, because it only remembers what was shown. */
  #shown = new Map<string, Shown>();
  /** The last value of each alternative that the user has switched away from. */
  #lastValues = new Map<string, LastValue>();
  /**
   * Counts the changes of the text from outside the form. After such a change, a different value may be meant for
   * another alternative.
   */
  #revision = 0;
  /** Counts the user's choices. */
  #choices: number = $state(0);

  private constructor(schema: FormSchema) {
    this.#schema = schema;
  }

  static of(draft: Draft, schema: FormSchema): Alternatives {
    const before = known.get(draft);
    if (before !== undefined && before.#schema === schema) return before;
    const alternatives = new Alternatives(schema);
    known.set(draft, alternatives);
    return alternatives;
  }

  /** The choosers of a value, outermost first, and the shape of the chosen alternative for this value. */
  choosers(
    path: ArgumentPath,
    outermost: Shape,
    value: JsonValue | undefined,
  ): { readonly choosers: readonly Chooser[]; readonly shape: Shape } {
    let shape = this.#schema.shapeFor(outermost, value);
    if (shape.branches === null) return { choosers: noChoosers, shape };
    // Reading the count lets a choice update what is shown, even if the text stays the same.
    dependOn(this.#choices);
    const choosers: Chooser[] = [];
    for (let depth = 0; depth < maxLevels; depth += 1) {
      const branches = shape.branches?.() ?? [];
      const isChoice = branches.length > 1;
      if (branches.length === 0 || (isChoice && choosers.length === maxChoosers)) break;
      const level = choosers.length;
      const index = isChoice ? this.#index(path, level, branches, value) : 0;
      if (isChoice) choosers.push({ level, branches, index });
      const branch = branches[index];
      if (branch === undefined) break;
      shape = this.#schema.shapeFor(branch, value);
    }
    return { choosers, shape };
  }

  /**
   * Shows another alternative.
   * @param current the value that the user switches away from
   * @returns the last value of the chosen alternative
   */
  choose(
    path: ArgumentPath,
    { level, index }: Chooser,
    next: number,
    current: LastValue | undefined,
  ): LastValue | undefined {
    const at = place(path, level);
    if (current !== undefined) this.#lastValues.set(`${at} ${index}`, current);
    // The choices of outer levels stay; all others at this place and inside belong to the former alternative.
    const outer = Array.from({ length: level }, (_, outerLevel) => place(path, outerLevel));
    for (const shown of this.#shown.keys())
      if (isBelow(shown, path) && !outer.includes(shown)) this.#shown.delete(shown);
    const last = this.#lastValues.get(`${at} ${next}`);
    this.#shown.set(at, { index: next, text: last?.value.text, revision: this.#revision });
    this.#choices += 1;
    return last;
  }

  /** Notes that something other than the form has changed the text. */
  textChanged(): void {
    this.#revision += 1;
  }

  /** Forgets the choices of a value and of all values inside it. */
  forget(path: ArgumentPath): void {
    for (const each of this.#shown.keys()) if (isBelow(each, path)) this.#shown.delete(each);
    this.#choices += 1;
  }

  /**
   * Forgets the choices inside a value that is removed, but not the choice of the value itself. Unlike `forget`, it
   * updates nothing on the page: the removal changes the text, which does that.
   */
  forgetBelow(path: ArgumentPath): void {
    for (const each of this.#shown.keys())
      if (each.startsWith(`${toPointer(path)}/`)) this.#shown.delete(each);
  }

  /**
   * Gives what is remembered new keys, because the items of a list have moved.
   * @param to receives a key, which begins with a pointer and `#` with a level, and returns the new key; null if its item
   * was removed
   */
  move(to: (at: string) => string | null): void {
    this.#shown = moveKeys(this.#shown, to);
    this.#lastValues = moveKeys(this.#lastValues, to);
    this.#choices += 1;
  }

  #index(
    path: ArgumentPath,
    level: number,
    branches: readonly Shape[],
    value: JsonValue | undefined,
  ): number {
    const at = place(path, level);
    const before = this.#shown.get(at);
    const stays =
      before !== undefined &&
      before.index < branches.length &&
      (before.revision === this.#revision || before.text === value?.text);
    const index = stays ? before.index : branchOf(this.#schema, branches, value);
    this.#shown.set(at, { index, text: value?.text, revision: this.#revision });
    return index;
  }
}

/** A value that was left out. Placeholders in its text stand for unfinished values. */
interface Dropped {
  readonly text: JsonText;
  readonly unfinished: Draft['unfinished'];
}

/** Values that the form left out because they no longer apply. The form restores them when they apply again. */
export class DroppedValues {
  /** Values by the pointer of their object, and by name. */
  #all: ReadonlyMap<string, ReadonlyMap<string, Dropped>> = $state.raw(new Map());
  /** The version of the text, and that of which the values were left out: values of another version do not count. */
  #textVersion = 0;
  #valuesVersion = 0;

  /** The values that were left out of the text as it is now. */
  get #current(): ReadonlyMap<string, ReadonlyMap<string, Dropped>> {
    return this.#textVersion === this.#valuesVersion ? this.#all : new Map();
  }

  /** The names of an object's members that were left out. */
  at(object: string): readonly string[] {
    return [...(this.#current.get(object)?.keys() ?? [])];
  }

  keep(object: string, name: string, value: Dropped): void {
    const values = this.#current;
    this.#valuesVersion = this.#textVersion;
    this.#all = new Map(values).set(object, new Map(values.get(object)).set(name, value));
  }

  /** Takes out the value of a member, which then no longer counts as left out. */
  take(object: string, name: string): Dropped | undefined {
    const values = this.#current;
    const members = values.get(object);
    const value = members?.get(name);
    if (value === undefined) return undefined;
    const others = new Map(members);
    others.delete(name);
    this.#all = new Map(values).set(object, others);
    return value;
  }

  /** Forgets all values, because the text was changed outside the form. */
  textChanged(): void {
    this.#textVersion += 1;
  }

  /** Moves the values of objects whose pointers have changed. @param toPointer null for an object that was removed */
  move(toPointer: (pointer: string) => string | null): void {
    this.#all = moveKeys(this.#all, toPointer);
  }
}

/** A copy of a map with changed keys. */
function moveKeys<T>(
  map: ReadonlyMap<string, T>,
  to: (key: string) => string | null,
): Map<string, T> {
  const moved = new Map<string, T>();
  for (const [key, value] of map) {
    const next = to(key);
    if (next !== null) moved.set(next, value);
  }
  return moved;
}

/** The key of a chooser: the pointer of its value, and its level. */
function place(path: ArgumentPath, level: number): string {
  return `${toPointer(path)}#${level}`;
}

/** Whether the key of a chooser is that of a value or of one inside it. */
function isBelow(key: string, path: ArgumentPath): boolean {
  const value = toPointer(path);
  return key.startsWith(`${value}#`) || key.startsWith(`${value}/`);
}
