/** Values that the form left out because they no longer apply. The form restores them when they apply again. */

import type { JsonText } from '../../../../runtime/spec/json.ts';
import { moveKeys } from './alternative-choices.svelte.ts';
import type { Draft } from './draft.svelte.ts';

/** A value that was left out. Placeholders in its text stand for unfinished values. */
interface Dropped {
  readonly text: JsonText;
  readonly unfinished: Draft['unfinished'];
}

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
