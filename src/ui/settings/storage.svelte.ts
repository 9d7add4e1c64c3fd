/** The storage that the browser reports for this site. */

import type { StorageUsage } from '../../spec/offline.ts';
import type { SiteControl } from '../../app/app.ts';

type Site = Omit<SiteControl, 'build' | 'worker' | 'takeOverApi'>;

export class Storage {
  readonly #site: Promise<Site>;
  #usage: StorageUsage | null = $state.raw(null);
  #measuring = 0;
  #refused: boolean = $state(false);

  constructor(site: Promise<Site>) {
    this.#site = site;
  }

  /** Null until it was measured. */
  get usage(): StorageUsage | null {
    return this.#usage;
  }

  /** The browser was asked to keep what is stored, and did not agree. */
  get refused(): boolean {
    return this.#refused;
  }

  async measure(): Promise<void> {
    const measuring = (this.#measuring += 1);
    const usage = await (await this.#site).usage();
    // What was removed meanwhile is still in a measurement that was begun before.
    if (measuring === this.#measuring) this.#usage = usage;
  }

  async persist(): Promise<void> {
    this.#refused = !(await (await this.#site).persist());
    await this.measure();
  }

  async storeOffline(): Promise<void> {
    await (await this.#site).storeOffline();
  }

  async removeOffline(): Promise<void> {
    await (await this.#site).removeOffline();
    await this.measure();
  }

  async removePackages(): Promise<void> {
    await (await this.#site).removePackages();
    await this.measure();
  }

  async removeSnapshot(): Promise<void> {
    await (await this.#site).removeSnapshot();
    await this.measure();
  }
}
