/** The client of the API: from Cloche's own pages, and from other origins that the user has allowed. */

import type { Page } from '@playwright/test';
import type { Cloche, CallEvent, ClocheError } from '../src/embed/client/index.ts';
import type * as Client from '../src/embed/client/index.ts';
import { startOtherSite, type OtherSite } from './support/other-site.ts';
import { pressUntil } from './support/press-until.ts';
import { addMcpClient } from './support/mcp-page.ts';
import { answer, question } from './support/questions.ts';
import { expect, test } from './support/shared-page.ts';

const tools = `
import asyncio

async def count(to):
    for n in range(to):
        yield n
        await asyncio.sleep(0.02)
    yield "done"

async def wait():
    await asyncio.sleep(600)

def strict(value):
    return value * 2

def _spec(handler, requires_approval=False, **properties):
    return {"name": f"demo:{handler.__name__}", "description": "Demo.", "handler": handler,
            "requires_approval": requires_approval,
            "parameters": {"type": "object", "properties": properties, "required": list(properties)}}

TOOL_SPECS = [_spec(count, to={"type": "integer"}), _spec(wait), _spec(strict, True, value={"type": "integer"})]
`;

declare global {
  var client: typeof Client;
  var cloche_: Cloche;
  var connecting: Promise<Cloche> | undefined;
}

let sameSite: OtherSite;
let otherSite: OtherSite;
test.beforeAll(async ({ shared }, { project }) => {
  const app = new URL(project.use.baseURL ?? '').origin;
  sameSite = await startOtherSite('localhost', app);
  otherSite = await startOtherSite('127.0.0.1', app);
  await shared.open({ 'demo.py': tools }, 'demo');
});
test.afterAll(async () => {
  await sameSite.close();
  await otherSite.close();
});
test.beforeEach(({ trouble }) => {
  for (const { origin } of [sameSite, otherSite]) trouble.allowOrigin(origin);
  // Refusals are what is tested; the browser writes each on its console.
  trouble.expect(/status of (4|5)\d\d/);
});

/** A new page of an origin, whose title says that its script has run. */
async function openDocs(page: Page, { origin }: OtherSite): Promise<Page> {
  const docs = await page.context().newPage();
  await docs.goto(origin);
  await expect(docs).toHaveTitle('ready');
  return docs;
}

/** Begins to connect, through a frame; resolves with the code of the error, or `connected`. */
function connect(docs: Page, app: string): Promise<string> {
  return docs.evaluate(async (address) => {
    try {
      globalThis.cloche_ = await client.connect(address);
      return 'connected';
    } catch (thrown) {
      return (thrown as ClocheError).code;
    }
  }, app);
}

/** Lists, calls, streams and cancels, as a page of another origin. */
function useTools(docs: Page): Promise<Record<string, unknown>> {
  return docs.evaluate(async () => {
    const cloche = globalThis.cloche_;
    const codeOf = async (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => 'done',
        (thrown: unknown) => (thrown as ClocheError).code,
      );
    const { tools: listed, folder } = await cloche.list();
    const events: CallEvent['type'][] = [];
    let last = '';
    for await (const event of cloche.stream('demo:count', { to: 4 })) {
      events.push(event.type);
      if (event.type === 'result') last = event.result.textResultForLlm;
    }
    const stop = new AbortController();
    const ids: string[] = [];
    const aborted = codeOf(
      (async () => {
        for await (const event of cloche.stream('demo:wait', {}, { signal: stop.signal }))
          if (event.type === 'call') {
            ids.push(event.callId);
            stop.abort();
          }
      })(),
    );
    await aborted;
    const cancelled = cloche.stream('demo:wait');
    const { value } = await cancelled.next();
    const id = value?.type === 'call' ? value.callId : '';
    await cloche.cancel(id);
    const rest: CallEvent[] = [];
    for await (const event of cancelled) rest.push(event);
    const end = rest.at(-1);
    const runs = async (): Promise<boolean> => {
      const { done } = await cloche.calls({ state: 'running' }).next();
      return done !== true;
    };
    // The first call runs until the app learns that its request was cancelled.
    for (const began = Date.now(); await runs();) {
      if (Date.now() - began > 30_000) throw new Error('A cancelled call still runs after 30 s.');
      await new Promise((wake) => setTimeout(wake, 50));
    }
    const calls = [];
    for await (const { tool, site, error } of cloche.calls()) calls.push({ tool, site, error });
    return {
      folder,
      listed: listed.map(({ name }) => name),
      events,
      last,
      cancelled: end?.type === 'result' ? end.result.error : null,
      calls,
      refused: [
        await codeOf(cloche.sessions().next()),
        await codeOf(cloche.runs.list()),
        await codeOf(cloche.call('demo:count', { to: 1 }, { session: 's' })),
        await codeOf(cloche.json({ method: 'GET', path: '../index.html' })),
        await codeOf(cloche.get('demo:none')),
      ],
    };
  });
}

