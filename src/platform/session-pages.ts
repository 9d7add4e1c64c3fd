/** Pages that have one session open: a lock says which of them writes it, a channel what the others need to hear. */

import { parseSessionMessage } from '../protocol/session-pages.ts';
import type { ReleaseClaim, SessionPages } from '../session/log/session-claim.ts';

type Locks = Pick<LockManager, 'request'>;

/** @param locks undefined where the browser has none: then every page writes */
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
      const hear = ({ data }: MessageEvent<unknown>): void => {
        const message = parseSessionMessage(data);
        if (message !== null) listener(message);
      };
      channel?.addEventListener('message', hear);
      return () => channel?.removeEventListener('message', hear);
    },
  };
}

/** A browser that has locks and refuses their use is as one that has none. */
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
      return new Promise((giveBack) => {
        resolve(() => {
          giveBack();
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

/** Null where there is none, or the browser's settings forbid it: then each page keeps to itself. */
function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
