/** Stores the files of this page's build for offline use, one by one, so that it can go on where it was interrupted. */

import { sha256Of } from '../protocol/deployed.ts';
import {
  buildLock,
  buildOf,
  confirmedHeader,
  listUrl,
  parseFileList,
  type BuildFile,
} from '../protocol/offline.ts';
import { ToolError } from '../spec/error.ts';
import { contentOf, StoredFiles, type Content, type FileCaches } from './stored-files.ts';

export interface BuildStoreDeps {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly build: string;
  readonly caches: FileCaches;
  readonly locks: Pick<LockManager, 'request' | 'query'>;
  fetch(url: string, init: RequestInit): Promise<Response>;
  now(): number;
}

/** Told of the bytes that are stored, of all that will be. */
export type OnStored = (done: number, total: number) => void;

/** A page that is just being opened from an older build may not hold its lock yet. */
const gracePeriodMs = 60_000;

export class BuildStore {
  readonly #deps: BuildStoreDeps;
  readonly #stored: StoredFiles;
  readonly #listAddress: string;

  constructor(deps: BuildStoreDeps) {
    this.#deps = deps;
    this.#stored = new StoredFiles(deps.caches, deps.base.pathname);
    this.#listAddress = deps.base.href + listUrl(deps.build);
  }

  /** The whole build is stored. */
  async isComplete(): Promise<boolean> {
    return (await this.#list()) !== undefined;
  }

  /** A file of this address is stored, of whichever build. */
  async has(address: string): Promise<boolean> {
    return (await this.#stored.findAll(address).next()).value !== undefined;
  }

  /** Of all stored files, of every build. */
  bytes(): Promise<number> {
    return this.#stored.bytes();
  }

  /**
   * Stores what is missing; pages do it one after the other. The list comes last: it makes the build complete.
   * @throws {ToolError} where the server no longer has this build, or storage refuses
   */
  async store(signal: AbortSignal, onStored: OnStored): Promise<void> {
    const { base, build, locks } = this.#deps;
    await locks.request(storingLock(base), { signal }, async () => {
      if (await this.isComplete()) return;
      const list = await this.#fetched(signal, this.#listAddress, 'no-cache');
      const files = parseFileList(textOf(list));
      if (files === undefined || !(await sha256Of(list.bytes)).startsWith(build))
        throw notAsBuilt(this.#listAddress);
      await this.#stored.put(build, base.href, await this.#page(signal));
      await this.#storeFiles(signal, files, onStored);
      await this.#complete(list);
    });
  }

  /** Notes that the server has this very build now: of several stored ones, it is the one to open offline. */
  async confirm(): Promise<void> {
    // Somebody may be dropping it: a list without its files would pass for a whole build.
    await this.#alone(async () => {
      const list = await this.#list();
      if (list !== undefined) await this.#complete(await contentOf(list));
    });
  }

  /** Drops builds that no open page is of, once this one has been complete for a while. */
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

  /** Drops all stored files, of every build, once nobody is storing any. */
  async clear(): Promise<void> {
    await this.#alone(async () => {
      for (const build of await this.#stored.builds()) await this.#stored.drop(build);
    });
  }

  /** While no page stores or drops files. */
  async #alone(work: () => Promise<void>): Promise<void> {
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

  /** From another build's cache if it is the same there, else from the server. */
  async #file(signal: AbortSignal, address: string, { sha256, url }: BuildFile): Promise<Content> {
    for await (const candidate of this.#stored.findAll(address)) {
      const found = await contentOf(candidate);
      if ((await sha256Of(found.bytes)) === sha256) return found;
    }
    // What has its hash in its name was just fetched by the page: the browser has it at hand.
    const modes = url.startsWith('assets/')
      ? (['default', 'reload'] as const)
      : (['no-cache'] as const);
    for (const cache of modes) {
      const fetched = await this.#fetched(signal, address, cache);
      if ((await sha256Of(fetched.bytes)) === sha256) return fetched;
    }
    throw notAsBuilt(address);
  }

  async #page(signal: AbortSignal): Promise<Content> {
    const { base, build } = this.#deps;
    const page = await this.#fetched(signal, base.href, 'no-cache');
    if (buildOf(textOf(page)) !== build) throw notAsBuilt(base.href);
    return page;
  }

  async #fetched(signal: AbortSignal, address: string, cache: RequestCache): Promise<Content> {
    const response = await this.#deps.fetch(address, { cache, signal }).catch(() => null);
    signal.throwIfAborted();
    if (response?.status !== 200 || response.redirected)
      throw new ToolError(
        'not-found',
        `${address} could not be loaded (${response ? String(response.status) : 'no answer'})`,
        'Cloche still works online and tries again on your next visit.',
      );
    return contentOf(response);
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
