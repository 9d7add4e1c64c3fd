/** Notices that a connection may have ended although no request waits for an answer: its process may have exited. */

import type { Client } from '@modelcontextprotocol/client';
import { keepSubscribed } from './keep-subscribed.ts';
import type { Reports } from './server-reports.ts';

/** The start of the client’s error when it gives up reopening the server’s stream. */
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
  // For a server of revision 2024-11-05, the stream is the connection.
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
