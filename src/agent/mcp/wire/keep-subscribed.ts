/** Keeps the subscription to the changes of a server of the latest revision: servers and proxies may end its stream at any time. */

import type { Client, McpSubscription } from '@modelcontextprotocol/client';

/** The first wait before subscribing again, which doubles each time, and the longest; milliseconds. */
const firstMs = 1_000;
const longestMs = 60_000;
/** After this many failures in a row, the server is not asked again. */
const maxFailures = 5;
const openMs = 10_000;

/**
 * Resolves when the connection ends, or when the server refuses to be subscribed to.
 * @param onGap called when a new subscription has begun: changes before it may have been missed
 */
export async function keepSubscribed(
  client: Pick<Client, 'autoOpenedSubscription' | 'listen' | 'transport'>,
  onGap: () => void,
): Promise<void> {
  let subscription: McpSubscription | undefined = client.autoOpenedSubscription;
  let shortStreams = 0;
  while (subscription !== undefined) {
    const began = performance.now();
    const { honoredFilter } = subscription;
    if ((await subscription.closed) === 'local') return;
    // A server that ends each stream at once is not asked more often than one that refuses.
    shortStreams = performance.now() - began < firstMs ? shortStreams + 1 : 0;
    subscription = await again(client, honoredFilter, shortStreams);
    if (subscription !== undefined) onGap();
  }
}

async function again(
  client: Pick<Client, 'listen' | 'transport'>,
  filter: McpSubscription['honoredFilter'],
  failures: number,
): Promise<McpSubscription | undefined> {
  for (let failed = failures; failed < maxFailures; failed += 1) {
    const ms = Math.min(firstMs * 2 ** failed, longestMs);
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (client.transport === undefined) return undefined;
    try {
      return await client.listen(filter, { timeout: openMs });
    } catch {
      // The loop tries again.
    }
  }
  return undefined;
}
