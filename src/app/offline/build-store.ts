/** Stores the files of this page's build for offline use. An interrupted download can be continued. */

import { sha256Of } from '../../runtime/spec/bytes.ts';
import {
  type BuildFile,
  buildLock,
  buildOf,
  confirmedHeader,
  type InitWithoutRedirects,
  listUrl,
  parseFileList,
} from '../../runtime/protocol/offline.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { contentOf, StoredFiles, type Content, type FileCaches } from './stored-files.ts';

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
