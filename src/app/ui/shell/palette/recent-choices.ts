/** The latest choices in the palette, newest first, stored if the browser allows it. */

import { recall, remember } from '../../../../runtime/spec/browser-storage.ts';
import { parseJson, stringsIn } from '../../../../runtime/spec/guards.ts';
import type { Memory } from '../preferences.svelte.ts';

const key = 'cloche:palette';
const maxChoices = 8;

interface Chosen {
  readonly kind: string;
  readonly words: string;
}

export class RecentChoices {
  readonly #memory: Memory | null;
  #names: readonly string[];

  /** @param memory null if the browser denies storage; choices then last until the page is closed */
  constructor(memory: Memory | null) {
    this.#memory = memory;
    this.#names = stringsIn(parseJson(recall(memory, key)));
  }

  add(entry: Chosen): void {
    const name = nameOf(entry);
    this.#names = [name, ...this.#names.filter((other) => other !== name)].slice(0, maxChoices);
    remember(this.#memory, key, JSON.stringify(this.#names));
  }

  /** Returns 0 for the latest choice, 1 for the one before; null if it was not chosen lately. */
  placeOf(entry: Chosen): number | null {
    const at = this.#names.indexOf(nameOf(entry));
    return at === -1 ? null : at;
  }
}

function nameOf({ kind, words }: Chosen): string {
  return `${kind} ${words}`;
}
