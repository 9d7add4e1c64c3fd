/**
 * Stores the files of this page's build for offline use. An interrupted download can be continued. There is one cache
 * for each build below a base path.
 */

import { sha256Of } from '../../runtime/spec/bytes.ts';
import {
  type BuildFile,
  buildLock,
  buildOf,
  buildOfCache,
  confirmedHeader,
  filesCache,
  type InitWithoutRedirects,
  listUrl,
  parseFileList,
} from '../../runtime/protocol/offline.ts';
import { errorText, ToolError } from '../../runtime/spec/error.ts';
import { wait } from '../../runtime/async/wait.ts';

export interface BuildStoreDeps {
  /** The app's address, with a slash at the end. */
  readonly base: URL;
  readonly build: string;
  readonly caches: FileCaches;
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  fetch(url: string, init: InitWithoutRedirects): Promise<Response>;
  now(): number;
}

/** Called with the number of bytes stored so far, and the total. */
export type OnStored = (done: number, total: number) => void;

/** Time for which older builds are kept: a page that is just being opened from one may not hold its lock yet. */
const gracePeriodMs = 60_000;
/** Time without any data after which a download fails, as the loss of a connection may never be reported; milliseconds. */
const stallMs = 60_000;

export class BuildStore {
  readonly #deps: BuildStoreDeps;
  readonly #stored: StoredFiles;
  readonly #listAddress: string;

  constructor(deps: BuildStoreDeps) {
    this.#deps = deps;
    this.#stored = new StoredFiles(deps.caches, deps.base.pathname);
    this.#listAddress = deps.base.href + listUrl(deps.build);
  }

