/** The caches with the files of builds: one cache for each build below a base path. */

import { wait } from '../../runtime/async/wait.ts';
import { buildOfCache, filesCache } from '../../runtime/protocol/offline.ts';
import { errorText, ToolError } from '../../runtime/spec/error.ts';

export interface Content {
  readonly bytes: ArrayBuffer;
  readonly headers: Headers;
}

export type FileCaches = Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'match'>;

/** Time after which a write counts as failed; milliseconds. */
const writeMs = 60_000;
// The `Vary` header is ignored: files are stored with their server's headers.
const lookup = { ignoreVary: true };

export class StoredFiles {
  readonly #caches: FileCaches;
  readonly #basePath: string;

  constructor(caches: FileCaches, basePath: string) {
    this.#caches = caches;
    this.#basePath = basePath;
  }

  /** Returns all stored builds, complete or not. */
  async builds(): Promise<string[]> {
    return (await this.#caches.keys()).flatMap((name) => buildOfCache(this.#basePath, name) ?? []);
  }

  find(build: string, address: string): Promise<Response | undefined> {
    const cacheName = filesCache(this.#basePath, build);
    return this.#caches.match(address, { cacheName, ...lookup });
  }

  /** Yields what each build has at an address. */
  async *findAll(address: string): AsyncGenerator<Response> {
    for (const build of await this.builds()) {
      const found = await this.find(build, address);
      if (found !== undefined) yield found;
    }
  }

  /** @throws {ToolError} if the browser's storage is full or damaged */
  async put(build: string, address: string, { bytes, headers }: Content): Promise<void> {
    const kept = new Headers(headers);
    // These headers describe the transferred body, not the stored one.
    for (const name of ['content-encoding', 'content-length']) kept.delete(name);
    const write = async (): Promise<void> => {
      const cache = await this.#caches.open(filesCache(this.#basePath, build));
      await cache.put(address, new Response(bytes, { headers: kept }));
    };
    try {
      // While a page stores files, it holds a lock for which other pages wait, so a write must end.
      await wait(new AbortController().signal, write(), {
        deadlineMs: writeMs,
        what: `Writing ${address}`,
      });
    } catch (thrown) {
      throw storageError(thrown);
    }
  }

  async drop(build: string): Promise<void> {
    await this.#caches.delete(filesCache(this.#basePath, build));
  }

  /** Bytes of all builds. */
  async bytes(): Promise<number> {
    let sum = 0;
    for (const build of await this.builds()) {
      const cache = await this.#caches.open(filesCache(this.#basePath, build));
      for (const request of await cache.keys())
        sum += (await (await cache.match(request, lookup))?.blob())?.size ?? 0;
    }
    return sum;
  }
}

export async function contentOf(response: Response): Promise<Content> {
  return { bytes: await response.arrayBuffer(), headers: response.headers };
}

function storageError(thrown: unknown): ToolError {
  const full = thrown instanceof DOMException && thrown.name === 'QuotaExceededError';
  return new ToolError(
    'storage',
    full ? 'The browser’s storage is full' : `The browser’s storage failed: ${errorText(thrown)}`,
    'Cloche still works online. Free up space on this device, then store the files again in the settings.',
  );
}
