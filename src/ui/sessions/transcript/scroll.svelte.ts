/** Scrolling of a transcript: follows its end, and stops when the user scrolls, presses or folds something. */

import type { Attachment } from 'svelte/attachments';

/** Milliseconds after user input during which a scroll counts as the user's. */
const intentMs = 400;
/** Pixels that are as good as none. */
const near = 24;

/** Which way the user wants to scroll; `either`: the scroll will tell. */
export type Way = 'up' | 'down' | 'either';

export class Follow {
  readonly #now: () => number;
  #follows: boolean = $state(true);
  #away: boolean = $state(false);
  #below: boolean = $state(false);
  #way: Way = 'either';
  #at = -Infinity;
  #held = false;
  #offset = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** What is added at the end is brought into view. */
  get follows(): boolean {
    return this.#follows;
  }

  /** The end is out of view. */
  get away(): boolean {
    return this.#away;
  }

  /** Something was added out of view. */
  get below(): boolean {
    return this.#below;
  }

  /** The wheel, a finger or a key. Upward it counts at once: a stream would be quicker than the scroll. */
  means(way: Way): void {
    this.#way = way;
    this.#at = this.#now();
    if (way === 'up') this.#follows = false;
    else if (way === 'down' && !this.#away) this.#follows = true;
  }

  /** A pointer is down: what is scrolled meanwhile is the user's, by the bar or a selection. */
  hold(held: boolean): void {
    this.#held = held;
    this.means('either');
  }

  /** @param offset where the view begins, and @param left what is below it; pixels */
  scrolled(offset: number, left: number): void {
    const by = offset - this.#offset;
    this.#offset = offset;
    this.measured(left);
    const meant = this.#held || this.#now() - this.#at < intentMs;
    if (!this.#away && by > 0 && !(meant && this.#way === 'up')) this.#follows = true;
    if (by < 0 && meant && this.#way !== 'down' && (this.#away || this.#held))
      this.#follows = false;
  }

  /** @param left pixels below the view */
  measured(left: number): void {
    this.#away = left > near;
    if (!this.#away) this.#below = false;
  }

  /** There is more at the end. */
  added(): void {
    if (!this.#follows) this.#below = true;
  }

  /** To the end, and along with it. */
  toEnd(): void {
    this.#follows = true;
    this.#below = false;
    this.#at = -Infinity;
  }

  /** Something else is to stay in view. */
  leave(): void {
    this.#follows = false;
  }
}

const ways: Readonly<Record<string, Way>> = {
  ArrowUp: 'up',
  PageUp: 'up',
  Home: 'up',
  ArrowDown: 'down',
  PageDown: 'down',
  End: 'down',
};

/** Of what scrolls. */
export function followUser(follow: Follow): Attachment<HTMLElement> {
  return (element) => {
    const over = new AbortController();
    const { signal } = over;
    const passive = { passive: true, signal };
    let finger = 0;
    element.addEventListener(
      'wheel',
      ({ deltaY }) => {
        if (deltaY !== 0) follow.means(deltaY < 0 ? 'up' : 'down');
      },
      passive,
    );
    element.addEventListener(
      'touchstart',
      ({ touches }) => {
        finger = touches[0]?.clientY ?? 0;
      },
      passive,
    );
    element.addEventListener(
      'touchmove',
      ({ touches }) => {
        const now = touches[0]?.clientY ?? finger;
        // A finger that goes down draws the page with it.
        follow.means(now > finger ? 'up' : now < finger ? 'down' : 'either');
        finger = now;
      },
      passive,
    );
    element.addEventListener('keydown', ({ key, shiftKey }) => {
      if (key === ' ') follow.means(shiftKey ? 'up' : 'down');
      else follow.means(ways[key] ?? 'either');
    });
    element.addEventListener('pointerdown', () => {
      follow.hold(true);
    });
    const released = (): void => {
      follow.hold(false);
    };
    window.addEventListener('pointerup', released, { signal });
    window.addEventListener('pointercancel', released, { signal });
    return () => {
      over.abort();
    };
  };
}

/** Pixels. */
const usual = 200;
/** After which a jump is over; milliseconds. */
const restMs = 150;

export class RowBuffer {
  #pixels: number = $state(0);
  #offset = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#fillSoon();
  }

  get pixels(): number {
    return this.#pixels;
  }

  /** @param offset where the view begins now, and @param height what it shows; pixels */
  scrolled(offset: number, height: number): void {
    const by = Math.abs(offset - this.#offset);
    this.#offset = offset;
    if (by < height / 2) return;
    this.#pixels = 0;
    this.#fillSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #fillSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#pixels = usual), restMs);
  }
}

/** Milliseconds after a click during which a change of the row's height counts as folding. */
const foldMs = 400;

export interface Press {
  /** Its row is higher or lower than it was when pressed. */
  hasFolded(): boolean;
  /** Pixels by which what was pressed is further down than it was then. */
  movedBy(): number;
}

/** Null for a press on nothing that folds. */
export function pressIn(target: EventTarget | null): Press | null {
  const head = target instanceof Element ? target.closest('summary, button') : null;
  const row = head?.closest('[data-row]') ?? null;
  if (head === null || row === null) return null;
  const until = performance.now() + foldMs;
  const { top, height } = row.getBoundingClientRect();
  const headTop = head.getBoundingClientRect().top;
  return {
    hasFolded: () =>
      performance.now() < until && row.isConnected && row.getBoundingClientRect().height !== height,
    // What shows more often takes its own button away.
    movedBy: () =>
      head.isConnected
        ? head.getBoundingClientRect().top - headTop
        : row.isConnected
          ? row.getBoundingClientRect().top - top
          : 0,
  };
}
