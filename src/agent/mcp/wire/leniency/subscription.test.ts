/** Servers of the latest revision that do not acknowledge the subscription to their changes. */

import { expect, test } from 'vitest';
import { connected, sloppyServer } from './sloppy-server.fixture.ts';

const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

/** A stream that stays open. */
function listening(...messages: readonly object[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const text = messages.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
      controller.enqueue(new TextEncoder().encode(text === '' ? ': open\n\n' : text));
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

function serverThatListens(reply: (id: unknown) => Response) {
  return sloppyServer({
    'server/discover': () => ({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    }),
    'subscriptions/listen': reply,
  });
}

test('a subscription that is not acknowledged delays connecting by seconds only, and works', async () => {
  const server = serverThatListens(() => listening());
  expect(await connected(server)).toMatchObject({ era: 'modern' });
  expect(await server.problems()).toEqual([
    'subscriptions/listen: the stream does not begin with notifications/subscriptions/acknowledged.',
  ]);
});

test('a change before the acknowledgement is not lost', async () => {
  const server = serverThatListens(() => listening(changed));
  const before = performance.now();
  await connected(server);
  expect(performance.now() - before).toBeLessThan(2_500);
  let isChanged = false;
  for (let n = 0; n < 5 && !isChanged; n += 1)
    isChanged = (await server.worker.next()).toolsChanged;
  expect(isChanged).toBe(true);
});

test('a subscription that the server acknowledges is not acknowledged again', async () => {
  const server = serverThatListens((id) =>
    listening({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { toolsListChanged: true },
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      },
    }),
  );
  await connected(server);
  expect(await server.problems()).toEqual([]);
});
