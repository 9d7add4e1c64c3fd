/**
 * Lets the playgrounds of a page that have the same files share one Python. The frame that starts it first has it; the others
 * send it their calls over a channel that only frames of this app on this page hear. When it goes, another takes its place.
 */

import type { PlaygroundDeps } from '../app/compose.ts';
import type { FolderInterpreters } from '../app/folder/folder-interpreters.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import { sha256Of } from '../spec/sha256.ts';
import type { Wheel } from '../spec/wheel.ts';
import { BorrowedInterpreters } from './borrowed-interpreters.ts';
import { lend } from './lent-interpreters.ts';
import { PageMemory } from './page-memory.ts';
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
