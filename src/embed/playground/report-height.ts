/** Tells the page around the playground how high its content is. */

import { defer } from '../../runtime/async/defer.ts';
import { embedLimits } from '../../runtime/protocol/embed.ts';

/** Pixels; a smaller change is not worth a message. */
const least = 1;
/** Changes in one second after which the height only grows, since content that depends on the frame's height would swing. */
const steadyChanges = 12;

export class HeightReports {
  #last = 0;
  #second = 0;
  #changes = 0;

  /** @param now milliseconds @returns the height to report; null if none */
  next(height: number, now: number): number | null {
    const bounded = Math.min(Math.ceil(height), embedLimits.height);
    if (Math.abs(bounded - this.#last) < least) return null;
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) this.#changes = 0;
    this.#second = second;
    this.#changes += 1;
    if (this.#changes > steadyChanges && bounded < this.#last) return null;
    return (this.#last = bounded);
  }
}

/** Time that a page has to give its frame the reported height; milliseconds. */
const givenMs = 250;

/**
 * Reports the height of `content` now and whenever it changes. If the page does not give the frame that height, the
 * frame's document scrolls, marked with `data-scrolls`; not at once, so that no scrollbar comes and goes while the
 * frame grows.
 */
export function reportHeight(content: Element, report: (height: number) => void): void {
  const reports = new HeightReports();
  const { ownerDocument: document } = content;
  const window = document.defaultView;
  const height = (): number => content.getBoundingClientRect().height;
  const scrollIfCut = defer(() => {
    const isCut = window !== null && height() > window.innerHeight + least;
    document.documentElement.toggleAttribute('data-scrolls', isCut);
  }, givenMs);
  new ResizeObserver(() => {
    const reported = reports.next(height(), performance.now());
    if (reported !== null) report(reported);
    scrollIfCut();
  }).observe(content);
  window?.addEventListener('resize', scrollIfCut);
}
