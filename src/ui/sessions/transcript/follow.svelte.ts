/** Whether a transcript keeps its end in view: for who is there, never against who scrolls up. */

/** Milliseconds for which a scroll is held to be the person's. */
const intentMs = 400;
/** Pixels that are as good as none. */
const near = 24;

/** Which way the person wants to scroll; `either`: the scroll will tell. */
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

  /** A pointer is down: what is scrolled meanwhile is the person's, by the bar or a selection. */
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
