/** What was written and not sent: a text for each session, kept over a reload where the browser lets us. */

import type { Memory } from '../state/layout.svelte.ts';

const key = 'cloche:unsent';
/** Characters; a longer text is kept as far as this. */
const longest = 200_000;
/** Sessions; those that were written to longest ago are forgotten. */
const most = 20;

export class Unsent {
  readonly #memory: Memory | null;

  /** `memory` is null where the browser refuses storage: nothing is kept then. */
  constructor(memory: Memory | null) {
    this.#memory = memory;
  }

  /** Empty where there is none. */
  read(session: string): string {
    return this.#all().find(([id]) => id === session)?.[1] ?? '';
  }

  /** Other pages keep theirs in the same place: it is read anew each time. */
  keep(session: string, text: string): void {
    if (this.read(session) === text) return;
    const others = this.#all().filter(([id]) => id !== session);
    if (text !== '') others.push([session, text.slice(0, longest)]);
    try {
      this.#memory?.setItem(key, JSON.stringify(others.slice(-most)));
    } catch {
      // A full or blocked storage costs what was not sent, on a reload.
    }
  }

  #all(): (readonly [session: string, text: string])[] {
    try {
      const kept: unknown = JSON.parse(this.#memory?.getItem(key) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isEntry) : [];
    } catch {
      return [];
    }
  }
}

function isEntry(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string';
}
