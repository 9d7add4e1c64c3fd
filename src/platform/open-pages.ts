/** Which pages of the app live: each holds a lock of its own for as long as it does. */

import type { OpenPages } from '../call/calls-under-way.ts';

/** @returns null where the browser has no locks: pages cannot be told from those that are gone */
export function openPages(
  locks: LockManager | undefined,
  basePath: string,
  own: string,
): OpenPages | null {
  if (locks === undefined) return null;
  const prefix = `cloche-page:${basePath}:`;
  const held = new Promise<void>((resolve, reject) => {
    locks
      .request(`${prefix}${own}`, () => {
        resolve();
        return forEver();
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
          name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
        ),
      );
    },
  };
}

function forEver(): Promise<never> {
  return new Promise(() => {});
}
