/** The registry of the status line's entries. Built-in entries are registered like any other. */

import type { Component } from 'svelte';

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
  // Not a state, for the reason given in commands.svelte.ts.
  #registered: readonly StatusEntry[] = [];
  #entries: readonly StatusEntry[] = $state.raw([]);

  /** @returns dispose, which restores the entries that were replaced */
  register(...entries: readonly StatusEntry[]): () => void {
    this.#entries = this.#registered = [...this.#registered, ...entries];
    return () => {
      const others = this.#registered.filter((other) => !entries.includes(other));
      this.#entries = this.#registered = others;
    };
  }

  of(side: StatusEntry['side']): readonly StatusEntry[] {
    return [...new Map(this.#entries.map((entry) => [entry.key, entry])).values()]
      .filter((entry) => entry.side === side)
      .sort((a, b) => a.order - b.order);
  }
}
