/** The registry of the status line's entries. Built-in entries are registered like any other. */

import { type Component, untrack } from 'svelte';

interface Placed {
  /** Key of the entry; a later entry replaces an earlier one with the same key. */
  readonly key: string;
  readonly side: 'left' | 'right';
  /** Entries of the lowest order come first. */
  readonly order: number;
}

export interface TextEntry extends Placed {
  /** Tooltip, and label for screen readers. */
  readonly title: string;
  /** Called at each change; an empty text shows nothing. May be untrusted text. */
  readonly text: () => string;
}

export interface ComponentEntry extends Placed {
  /** Draws one `li`, or nothing. */
  readonly component: Component;
}

export type StatusEntry = TextEntry | ComponentEntry;

export class StatusEntries {
  #entries: readonly StatusEntry[] = $state.raw([]);

  /** @returns dispose, which restores the entries that were replaced */
  register(...entries: readonly StatusEntry[]): () => void {
    // An effect that registers must not depend on the list.
    this.#entries = [...untrack(() => this.#entries), ...entries];
    return () => (this.#entries = this.#entries.filter((other) => !entries.includes(other)));
  }

  of(side: StatusEntry['side']): readonly StatusEntry[] {
    return [...new Map(this.#entries.map((entry) => [entry.key, entry])).values()]
      .filter((entry) => entry.side === side)
      .sort((a, b) => a.order - b.order);
  }
}
