/** State of this site's storage, as the browser reports it. */

import type { StorageUsage } from '../../../runtime/spec/offline.ts';
import type { SiteControl } from '../../app.ts';

type Site = Omit<SiteControl, 'build' | 'worker' | 'takeOverApi' | 'webMcp'>;

export class Storage {
  readonly #site: Promise<Site>;
  /** The usage; null until it is measured. */
  usage: StorageUsage | null = $state.raw(null);
  #measuring = 0;
  /** Whether the browser declined to make the storage persistent. */
  refused: boolean = $state(false);

  constructor(site: Promise<Site>) {
    this.#site = site;
  }

  async measure(): Promise<void> {
    const measuring = (this.#measuring += 1);
    const usage = await (await this.#site).usage();
    // A measurement from before a removal still contains what was removed.
    if (measuring === this.#measuring) this.usage = usage;
  }

  async persist(): Promise<void> {
    this.refused = !(await (await this.#site).persist());
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
