/** Scrolling of a transcript: follows its end, and stops when the user scrolls, presses or expands something. */

import type { Attachment } from 'svelte/attachments';

/** Milliseconds after user input during which a scroll counts as the user's. */
const intentMs = 400;
/** Distance that counts as zero; pixels. */
const near = 24;

/** The direction in which the user wants to scroll; `either`: known only once the page scrolls. */
export type Way = 'up' | 'down' | 'either';

export class Follow {
  readonly #now: () => number;
  /** Whether new content is scrolled into view. */
  follows: boolean = $state(true);
  /** Whether the end is out of view. */
  away: boolean = $state(false);
  /** Whether content was added out of view. */
  below: boolean = $state(false);
  /** Direction of the latest input, and when it came. */
  #way: Way = 'either';
  #meantAt = -Infinity;
  #held = false;
  /** How far the transcript is scrolled; pixels. */
  #offset = 0;
  /** Whether it followed until the user expanded something, and the user has not scrolled since. */
  #stays = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Input by wheel, touch or key. Scrolling up counts at once, since streamed text could otherwise scroll down first.
   */
  means(way: Way): void {
    this.#way = way;
    this.#meantAt = this.#now();
    if (way === 'up') this.#stop();
    else if (way === 'down' && !this.away) this.follows = true;
  }

  /** Records whether a pointer is down: scrolling is then the user's, by scrollbar or selection. */
  hold(held: boolean): void {
    // A pointer that is released elsewhere, such as on the answer to a question, scrolls nothing here.
    if (!held && !this.#held) return;
    this.#held = held;
    this.means('either');
  }

  /** @param offset start of the view, in pixels @param left height below it, in pixels */
  scrolled(offset: number, left: number): void {
    const by = offset - this.#offset;
    this.#offset = offset;
    this.measured(left);
    const meant = this.#held || this.#now() - this.#meantAt < intentMs;
    if (!this.away && by > 0 && !(meant && this.#way === 'up')) this.follows = true;
    if (by < 0 && meant && this.#way !== 'down' && (this.away || this.#held)) this.#stop();
  }

  /** @param left pixels below the view */
  measured(left: number): void {
    this.away = left > near;
    if (!this.away) this.below = false;
  }

  /** Records that content was added at the end. */
  added(): void {
    if (!this.follows) this.below = true;
  }

  toEnd(): void {
    this.follows = true;
    this.#stays = false;
    this.below = false;
    this.#meantAt = -Infinity;
  }

  /** Keeps another position in view instead of the end. */
  leave(): void {
    this.#stop();
  }

  /** Keeps in view what the user has expanded or collapsed, until {@link resume}. */
  stay(): void {
    this.#stays ||= this.follows;
    this.follows = false;
  }

  /** Follows again after the user has let a call run, unless the user has scrolled away. */
  resume(): void {
    if (this.#stays) this.toEnd();
  }

  #stop(): void {
    this.follows = false;
    this.#stays = false;
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

/** Listens to the scroll container. */
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
        // A finger that moves down scrolls the page up.
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
    const onRelease = (): void => {
      follow.hold(false);
    };
    window.addEventListener('pointerup', onRelease, { signal });
    window.addEventListener('pointercancel', onRelease, { signal });
    return () => {
      over.abort();
    };
  };
}

/** Lets the end be followed again once nothing waits for the user, and then calls `then`; for the calling component. */
export function followAfter(follow: Follow, waits: () => boolean, then: () => void): void {
  let waited = false;
  $effect(() => {
    const ends = waited && !waits();
    waited = waits();
    if (!ends) return;
    follow.resume();
    then();
  });
}

/** Height of the rows that are rendered beyond each edge of the view; pixels. */
const usualBuffer = 200;
/** Time after which a jump has ended; milliseconds. */
const restMs = 150;

/** The height beyond the view that is rendered: none while the transcript jumps, so that the rows in view come first. */
export class RowBuffer {
  pixels: number = $state(0);
  #offset = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#fillSoon();
  }

  /** @param offset start of the view, in pixels @param height its height, in pixels */
  scrolled(offset: number, height: number): void {
    const by = Math.abs(offset - this.#offset);
    this.#offset = offset;
    if (by < height / 2) return;
    this.pixels = 0;
    this.#fillSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #fillSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.pixels = usualBuffer), restMs);
  }
}

/** Time after a click during which a change of the row's height counts as expanding or collapsing; milliseconds. */
const foldMs = 400;

export interface Press {
  /** Whether the pressed element's row has changed its height since the press. */
  hasFolded(): boolean;
  /** Distance that the pressed element has moved down; pixels. */
  movedBy(): number;
}

/** Null if the pressed element expands nothing. */
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
    // Expanding often removes the pressed button.
    movedBy: () =>
      head.isConnected
        ? head.getBoundingClientRect().top - headTop
        : row.isConnected
          ? row.getBoundingClientRect().top - top
          : 0,
  };
}
