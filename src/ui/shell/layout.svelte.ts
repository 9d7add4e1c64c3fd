/** How wide the areas are and how it should look: remembered where the browser lets us. */

export interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export type Divider = 'rail' | 'drawer';

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly first: number;
}

/** Pixels at the default font size. */
export const bounds: Readonly<Record<Divider, Bounds>> = {
  rail: { least: 200, most: 560, first: 288 },
  drawer: { least: 260, most: 720, first: 380 },
};

export class Layout {
  readonly #memory: Memory | null;
  #rail: number = $state(bounds.rail.first);
  #drawer: number = $state(bounds.drawer.first);

  /** `memory` is null where the browser refuses storage; sizes then live as long as the page. */
  constructor(memory: Memory | null) {
    this.#memory = memory;
    this.#rail = this.#recall('rail');
    this.#drawer = this.#recall('drawer');
  }

  width(divider: Divider): number {
    return divider === 'rail' ? this.#rail : this.#drawer;
  }

  resize(divider: Divider, width: number): void {
    const within = inBounds(divider, width);
    if (divider === 'rail') this.#rail = within;
    else this.#drawer = within;
    try {
      this.#memory?.setItem(key(divider), String(within));
    } catch {
      // A full or blocked storage costs the memory of a width, nothing else.
    }
  }

  #recall(divider: Divider): number {
    try {
      const kept = Number(this.#memory?.getItem(key(divider)) ?? Number.NaN);
      return Number.isFinite(kept) ? inBounds(divider, kept) : bounds[divider].first;
    } catch {
      return bounds[divider].first;
    }
  }
}

function key(divider: Divider): string {
  return `cloche:width:${divider}`;
}

function inBounds(divider: Divider, width: number): number {
  const { least, most } = bounds[divider];
  return Math.round(Math.min(most, Math.max(least, width)));
}
