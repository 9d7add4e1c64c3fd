/** The user's last selection of tools in each folder, and named selections. Stored in this browser. */

import { isObject, parseJson } from '../../runtime/spec/guards.ts';
import type { Json } from '../../runtime/spec/json.ts';
import { remember, recall } from '../../runtime/spec/browser-storage.ts';

export interface SelectionPreset {
  readonly name: string;
  /** The selected tools. */
  readonly tools: readonly string[];
}

interface FolderSelections {
  /** Tools that new sessions do not select. */
  readonly unselected: readonly string[];
  readonly presets: readonly SelectionPreset[];
  /** Whether models may write programs in new sessions. */
  readonly programs: boolean;
}

const none: FolderSelections = { unselected: [], presets: [], programs: true };

const key = 'cloche:selections';
/** Limits for the folders, the presets of one, and the characters of a name. */
const maxFolders = 50;
const maxPresets = 20;
export const maxPresetName = 60;
/** Limit for the tools of a list. */
const maxTools = 5_000;

type Memory = Pick<Storage, 'getItem' | 'setItem'>;

export class StoredSelections {
  readonly #memory: Memory | null;
  readonly #folder: () => string;
  readonly #listeners = new Set<() => void>();

  /**
   * @param memory null if the browser denies storage; nothing is kept then
   * @param folder identifies the open folder, also in later visits; empty if none is open
   */
  constructor(memory: Memory | null, folder: () => string) {
    this.#memory = memory;
    this.#folder = folder;
  }

  /** The tools of the open folder that the user did not select last. */
  unselected(): ReadonlySet<string> {
    return new Set(this.#here.unselected);
  }

  presets(): readonly SelectionPreset[] {
    return this.#here.presets;
  }

  /** Makes a selection that of new sessions. @param unselected the tools that are not selected */
  keep(unselected: readonly string[]): void {
    this.#put({ ...this.#here, unselected: unselected.slice(0, maxTools) });
  }

  /** Whether models may write programs in new sessions of the open folder. */
  programs(): boolean {
    return this.#here.programs;
  }

  keepPrograms(programs: boolean): void {
    this.#put({ ...this.#here, programs });
  }

  /** Saves a selection under a name, in place of one with the same name. */
  savePreset(name: string, tools: readonly string[]): void {
    const fit = name.trim().slice(0, maxPresetName);
    if (fit === '') return;
    const others = this.presets().filter((preset) => preset.name !== fit);
    const preset = { name: fit, tools: tools.slice(0, maxTools) };
    this.#put({ ...this.#here, presets: [...others, preset].slice(-maxPresets) });
  }

  removePreset(name: string): void {
    const presets = this.presets().filter((preset) => preset.name !== name);
    this.#put({ ...this.#here, presets });
  }

  /** @returns dispose */
  observe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get #here(): FolderSelections {
    return this.#read().get(this.#folder()) ?? none;
  }

  #put(selections: FolderSelections): void {
    const folder = this.#folder();
    if (folder === '') return;
    const all = this.#read();
    all.delete(folder);
    all.set(folder, selections);
    remember(this.#memory, key, JSON.stringify([...all].slice(-maxFolders)));
    for (const listener of this.#listeners) listener();
  }

  /** The selections of all folders, the last changed one last. */
  #read(): Map<string, FolderSelections> {
    const kept = parseJson(recall(this.#memory, key)) as Json | undefined;
    if (!Array.isArray(kept)) return new Map();
    return new Map(
      kept.flatMap((entry): (readonly [string, FolderSelections])[] => {
        const [folder, value] = Array.isArray(entry) ? entry : [];
        if (typeof folder !== 'string' || !isObject(value ?? null)) return [];
        return [[folder, selectionsOf(value ?? null)]];
      }),
    );
  }
}

function selectionsOf(value: Json): FolderSelections {
  if (!isObject(value)) return none;
  const presets = Array.isArray(value.presets) ? value.presets : [];
  return {
    unselected: textsOf(value.unselected),
    programs: value.programs !== false,
    presets: presets.flatMap((preset): SelectionPreset[] =>
      isObject(preset) && typeof preset.name === 'string'
        ? [{ name: preset.name.slice(0, maxPresetName), tools: textsOf(preset.tools) }]
        : [],
    ),
  };
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
