/** Remembers the folder that was open last: a reloaded tab reopens its own, a new tab the last one of any tab. */

import type { LastFolder } from '../folder/known-folder.ts';
import { recall, remember } from '../spec/browser-storage.ts';

type Memory = Pick<Storage, 'getItem' | 'setItem'>;

const none = '';

/**
 * @param ofTab `sessionStorage`; null if the browser refuses it
 * @param ofAll `localStorage`; null if the browser refuses it
 * @param basePath separates the apps of one origin
 */
export function openLastFolder(
  ofTab: Memory | null,
  ofAll: Memory | null,
  basePath: string,
): LastFolder {
  const key = `cloche:${basePath}:folder`;
  const attempts = `${key}:attempts`;
  return {
    get() {
      const id = recall(ofTab, key) ?? recall(ofAll, key) ?? none;
      return id === none ? null : id;
    },
    set(id) {
      remember(ofTab, key, id ?? none);
      remember(ofAll, key, id ?? none);
    },
    attempt() {
      const attemptCount = Number(recall(ofTab, attempts) ?? 0);
      remember(ofTab, attempts, String(attemptCount + 1));
      return attemptCount < 2;
    },
    settled() {
      remember(ofTab, attempts, '0');
    },
  };
}
