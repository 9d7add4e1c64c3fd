/** The rules whose warnings the user has dismissed, by folder. Stored if the browser allows it. */

import type { Problem } from '../../../../runtime/spec/folder.ts';
import { Observed } from '../../parts/observed.ts';
import type { Memory } from '../../shell/preferences.svelte.ts';
import { recall, remember } from '../../../../runtime/spec/browser-storage.ts';

export class DismissedRules {
  readonly #memory: Observed<Memory | null>;
  readonly #folder: () => string | null;

  /**
   * @param memory null if the browser denies storage; nothing can be dismissed then
   * @param folder id of the open folder; null if it is not known
   */
  constructor(memory: Memory | null, folder: () => string | null) {
    this.#memory = new Observed(() => memory);
    this.#folder = folder;
  }

  /** Codes of problems. */
  get all(): readonly string[] {
    const folder = this.#folder();
    if (folder === null) return [];
    return (recall(this.#memory.current, key(folder)) ?? '').split(' ').filter(Boolean);
  }

  /** The problems that are still shown: all errors, and warnings of other rules. */
  without(problems: readonly Problem[]): readonly Problem[] {
    const dismissed = new Set(this.all);
    return problems.filter(({ severity, code }) => severity === 'error' || !dismissed.has(code));
  }

  dismiss(code: string): void {
    this.#write([...new Set([...this.all, code])]);
  }

  restore(): void {
    this.#write([]);
  }

  #write(codes: readonly string[]): void {
    const folder = this.#folder();
    if (folder === null) return;
    remember(this.#memory.current, key(folder), codes.join(' '));
    this.#memory.refresh();
  }
}

function key(folder: string): string {
  return `cloche:dismissed:${folder}`;
}
