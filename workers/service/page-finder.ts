/** Remembers the host between requests, for as long as it is one. */

import type { AppPage } from './app-page.ts';
import { findPage, type Found } from './find-page.ts';
import type { Surroundings } from './surroundings.ts';

/** Lost whenever the browser ends the idle service worker, and then found anew. */
export class PageFinder {
  readonly #around: Surroundings;
  #page: AppPage | undefined;
  #search: Promise<Found> | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  async find(): Promise<Found> {
    if (this.#page?.role === 'host') return this.#page;
    this.#search ??= this.#findAnew();
    return this.#search;
  }

  /** The page did not answer: the next request looks for one again. */
  forget(page: AppPage): void {
    if (this.#page === page) this.#page = undefined;
    page.retire();
  }

  async #findAnew(): Promise<Found> {
    try {
      const found = await findPage(this.#around);
      this.#page?.retire();
      this.#page = typeof found === 'string' ? undefined : found;
      return found;
    } finally {
      this.#search = undefined;
    }
  }
}
