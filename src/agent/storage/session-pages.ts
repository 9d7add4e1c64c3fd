/** Coordinates pages with the same session: a lock decides which page writes, and a channel passes messages. */

import { openChannel } from '../../runtime/async/channel.ts';
import { parseSessionMessage } from '../../runtime/protocol/session-pages.ts';
import type { SessionPages } from '../session/log/session-claim.ts';
import { takeLock, type Locks } from '../../runtime/async/take-lock.ts';

/** @param locks undefined if the browser has none; then every page writes */
export function openSessionPages(locks: Locks | undefined, basePath: string): SessionPages {
  const channel = openChannel(`cloche:${basePath}:sessions`);
  return {
    exclusive: locks !== undefined,
    take: (session, options) => takeLock(locks, `cloche-session:${basePath}:${session}`, options),
    send: (message) => channel?.postMessage(message),
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
