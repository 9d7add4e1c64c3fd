/** An MCP server in WebKit, whose worker sends the requests: the server is added, its tools are listed, called and stopped. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sleep, startMcpServer, type TestServer } from '../support/mcp-server.ts';
import { click, fill, shows, useFirefox } from '../firefox/firefox.ts';

const webkit = useFirefox();
let server: TestServer;

beforeAll(async () => {
  server = await startMcpServer({
    tools: [
      { name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } },
      { name: 'slow', inputSchema: { type: 'object' } },
    ],
    run: async (name, { args, progress, signal }) => {
      progress(1, 4, 'first quarter');
      if (name === 'slow') await sleep(signal, 300_000);
      return { content: [{ type: 'text', text: `It said ${String(args.text)}.` }] };
    },
  });
});
afterAll(() => server.close());

test('a server is added, and its tools are listed, called and stopped', async () => {
  const { page } = webkit();
  const key = `local${new URL(server.url).port}`;
  await page.evaluate(() => {
    location.hash = '#/servers';
  });
  await fill(page, '::-p-aria([name="Address of an MCP server"][role="textbox"])', server.url);
  await click(page, 'button', 'Add server');
  await shows(page, '2 tools');
  await click(page, 'link', `${key}:echo`);
  await fill(page, '::-p-aria([name="text"][role="textbox"])', 'hello');
  await click(page, 'button', 'Run');
  await shows(page, 'It said hello.');
  await page.evaluate((name) => {
    location.hash = `#/tools/${name}`;
  }, `${key}:slow`);
  await click(page, 'button', 'Run');
  await shows(page, 'first quarter');
  await click(page, 'button', 'Stop');
  await vi.waitFor(() => expect(server.cancelled).toEqual(['slow']), { timeout: 30_000 });
});
