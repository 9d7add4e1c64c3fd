/** Values that the form left out because they no longer apply. The form restores them when they apply again. */

import type { JsonText } from '../../../../runtime/spec/json.ts';
import { movedKeys } from './alternative-choices.svelte.ts';
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

  /** The names of an object's members that were left out. */
  at(object: string): readonly string[] {
    return this.#textVersion === this.#valuesVersion
      ? [...(this.#all.get(object)?.keys() ?? [])]
      : [];
  }

  keep(object: string, name: string, value: Dropped): void {
    const all = this.#textVersion === this.#valuesVersion ? this.#all : new Map<string, never>();
    this.#valuesVersion = this.#textVersion;
    this.#all = new Map(all).set(object, new Map(all.get(object)).set(name, value));
  }

  /** Takes out the value of a member, which then no longer counts as left out. */
  take(object: string, name: string): Dropped | undefined {
    if (this.#textVersion !== this.#valuesVersion) return undefined;
    const names = this.#all.get(object);
    const value = names?.get(name);
    if (value === undefined) return undefined;
    const others = new Map(names);
    others.delete(name);
    this.#all = new Map(this.#all).set(object, others);
    return value;
  }

  /** Forgets all values, because the text was changed outside the form. */
  textChanged(): void {
    this.#textVersion += 1;
  }

  move(to: (at: string) => string | null): void {
    this.#all = movedKeys(this.#all, to);
  }
}
