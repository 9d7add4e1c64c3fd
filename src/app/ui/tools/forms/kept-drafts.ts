/** Stores arguments that have not been run, so that they survive a reload, if the browser allows storage. */

import { parseJson, stringsIn } from '../../../../runtime/spec/guards.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';
import type { Memory } from '../../shell/preferences.svelte.ts';
import type { DraftStore } from './draft.svelte.ts';
import { recall } from '../../../../runtime/spec/browser-storage.ts';

const listKey = 'cloche:drafts';
/** Limit of a stored draft; characters. */
const maxChars = 200_000;
/** Limit of stored drafts; the oldest are emptied. */
const maxDrafts = 50;

export class KeptDrafts implements DraftStore {
  readonly #memory: Memory | null;
  readonly #folder: () => string | null;

  /**
   * @param memory null if the browser denies storage
   * @param folder the id of the open folder, the same at each visit; null while it is unknown
   */
  constructor(memory: Memory | null, folder: () => string | null) {
    this.#memory = memory;
    this.#folder = folder;
  }

  get isReady(): boolean {
    return this.#folder() !== null;
  }

  read(tool: string): JsonText | null {
    const key = this.#key(tool);
    const text = key === null ? null : recall(this.#memory, key);
    return text === '' ? null : text;
  }

  keep(tool: string, text: JsonText, template: JsonText): boolean {
    const key = this.#key(tool);
    if (this.#memory === null || key === null || text.length > maxChars) return false;
    try {
      this.#list(this.#memory, key);
      this.#memory.setItem(key, text === template ? '' : text);
      return true;
    } catch {
      // Storage is full or blocked.
      return false;
    }
  }

  #key(tool: string): string | null {
    const folder = this.#folder();
    return folder === null ? null : `cloche:draft:${folder}:${tool}`;
  }

  /** The list is read each time, since other pages write the same entry. */
  #list(memory: Memory, key: string): void {
    const keys = stringsIn(parseJson(memory.getItem(listKey)));
    if (keys.includes(key)) return;
    const all = [...keys, key];
    for (const old of all.splice(0, Math.max(0, all.length - maxDrafts))) memory.setItem(old, '');
    memory.setItem(listKey, JSON.stringify(all));
  }
}
