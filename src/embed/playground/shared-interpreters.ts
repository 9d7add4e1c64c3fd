/**
 * Lets the playgrounds of a page that have the same files share one Python. The frame that starts it first has it; the others
 * send it their calls over a channel that only frames of this app on this page hear. When it goes, another takes its place.
 */

import type { PlaygroundDeps } from '../../app/compose.ts';
import type { FolderInterpreters } from '../../runtime/open-folder/folder-interpreters.ts';
import type { FolderSnapshot } from '../../runtime/spec/folder.ts';
import { sha256Of } from '../../runtime/spec/sha256.ts';
import type { Wheel } from '../../runtime/spec/wheel.ts';
import { BorrowedInterpreters } from './borrowed-interpreters.ts';
import { lend } from './lent-interpreters.ts';
import { SharingChannel } from './sharing-channel.ts';

export interface ShareDeps {
  /** Names the page; frames of other pages have another. */
  readonly page: string;
  /** Opens a channel with this name. */
  readonly channel: (name: string) => BroadcastChannel;
  readonly newId: () => string;
  /** Undefined where the browser has none. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  /** Calls the listener when this frame is removed from its page. @returns dispose */
  readonly whenGone: (listener: () => void) => () => void;
}

export function shareInterpreters(deps: ShareDeps): PlaygroundDeps['shareInterpreters'] {
  const id = deps.newId();
  const name = `cloche:playground:${deps.page}`;
  const memory = new PageMemory(deps.channel(name), id);
  return async (folder, wheels, openOwn) => {
    const open = async (): Promise<FolderInterpreters> => {
      const own = await openOwn();
      memory.watch(own);
      return own;
    };
    const key = await folderKey(folder, wheels);
    const channel = new SharingChannel({
      channel: deps.channel(`${name}:${key}`),
      id: deps.newId(),
      locks: deps.locks,
      whenGone: deps.whenGone,
    });
    const lender = await channel.elect();
    return lender === null
      ? lend(channel, open)
      : new BorrowedInterpreters({ channel, lender, open });
  };
}

/** The same for folders with the same files and packages. */
async function folderKey({ files }: FolderSnapshot, wheels: readonly Wheel[]): Promise<string> {
  const hashes = await Promise.all(
    files.map(async ({ path, bytes }) => [path, await sha256Of(bytes)]),
  );
  const text = JSON.stringify([hashes, wheels.map(({ filename }) => filename)]);
  return sha256Of(new TextEncoder().encode(text));
}

/** How many other playgrounds may run, after this one did, before its idle Python is ended. It starts again when it is needed. */
const maxOthers = 2;

/** Ends idle Pythons of a page, so that a page with many playgrounds does not need the memory of all of them. */
class PageMemory {
  readonly #channel: BroadcastChannel;
  readonly #id: string;
  readonly #pools = new Set<FolderInterpreters>();
  readonly #ranSince = new Set<string>();

  /** @param channel reaches all playgrounds of the page */
  constructor(channel: BroadcastChannel, id: string) {
    this.#channel = channel;
    this.#id = id;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') this.#heard(data);
    };
  }

  watch(pool: FolderInterpreters): void {
    this.#pools.add(pool);
    pool.observe((views) => {
      if (views.length === 0) this.#pools.delete(pool);
      else this.#pools.add(pool);
      if (!views.some(({ state }) => state === 'busy' || state === 'starting')) return;
      this.#ranSince.clear();
      this.#channel.postMessage(this.#id);
    });
  }

  #heard(other: string): void {
    this.#ranSince.add(other);
    if (this.#ranSince.size < maxOthers) return;
    for (const pool of this.#pools) {
      const views = pool.list();
      if (views.some(({ state }) => state !== 'ready')) continue;
      for (const { sessionId } of views) pool.endSession(sessionId);
    }
  }
}
