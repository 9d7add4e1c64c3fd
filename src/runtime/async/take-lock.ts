/** Browser locks, which give one of several pages the right to do something. */

export type Locks = Pick<LockManager, 'request'>;

/** Releases the lock. Resolves when another page can take it. */
export type ReleaseLock = () => Promise<void>;

export interface TakeOptions {
  /** Whether to take the lock from the page that has it. */
  readonly steal?: boolean;
  /** Called when another page has stolen the lock. */
  readonly onLost?: () => void;
}

/**
 * Takes a lock, unless another page has it.
 *
 * @param locks undefined if the browser has none. Then, or if the browser refuses them, every page gets the lock
 * @returns release; null if another page has the lock
 */
export async function takeLock(
  locks: Locks | undefined,
  name: string,
  { steal = false, onLost = () => undefined }: TakeOptions = {},
): Promise<ReleaseLock | null> {
  if (locks === undefined) return () => Promise.resolve();
  return new Promise((resolve) => {
    let isHeld = false;
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      if (lock === null) {
        resolve(null);
        return undefined;
      }
      isHeld = true;
      return new Promise((release) => {
        resolve(() => {
          release();
          return ended;
        });
      });
    };
    // @mutant one page writes a session => ifAvailable: true -> mode: 'shared'
    //   [src/agent/storage/session-pages.test.ts]
    const ended = locks.request(name, steal ? { steal } : { ifAvailable: true }, hold).catch(() => {
      if (isHeld) onLost();
      else resolve(() => Promise.resolve());
    });
  });
}
