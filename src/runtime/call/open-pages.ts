/** Detects which pages of the app are open: each holds its own lock until it closes. */

import type { OpenPages } from './stored-calls.ts';

/** @returns null if the browser has no locks; open pages cannot be detected then */
export function openPages(
  locks: LockManager | undefined,
  basePath: string,
  own: string,
): OpenPages | null {
  if (locks === undefined) return null;
  const prefix = `cloche-open:${basePath}:`;
  // Pages of older builds hold `cloche-page:`, which the service worker reads as the lock of a page that answers it.
  const prefixes = [prefix, `cloche-page:${basePath}:`];
  const held = new Promise<void>((resolve, reject) => {
    locks
      .request(`${prefix}${own}`, () => {
        resolve();
        return new Promise<never>(() => {});
      })
      .catch(reject);
  });
  held.catch(() => undefined);
  return {
    own,
    living: async () => {
      await held;
      const { held: all = [] } = await locks.query();
      return new Set(
        all.flatMap(({ name = '' }) =>
          prefixes
            .filter((start) => name.startsWith(start))
            .map((start) => name.slice(start.length)),
        ),
      );
    },
  };
}