  /** Whether the whole build is stored. */
  async isComplete(): Promise<boolean> {
    return (await this.#list()) !== undefined;
  }

  /** Whether a file of this address is stored, in any build. */
  async has(address: string): Promise<boolean> {
    return (await this.#stored.findAll(address).next()).value !== undefined;
  }

  /** Bytes of all stored files, of every build. */
  bytes(): Promise<number> {
    return this.#stored.bytes();
  }

  /**
   * Stores the missing files. Pages do this one at a time. The file list is stored last: it marks the build as
   * complete.
   *
   * @throws {ToolError} if the server no longer has this build, or storage fails
   */
  async store(signal: AbortSignal, onStored: OnStored): Promise<void> {
    const { base, build, locks } = this.#deps;
    await locks.request(storingLock(base), { signal }, async () => {
      if (await this.isComplete()) return;
      const list = await this.#download(signal, this.#listAddress, 'no-cache');
      const files = parseFileList(textOf(list));
      if (files === undefined || !(await sha256Of(list.bytes)).startsWith(build))
        throw notAsBuilt(this.#listAddress);
      await this.#stored.put(build, base.href, await this.#page(signal));
      await this.#storeFiles(signal, files, onStored);
      await this.#complete(list);
    });
  }

  /**
   * Records that the server currently has this build. Of several stored builds, the one confirmed last is opened
   * offline.
   */
  async confirm(): Promise<void> {
    // Another page may be deleting the build: a list without its files would look like a complete build.
    await this.#exclusively(async () => {
      const list = await this.#list();
      if (list !== undefined) await this.#complete(await contentOf(list));
    });
  }

  /** Deletes builds without an open page, once this build has been complete for a while. */
  async dropOthers(): Promise<void> {
    const { base, build, locks } = this.#deps;
    const confirmed = (await this.#list())?.headers.get(confirmedHeader);
    if (typeof confirmed !== 'string' || this.#deps.now() - Number(confirmed) < gracePeriodMs)
      return;
    const { held = [] } = await locks.query();
    const inUse = new Set(held.map(({ name }) => name));
    for (const other of await this.#stored.builds())
      if (other !== build && !inUse.has(buildLock(base.pathname, other)))
        await this.#stored.drop(other);
  }

  /** Deletes all stored files of every build, once no page is storing any. */
  async clear(): Promise<void> {
    await this.#exclusively(async () => {
      for (const build of await this.#stored.builds()) await this.#stored.drop(build);
    });
  }

  /** Runs the work while no other page stores or deletes files. */
  async #exclusively(work: () => Promise<void>): Promise<void> {
    const { base, locks } = this.#deps;
    await locks.request(storingLock(base), work);
  }

  async #storeFiles(
    signal: AbortSignal,
    files: readonly BuildFile[],
    onStored: OnStored,
  ): Promise<void> {
    const { base, build } = this.#deps;
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    onStored(done, total);
    for (const file of files) {
      const address = base.href + file.url;
      if ((await this.#stored.find(build, address)) === undefined)
        await this.#stored.put(build, address, await this.#file(signal, address, file));
      signal.throwIfAborted();
      onStored((done += file.bytes), total);
    }
  }

  /** Copies the file from another build if it is identical there; otherwise downloads it. */
  async #file(signal: AbortSignal, address: string, { sha256, url }: BuildFile): Promise<Content> {
    for await (const candidate of this.#stored.findAll(address)) {
      const found = await contentOf(candidate);
      if ((await sha256Of(found.bytes)) === sha256) return found;
    }
    // Files with a hash in their name were just loaded by the page, and are in the browser's cache.
    const modes = url.startsWith('assets/')
      ? (['default', 'reload'] as const)
      : (['no-cache'] as const);
    for (const cache of modes) {
      const fetched = await this.#download(signal, address, cache);
      if ((await sha256Of(fetched.bytes)) === sha256) return fetched;
    }
    throw notAsBuilt(address);
  }

  async #page(signal: AbortSignal): Promise<Content> {
    const { base, build } = this.#deps;
    const page = await this.#download(signal, base.href, 'no-cache');
    if (buildOf(textOf(page)) !== build) throw notAsBuilt(base.href);
    return page;
  }

  async #download(signal: AbortSignal, address: string, cache: RequestCache): Promise<Content> {
    const stalled = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), stallMs);
    };
    const either = AbortSignal.any([signal, stalled.signal]);
    const init = { cache, redirect: 'error', signal: either } as const;
    let reason = 'no answer';
    try {
      restartTimer();
      const response = await this.#deps.fetch(address, init);
      const isFile = response.status === 200 && !response.redirected;
      reason = isFile ? 'the connection was lost' : String(response.status);
      if (isFile) return await contentOf(watchBody(either, response, restartTimer));
    } catch {
      signal.throwIfAborted();
    } finally {
      clearTimeout(timer);
    }
    throw new ToolError(
      'not-found',
      `${address} could not be loaded (${reason})`,
      'Cloche still works online and tries again on your next visit.',
    );
  }

  async #complete({ bytes, headers }: Content): Promise<void> {
    const confirmed = new Headers(headers);
    confirmed.set(confirmedHeader, String(this.#deps.now()));
    await this.#stored.put(this.#deps.build, this.#listAddress, { bytes, headers: confirmed });
  }

  #list(): Promise<Response | undefined> {
    return this.#stored.find(this.#deps.build, this.#listAddress);
  }
}

function storingLock(base: URL): string {
  return `cloche-storing:${base.pathname}`;
}

/** A response with the same body, each piece of which is reported when it arrives. */
function watchBody(signal: AbortSignal, { body, headers }: Response, onData: () => void): Response {
  const watching = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, stream) {
      onData();
      stream.enqueue(piece);
    },
  });
  return new Response(body?.pipeThrough(watching, { signal }), { headers });
}

function textOf({ bytes }: Content): string {
  return new TextDecoder().decode(bytes);
}

function notAsBuilt(address: string): ToolError {
  return new ToolError(
    'integrity',
    `${address} is not the file that this version of Cloche was built with`,
    'The site is being updated or has changed. Reload the page.',
  );
}

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

async function contentOf(response: Response): Promise<Content> {
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
