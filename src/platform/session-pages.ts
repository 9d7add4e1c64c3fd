/** Coordinates pages with the same session: a lock decides which page writes, and a channel passes messages. */

import { openChannel } from './channel.ts';
import { parseSessionMessage } from '../protocol/session-pages.ts';
import type { ReleaseClaim, SessionPages } from '../session/log/session-claim.ts';

type Locks = Pick<LockManager, 'request'>;

/** @param locks undefined if the browser has none; then every page writes */
export function openSessionPages(locks: Locks | undefined, basePath: string): SessionPages {
  const channel = openChannel(`cloche:${basePath}:sessions`);
  return {
    exclusive: locks !== undefined,
    take: async (session, steal, onLost) =>
      locks === undefined
        ? () => Promise.resolve()
        : take(locks, `cloche-session:${basePath}:${session}`, steal, onLost),
    send: (message) => {
      channel?.postMessage(message);
    },
    observe: (listener) => {
      const onMessage = ({ data }: MessageEvent<unknown>): void => {
        const message = parseSessionMessage(data);
        if (message !== null) listener(message);
      };
      channel?.addEventListener('message', onMessage);
      return () => channel?.removeEventListener('message', onMessage);
    },
  };
}

/** A browser that refuses the use of locks is treated like one without them. */
function take(
  locks: Locks,
  name: string,
  steal: boolean,
  onLost: () => void,
): Promise<ReleaseClaim | null> {
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
    const ended = locks.request(name, steal ? { steal } : { ifAvailable: true }, hold).catch(() => {
      if (isHeld) onLost();
      else resolve(() => Promise.resolve());
    });
  });
}