/** Lists and calls with the official client of MCP, through the bridge. */
function useMcp(
  docs: Page,
  mode: 'legacy' | 'auto' | { pin: '2026-07-28' },
): Promise<Record<string, unknown>> {
  return docs.evaluate(async (versions) => {
    const mcp = new mcpClient.Client(
      { name: 'docs', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: versions } },
    );
    let asked = 0;
    mcp.setRequestHandler('elicitation/create', () => {
      asked += 1;
      return { action: 'accept', content: {} };
    });
    const { url, fetch } = globalThis.cloche_.mcp();
    await mcp.connect(new mcpClient.StreamableHTTPClientTransport(url, { fetch }));
    const listed = await mcp.listTools();
    const progress: number[] = [];
    await mcp.callTool(
      { name: 'count', arguments: { to: 2 } },
      { onprogress: (one) => progress.push(one.progress) },
    );
    const doubled = await mcp.callTool({ name: 'strict', arguments: { value: 21 } });
    await mcp.close();
    const names = listed.tools.map(({ name }) => name);
    return { names, progress, asked, doubled: doubled.content };
  }, mode);
}

function expected({ origin }: OtherSite): Record<string, unknown> {
  return {
    folder: 'demo',
    listed: ['demo:count', 'demo:wait', 'demo:strict'],
    events: ['call', 'update', 'update', 'update', 'update', 'update', 'result'],
    last: 'done',
    cancelled: 'cancelled',
    calls: [
      { tool: 'demo:wait', site: origin, error: 'cancelled' },
      { tool: 'demo:wait', site: origin, error: 'cancelled' },
      { tool: 'demo:count', site: origin, error: null },
    ],
    refused: [
      'own-origin-only',
      'own-origin-only',
      'own-origin-only',
      'bad-request',
      'unknown-tool',
    ],
  };
}

test('a page of the same site connects through a hidden frame, once the user allows its origin', async ({
  page,
  baseURL,
}) => {
  const docs = await openDocs(page, sameSite);
  const connecting = connect(docs, baseURL!);
  await page.bringToFront();
  const asked = question(page);
  await expect(asked).toContainText(`Allow ${sameSite.origin} to call tools in Cloche?`);
  await asked.getByRole('button', { name: 'Not now' }).click();
  expect(await connecting).toBe('origin-not-allowed');
  // The user is not immediately asked about the site again.
  expect(await connect(docs, baseURL!)).toBe('origin-not-allowed');
  await expect(asked).toHaveCount(0);
  await docs.close();
});

