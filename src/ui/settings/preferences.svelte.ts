/** How a person likes to see things: remembered where the browser lets us. */

import type { Memory } from '../shell/layout.svelte.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const jsonViews = ['json', 'tree', 'table', 'raw'] as const;
export type JsonView = (typeof jsonViews)[number];

export class Preferences {
  readonly #memory: Memory | null;
  #theme: Theme = $state('system');
  #jsonView: JsonView = $state('json');

  /** `memory` is null where the browser refuses storage; preferences then live as long as the page. */
  constructor(memory: Memory | null) {
    this.#memory = memory;
    this.#theme = this.#recall('theme', themes);
    this.#jsonView = this.#recall('json-view', jsonViews);
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    this.#keep('theme', theme);
  }

  /** How JSON is shown, where it can be shown so. */
  get jsonView(): JsonView {
    return this.#jsonView;
  }

  set jsonView(view: JsonView) {
    this.#jsonView = view;
    this.#keep('json-view', view);
  }

  /** The first choice where none, or one that is no longer known, was kept. */
  #recall<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    try {
      const kept = this.#memory?.getItem(`cloche:${name}`);
      return choices.find((choice) => choice === kept) ?? choices[0];
    } catch {
      return choices[0];
    }
  }

  #keep(name: string, value: string): void {
    try {
      this.#memory?.setItem(`cloche:${name}`, value);
    } catch {
      // A full or blocked storage costs the memory of a preference, nothing else.
    }
  }
}
