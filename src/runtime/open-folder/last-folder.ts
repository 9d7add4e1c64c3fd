/** Remembers the folder that was open last: a reloaded tab reopens its own, a new tab the last one of any tab. */

import type { LastFolder } from '../folder/known-folder.ts';

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
  const read = (memory: Memory | null, name: string): string | null => {
    try {
      return memory?.getItem(name) ?? null;
    } catch {
      return null;
    }
  };
  const write = (memory: Memory | null, name: string, value: string): void => {
    try {
      memory?.setItem(name, value);
    } catch {
      // Without storage, the folder is not reopened at the next visit.
    }
  };
  return {
    get() {
      const id = read(ofTab, key) ?? read(ofAll, key) ?? none;
      return id === none ? null : id;
    },
    set(id) {
      write(ofTab, key, id ?? none);
      write(ofAll, key, id ?? none);
    },
    attempt() {
      const made = Number(read(ofTab, attempts) ?? 0);
      write(ofTab, attempts, String(made + 1));
      return made < 2;
    },
    settled() {
      write(ofTab, attempts, '0');
    },
  };
}
