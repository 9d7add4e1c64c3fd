/** `api/mcp` in the real Firefox, with the official client in another page of the app's origin, in each era. */

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addMcpClient } from '../support/mcp-page.ts';
import { dropFiles, useFirefox } from './firefox.ts';

const firefox = useFirefox();
const counting = `
import asyncio

async def count(context, to):
    for n in range(to):
        context.update({"progress": (n + 1) / to})
        await asyncio.sleep(0.02)
    return {"big": 12345678901234567891}

TOOL_SPECS = [{
    "name": "demo:count", "description": "Demo.", "handler": count,
    "parameters": {"type": "object", "properties": {"to": {"type": "integer"}}},
}]
`;

let other: Page;
beforeAll(async () => {
  const { page, url } = firefox();
  await dropFiles(page, { 'demo.py': counting });
  other = await page.browser().newPage();
  await other.goto(new URL('license.txt', url).href);
  await addMcpClient(other);
});
afterAll(() => other.close());

for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
  test(`the official client lists, calls, gets progress and cancels: ${JSON.stringify(mode)}`, async () => {
    const seen = await other.evaluate(async (versions) => {
      const client = new mcpClient.Client(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: versions } },
      );
      const url = new URL('api/mcp', location.href);
      await client.connect(new mcpClient.StreamableHTTPClientTransport(url));
      const { tools } = await client.listTools();
      const progress: number[] = [];
      const { content } = await client.callTool(
        { name: 'count', arguments: { to: 2 } },
        { onprogress: (one) => progress.push(one.progress) },
      );
      const stop = new AbortController();
      const stopped = client.callTool(
        { name: 'count', arguments: { to: 500 } },
        { signal: stop.signal, onprogress: () => stop.abort() },
      );
      const ending = await stopped.then(
        () => 'ended',
        () => 'stopped',
      );
      // Closing ends the requests that are on their way, and so would take the cancellation back.
      await client.listTools();
      await client.close();
      return { names: tools.map(({ name }) => name), progress, content, ending };
    }, mode);
    expect(seen).toEqual({
      names: ['count'],
      progress: [0.5, 1],
      content: [{ type: 'text', text: '{"big": 12345678901234567891}' }],
      ending: 'stopped',
    });
    const last = (): Promise<unknown> =>
      firefox().page.evaluate(() => {
        const [ended] = globalThis.cloche.log.recent(1);
        return [ended?.call.caller, ended?.result.error];
      });
    await vi.waitFor(async () => expect(await last()).toEqual(['mcp', 'cancelled']), {
      timeout: 30_000,
    });
  });
