/** Reads the builds that pages have stored for offline use. */

import {
  buildOfCache,
  confirmedHeader,
  filesCache,
  listUrl,
} from '../../src/runtime/protocol/offline.ts';

// Stored responses have the server's headers, possibly with a Vary that must not matter here.
const lookup = { ignoreVary: true };

/** The builds in the browser's caches. Storage that fails counts as empty. */
export class StoredBuilds {
  readonly #caches: Pick<CacheStorage, 'keys' | 'match'>;
  readonly #address: string;
  readonly #base: string;

  /** @param address that of the app, with a trailing slash */
  constructor(caches: Pick<CacheStorage, 'keys' | 'match'>, address: string) {
    this.#caches = caches;
    this.#address = address;
    this.#base = new URL(address).pathname;
  }

  /** Ids of the complete builds; the one that the server served last comes first. */
  async complete(): Promise<string[]> {
    const found = await Promise.all(
      (await this.#builds()).map(async (build) => {
        const list = await this.#match(build, this.#address + listUrl(build));
        return list && { build, confirmed: Number(list.headers.get(confirmedHeader)) };
      }),
    );
    return found
      .filter((entry) => entry !== undefined)
      .sort((a, b) => b.confirmed - a.confirmed)
      .map(({ build }) => build);
  }

  /** The index.html of a build. */
  page(build: string): Promise<Response | undefined> {
    return this.#match(build, this.#address);
  }

  /**
   * A file of any build, even an incomplete one. Files without a hash in their names differ between builds: complete builds
   * come first, in their order, since the other files of these are stored too.
   */
  async find(url: string): Promise<Response | undefined> {
    const named = url.startsWith(`${this.#address}assets/`);
    const first = named ? [] : await this.complete();
    for (const build of new Set([...first, ...(await this.#builds())])) {
      const found = await this.#match(build, url);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  // A storage that fails counts as empty; the server still has the files.
  async #builds(): Promise<string[]> {
    const names = await this.#caches.keys().catch(() => []);
    return names.flatMap((name) => buildOfCache(this.#base, name) ?? []);
  }

  #match(build: string, url: string): Promise<Response | undefined> {
    const cacheName = filesCache(this.#base, build);
    return this.#caches.match(url, { cacheName, ...lookup }).catch(() => undefined);
  }
}
