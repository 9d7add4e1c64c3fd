/** `api/mcp`, with the official client in another page of the app's origin, in each era. */

import type { Page } from '@playwright/test';
import { addMcpClient } from './support/mcp-page.ts';
import { answer, nothingAsked, question } from './support/questions.ts';
import { expect, test } from './support/shared-page.ts';

const tools = `
import asyncio

async def count(context, to):
    for n in range(to):
        context.update({"progress": (n + 1) / to})
        await asyncio.sleep(0.02)
    return {"big": 12345678901234567891}

async def ask(context):
    return "yes" if await context.approve("May I?") else "no"

def fails():
    raise ValueError("no way")

def _spec(handler, **more):
    return {"name": f"demo:{handler.__name__}", "description": "Demo.", "handler": handler,
            "parameters": {"type": "object", "properties": {"to": {"type": "integer"}}}, **more}

TOOL_SPECS = [_spec(count, returns={"type": "object"}), _spec(ask), _spec(fails)]
`;

declare global {
  /** In the page of the client: its question to its user, and the user's answer. */
  var asked: string;
  var reply: (action: 'accept' | 'decline') => void;
  var ask: () => Promise<unknown>;
}

test.beforeAll(({ shared }) => shared.open({ 'demo.py': tools }, 'demo'));

/** A page of the same origin, with the client. */
async function clientPage(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto('./license.txt');
  await addMcpClient(other);
  return other;
}

test('the official client lists, calls, asks, cancels and gets errors, in each era', async ({
  page,
}) => {
  const other = await clientPage(page);
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const)
    await test.step(`the era ${JSON.stringify(mode)}`, async () => {
      const seen = await other.evaluate(async (versions) => {
        const client = new mcpClient.Client(
          { name: 'test', version: '1' },
          { capabilities: { elicitation: {} }, versionNegotiation: { mode: versions } },
        );
        const asked: string[] = [];
        client.setRequestHandler('elicitation/create', ({ params }) => {
          asked.push(params.message);
          return { action: 'accept', content: {} };
        });
        const url = new URL('api/mcp', location.href);
        await client.connect(new mcpClient.StreamableHTTPClientTransport(url));
        const listed = await client.listTools();
        const progress: number[] = [];
        const counted = await client.callTool(
          { name: 'count', arguments: { to: 2 } },
          { onprogress: (one) => progress.push(one.progress) },
        );
        const allowed = await client.callTool({ name: 'ask', arguments: {} });
        const failed = await client.callTool({ name: 'fails', arguments: {} });
        const unknown = await client
          .callTool({ name: 'nope', arguments: {} })
          .catch((error: unknown) => String(error));
        const stop = new AbortController();
        const stopped = client.callTool(
          { name: 'count', arguments: { to: 500 } },
          { signal: stop.signal, onprogress: () => stop.abort() },
        );
        await stopped.catch(() => undefined);
        await client.close();
        const names = listed.tools.map(({ name }) => name);
        return { names, progress, counted, allowed, asked, failed, unknown };
      }, mode);
      expect(seen.names).toEqual(['count', 'ask', 'fails']);
      expect(seen.progress).toEqual([0.5, 1]);
      expect(seen.counted.content).toEqual([
        { type: 'text', text: '{"big": 12345678901234567891}' },
      ]);
      expect(seen.allowed.content).toEqual([{ type: 'text', text: 'yes' }]);
      expect(seen.asked[0]).toContain('May I?');
      expect(seen.failed).toMatchObject({ isError: true });
      expect(seen.unknown).toContain('Unknown tool: nope');
      // A call that its client has cancelled is logged as cancelled, under the caller's name.
      await expect
        .poll(() =>
          page.evaluate(() => {
            const [last] = globalThis.cloche.log.recent(1);
            return [last?.call.caller, last?.result.error];
          }),
        )
        .toEqual(['mcp', 'cancelled']);
    });
  await other.close();
});

test('the official client’s question and the page’s: the first answer counts, and closes the other one', async ({
  page,
}) => {
  const other = await clientPage(page);
  for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
    await test.step(`the era ${JSON.stringify(mode)}`, async () => {
      await other.evaluate(async (versions) => {
        const client = new mcpClient.Client(
          { name: 'test', version: '1' },
          { capabilities: { elicitation: {} }, versionNegotiation: { mode: versions } },
        );
        client.setRequestHandler('elicitation/create', (_, { mcpReq: { signal } }) => {
          signal.addEventListener('abort', () => (globalThis.asked = 'withdrawn'));
          globalThis.asked = 'open';
          return new Promise((resolve) => {
            globalThis.reply = (action) => resolve({ action, content: {} });
          });
        });
        const url = new URL('api/mcp', location.href);
        await client.connect(new mcpClient.StreamableHTTPClientTransport(url));
        globalThis.ask = async () => {
          const { content } = await client.callTool({ name: 'ask', arguments: {} });
          return content;
        };
      }, mode);
      const clientAsks = (): Promise<unknown> =>
        expect.poll(() => other.evaluate(() => globalThis.asked)).toBe('open');

      const byClient = other.evaluate(() => globalThis.ask());
      await expect(question(page)).toContainText('May I?');
      await clientAsks();
      await other.evaluate(() => globalThis.reply('accept'));
      expect(await byClient).toEqual([{ type: 'text', text: 'yes' }]);
      await nothingAsked(page);

      await other.evaluate(() => (globalThis.asked = 'not yet'));
      const byPage = other.evaluate(() => globalThis.ask());
      await clientAsks();
      await answer(page, /^approve$/i);
      if (mode === 'legacy')
        await expect.poll(() => other.evaluate(() => globalThis.asked)).toBe('withdrawn');
      // The client of 2026-07-28 learns it when it sends its own answer.
      else await other.evaluate(() => globalThis.reply('decline'));
      expect(await byPage).toEqual([{ type: 'text', text: 'yes' }]);
    });
  await other.close();
});

test('numbers stay exact on the wire', async ({ page }) => {
  const other = await clientPage(page);
  const answer = await other.evaluate(async () => {
    const meta =
      '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
    const response = await fetch(new URL('api/mcp', location.href), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'tools/call',
        'Mcp-Name': 'count',
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"to":1},"_meta":${meta}}}`,
    });
    return response.text();
  });
  expect(answer).toMatch(/"structuredContent":\{"big": ?12345678901234567891\}/);
  await other.close();
});
