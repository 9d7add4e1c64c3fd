/** Notices that a connection may have ended although nothing is asked of the server: its process may have exited. */

import type { Client } from '@modelcontextprotocol/client';
import { keepSubscribed } from './keep-subscribed.ts';
import type { Reports } from './server-reports.ts';

/** How the client begins to say that it no longer opens the stream of the server again. */
const givenUp = /^Maximum reconnection attempts\b/;

/**
 * Follows the streams of a connection, and reports when one has ended and could not be opened again. The page then asks
 * whether the server still answers.
 *
 * @param isCurrent whether the connection has not been replaced or closed by Cloche itself
 */
export function watchConnection(
  client: Client,
  reports: Pick<Reports, 'toolsChanged' | 'offersChanged' | 'closed'>,
  isCurrent: () => boolean,
): void {
  const onEnd = (): void => {
    if (isCurrent()) reports.closed();
  };
  // The stream of a server of 2024-11-05 is its connection.
  client.onclose = onEnd;
  client.onerror = ({ message }) => {
    if (givenUp.test(message)) onEnd();
  };
  if (client.autoOpenedSubscription === undefined) return;
  const onGap = (): void => {
    reports.toolsChanged();
    reports.offersChanged();
  };
  void keepSubscribed(client, onGap).then(onEnd);
}
