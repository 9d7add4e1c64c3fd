/**
 * Lets the playgrounds of a page that have the same files share one Python. The frame that starts it first holds a lock; the
 * others send it their calls over a channel that only frames of this app on this page can hear. When that frame goes, the
 * next one takes its place.
 */

import type { PlaygroundDeps } from '../app/compose.ts';
import type { FolderInterpreters } from '../app/folder/folder-interpreters.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import { sha256Of } from '../spec/sha256.ts';
import type { Wheel } from '../spec/wheel.ts';
import { BorrowedInterpreters } from './borrowed-interpreters.ts';
import { LentInterpreters } from './lent-interpreters.ts';
import { SharingChannel } from './sharing-channel.ts';

export interface ShareDeps {
  /** Names the page; frames of other pages have another. */
  readonly page: string;
  readonly locks: LockManager;
  /** Opens a channel with this name. */
  readonly channel: (name: string) => BroadcastChannel;
  readonly newId: () => string;
}

export function shareInterpreters(deps: ShareDeps): PlaygroundDeps['shareInterpreters'] {
  const { locks, newId } = deps;
  return async (folder, wheels, open) => {
    const name = `cloche:playground:${deps.page}:${await folderKey(folder, wheels)}`;
    let channel: SharingChannel;
    let release: (() => void) | null;
    try {
      // Before the lock: whoever does not get it asks at once.
      channel = new SharingChannel(deps.channel(name));
      release = await takeLock(locks, name);
    } catch {
      // Some browsers and settings have no locks inside other sites: this playground has a Python of its own.
      return open();
    }
    return release === null
      ? new BorrowedInterpreters({ name, channel, locks, id: newId(), open })
      : new LentInterpreters({ channel, release, own: await open() });
  };
}

/** @returns a function that releases it; null if another frame holds it */
function takeLock(locks: LockManager, name: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(null);
          return undefined;
        }
        return new Promise<void>((release) => {
          resolve(release);
        });
      })
      .catch(reject);
  });
}

/** The same for folders with the same files and packages. */
async function folderKey({ files }: FolderSnapshot, wheels: readonly Wheel[]): Promise<string> {
  const hashes = await Promise.all(files.map(async ({ path, bytes }) => [path, await sha256Of(bytes)]));
  const text = JSON.stringify([hashes, wheels.map(({ filename }) => filename)]);
  return sha256Of(new TextEncoder().encode(text));
}
