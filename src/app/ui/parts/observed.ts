/** Shows what changes outside Svelte: a value is read again after each change, and observed while something shows it. */

import { createSubscriber } from 'svelte/reactivity';
import { coalesce } from '../../../runtime/async/coalesce.ts';

export interface Source {
  /** Calls the listener after each change. @returns dispose */
  observe(changed: () => void): (() => void) | undefined;
}

export class Observed<T> {
  readonly #read: () => T;
  readonly #subscribe: () => void;
  /** The value since the last change; null if nothing shows it. */
  #shown: { readonly value: T } | null = null;
  #changed: () => void = () => undefined;

  /**
   * @param read must not depend on state of Svelte, unless it returns the same object each time
   * @param source null if only {@link refresh} reports changes
   * @param everyMs shortest interval between two readings, for a source that changes quickly
   */
  constructor(read: () => T, source: Source | null = null, everyMs = 0) {
    this.#read = read;
    this.#subscribe = createSubscriber((update) => {
      let isShown = true;
      this.#changed = () => {
        // A coalesced change may arrive after the end.
        if (!isShown) return;
        this.#shown = { value: read() };
        update();
      };
      this.#shown = { value: read() };
      const stop = source?.observe(everyMs > 0 ? coalesce(this.#changed, everyMs) : this.#changed);
      return () => {
        isShown = false;
        this.#shown = null;
        stop?.();
      };
    });
  }

  /** The value as of the last change. Effects, deriveds and markup that read it follow it. */
  get current(): T {
    this.#subscribe();
    return this.#shown === null ? this.#read() : this.#shown.value;
  }

  /** Reads the value again, after a change that the source does not report. */
  refresh(): void {
    this.#changed();
  }
}