test('a page of another site connects through a window', async ({ page, baseURL }) => {
  const docs = await openDocs(page, otherSite);
  // The browser gives a frame of another site storage of its own, where nothing is.
  expect(await connect(docs, baseURL!)).toBe('needs-window');
  const opening = page.context().waitForEvent('page');
  await docs.getByRole('button', { name: 'Connect' }).click();
  const bridge = await opening;
  await expect(bridge.getByText(`This window connects ${otherSite.origin}`)).toBeVisible();
  const asked = question(page);
  await expect(asked).toContainText(`Allow ${otherSite.origin} to call tools in Cloche?`);
  const connected = docs.evaluate(async () => {
    globalThis.cloche_ = (await globalThis.connecting)!;
    return 'connected';
  });
  await pressUntil(
    asked.getByRole('button', { name: 'Always allow' }),
    page.locator('body:not(:has(dialog[open]))'),
  );
  expect(await connected).toBe('connected');
  expect(await useTools(docs)).toEqual(expected(otherSite));

  // What the user has allowed for the site does not replace the approval of a call.
  const strict = docs.evaluate(() => globalThis.cloche_.call('demo:strict', { value: 21 }));
  await expect(asked).toContainText(`Called by a page of ${otherSite.origin}`);
  await expect(asked.getByRole('button', { name: /always/i })).toHaveCount(0);
  await pressUntil(
    asked.getByRole('button', { name: 'Allow once' }),
    page.locator('body:not(:has(dialog[open]))'),
  );
  expect(await strict).toMatchObject({ textResultForLlm: '42' });

  // The user revokes it, which ends its calls.
  const waiting = docs.evaluate(() => globalThis.cloche_.call('demo:wait'));
  await expect.poll(() => page.evaluate(() => globalThis.cloche.calls.running.length)).toBe(1);
  await page.goto('#/settings/sites');
  await page.getByRole('button', { name: `Revoke ${otherSite.origin}` }).click();
  expect(await waiting.catch(String)).toMatchObject({ error: 'cancelled' });
  const list = docs.evaluate(() =>
    globalThis.cloche_.list().catch((thrown: unknown) => (thrown as ClocheError).code),
  );
  expect(await list).toBe('origin-not-allowed');
  await docs.close();
});

test(
  'an allowed page of the same site uses the tools through the frame, and is not asked again',
  { tag: '@full' },
  async ({ page, baseURL }) => {
    await page.evaluate((origin) => {
      const allowed = [{ origin, allowed: true, since: 1 }];
      localStorage.setItem('cloche:sites:/', JSON.stringify(allowed));
    }, sameSite.origin);
    const docs = await openDocs(page, sameSite);
    expect(await connect(docs, baseURL!)).toBe('connected');
    expect(await useTools(docs)).toEqual(expected(sameSite));
    // The frame takes nothing of the app along: it has no folder, and shows nothing.
    const [, bridge] = docs.frames();
    expect(bridge?.url()).toBe(`${baseURL!}bridge.html`);
    await test.step('with the official client of MCP, under the same grants', async () => {
      await addMcpClient(docs);
      for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const) {
        const used = useMcp(docs, mode);
        // The user is asked in Cloche, not in the page that calls.
        await expect(question(page)).toContainText(`Called by a page of ${sameSite.origin}`);
        await answer(page, /^allow once$/i);
        expect(await used).toEqual({
          names: ['count', 'wait', 'strict'],
          progress: [1, 2, 3],
          asked: 0,
          doubled: [{ type: 'text', text: '42' }],
        });
      }
      const last = await page.evaluate(() => globalThis.cloche.log.recent(1)[0]?.call);
      expect(last).toMatchObject({ caller: 'mcp', site: sameSite.origin });
    });
    await docs.close();
  },
);

test('a page below the app’s address uses the client without a bridge', async ({ page }) => {
  const second = await page.context().newPage();
  await second.goto('./license.txt');
  const found = await second.evaluate(async () => {
    const { connect: open } = (await import(
      new URL('./cloche-client.js', location.href).href
    )) as typeof Client;
    const cloche = await open();
    const listings: (string | null)[] = [];
    const stop = new AbortController();
    await cloche.watch(stop.signal, ({ folder }) => {
      listings.push(folder);
      stop.abort();
    });
    const sessions = [];
    for await (const { id } of cloche.sessions()) sessions.push(id);
    return {
      listings,
      sessions,
      folders: (await cloche.folders()).map(({ name }) => name),
      runs: await cloche.runs.list(),
      frames: document.querySelectorAll('iframe').length,
    };
  });
  expect(found).toEqual({
    listings: ['demo'],
    sessions: [],
    folders: ['demo'],
    runs: [],
    frames: 0,
  });
  await second.close();
});
