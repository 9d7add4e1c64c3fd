/** Theme, JSON view, argument view, width of the rail and height of the drawer, stored if the browser allows it. */

import { recall, remember } from '../../../runtime/spec/browser-storage.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const jsonViews = ['json', 'tree', 'table', 'raw'] as const;
export type JsonView = (typeof jsonViews)[number];

export const argumentViews = ['form', 'json'] as const;
export type ArgumentView = (typeof argumentViews)[number];

export class Preferences {
  readonly #memory: Memory | null;
  #theme: Theme = $state('system');
  #jsonView: JsonView = $state('json');
  #argumentView: ArgumentView = $state('form');

  /** `memory` is null if the browser denies storage; preferences then last until the page is closed. */
  constructor(memory: Memory | null) {
    this.#memory = memory;
    this.#theme = this.#recall('theme', themes);
    this.#jsonView = this.#recall('json-view', jsonViews);
    this.#argumentView = this.#recall('argument-view', argumentViews);
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    this.#keep('theme', theme);
  }

  /** How JSON is shown, if there is a choice. */
  get jsonView(): JsonView {
    return this.#jsonView;
  }

  set jsonView(view: JsonView) {
    this.#jsonView = view;
    this.#keep('json-view', view);
  }

  /** How arguments are edited. */
  get argumentView(): ArgumentView {
    return this.#argumentView;
  }

  set argumentView(view: ArgumentView) {
    this.#argumentView = view;
    this.#keep('argument-view', view);
  }

  /** The stored choice, or the first one if none or an unknown one is stored. */
  #recall<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    const kept = recall(this.#memory, `cloche:${name}`);
    return choices.find((choice) => choice === kept) ?? choices[0];
  }

  #keep(name: string, value: string): void {
    remember(this.#memory, `cloche:${name}`, value);
  }
}

export type Memory = Pick<Storage, 'getItem' | 'setItem'>;

export type Divider = 'rail' | 'drawer';

interface Bounds {
  readonly least: number;
  readonly max: number;
  readonly first: number;
}

/** Pixels at the default font size. */
export const bounds: Readonly<Record<Divider, Bounds>> = {
  rail: { least: 200, max: 560, first: 288 },
  drawer: { least: 120, max: 720, first: 280 },
};

export class Layout {
  readonly #memory: Memory | null;
  #rail: number = $state(bounds.rail.first);
  #drawer: number = $state(bounds.drawer.first);

  /** `memory` is null if the browser denies storage; sizes then last until the page is closed. */
  constructor(memory: Memory | null) {
    this.#memory = memory;
    this.#rail = this.#recall('rail');
    this.#drawer = this.#recall('drawer');
  }

  /** The width of the rail, or the height of the drawer. */
  size(divider: Divider): number {
    return divider === 'rail' ? this.#rail : this.#drawer;
  }

  resize(divider: Divider, size: number): void {
    const within = inBounds(divider, size);
    if (divider === 'rail') this.#rail = within;
    else this.#drawer = within;
    remember(this.#memory, key(divider), String(within));
  }

  #recall(divider: Divider): number {
    const kept = Number(recall(this.#memory, key(divider)) ?? Number.NaN);
    return Number.isFinite(kept) ? inBounds(divider, kept) : bounds[divider].first;
  }
}

function key(divider: Divider): string {
  return divider === 'rail' ? 'cloche:width:rail' : 'cloche:height:drawer';
}

function inBounds(divider: Divider, size: number): number {
  const { least, max } = bounds[divider];
  return Math.round(Math.min(max, Math.max(least, size)));
}
