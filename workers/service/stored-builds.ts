/** The builds that pages have stored for offline use, as the service worker reads them. */

import { buildOfCache, confirmedHeader, filesCache, listUrl } from '../../src/protocol/offline.ts';

// Files are stored as they came, with whatever headers their server varies on.
const lookup = { ignoreVary: true };

export class StoredBuilds {
  readonly #caches: Pick<CacheStorage, 'keys' | 'match'>;
  readonly #address: string;
  readonly #base: string;

  /** `address` of the app, with a slash at the end. */
  constructor(caches: Pick<CacheStorage, 'keys' | 'match'>, address: string) {
    this.#caches = caches;
    this.#address = address;
    this.#base = new URL(address).pathname;
  }

  /** Complete ones only; first the one that the server named last. */
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

  /** A file of whichever build; complete or not, since its name tells its content. */
  async find(url: string): Promise<Response | undefined> {
    for (const build of await this.#builds()) {
      const found = await this.#match(build, url);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  // Where storage fails, nothing is stored: the server is still there.
  async #builds(): Promise<string[]> {
    const names = await this.#caches.keys().catch(() => []);
    return names.flatMap((name) => buildOfCache(this.#base, name) ?? []);
  }

  #match(build: string, url: string): Promise<Response | undefined> {
    const cacheName = filesCache(this.#base, build);
    return this.#caches.match(url, { cacheName, ...lookup }).catch(() => undefined);
  }
}
