/** The client of the API in the real Firefox: through a hidden frame of the same site, and through a window of another. */

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as Client from '../../src/embed/client/index.ts';
import { startOtherSite, type OtherSite } from '../support/other-site.ts';
import { answer, asked, click, dropFiles, isFull, press, useFirefox } from './firefox.ts';
import { go } from './session.ts';

const firefox = useFirefox();
const patience = { timeout: 90_000, interval: 100 };
const counting = `
import asyncio

async def count(to):
    for n in range(to):
        yield n
        await asyncio.sleep(0.02)
    yield "done"

async def wait():
    await asyncio.sleep(600)

def _spec(handler, **properties):
    return {"name": f"demo:{handler.__name__}", "description": "Demo.", "handler": handler,
            "parameters": {"type": "object", "properties": properties}}

TOOL_SPECS = [_spec(count, to={"type": "integer"}), _spec(wait)]
`;

let sameSite: OtherSite;
let otherSite: OtherSite;
let docs: Page;
beforeAll(async () => {
  const { page, url } = firefox();
  sameSite = await startOtherSite('localhost', new URL(url).origin);
  otherSite = await startOtherSite('127.0.0.1', new URL(url).origin);
  await dropFiles(page, { 'demo.py': counting });
  docs = await page.browser().newPage();
});
afterAll(async () => {
  await docs.close();
  await sameSite.close();
  await otherSite.close();
});

async function open({ origin }: OtherSite): Promise<void> {
  await docs.goto(origin);
  await vi.waitFor(async () => {
    expect(await docs.title()).toBe('ready');
  }, patience);
}

/** Runs in the page: connects through a frame. */
function overFrame(address: string): Promise<string> {
  const page = globalThis as unknown as { client: typeof Client; connecting?: unknown };
  const connecting = page.client.connect(address);
  page.connecting = connecting;
  return connecting.then(
    () => 'connected',
    (thrown: unknown) => (thrown as Client.ClocheError).code,
  );
}

/** Runs in the page that has begun to connect: streams a call, and cancels another. */
async function use(): Promise<unknown> {
  const page = globalThis as unknown as { connecting: Promise<Client.Cloche> };
  const cloche = await page.connecting;
  const events: string[] = [];
  for await (const event of cloche.stream('demo:count', { to: 2 }))
    events.push(event.type === 'result' ? event.result.textResultForLlm : event.type);
  const cancelled = cloche.stream('demo:wait');
  const { value } = await cancelled.next();
  await cloche.cancel(value?.type === 'call' ? value.callId : '');
  for await (const event of cancelled)
    if (event.type === 'result') events.push(event.result.error ?? '');
  const refused = await cloche.runs.list().catch((thrown: unknown) => {
    return (thrown as Client.ClocheError).code;
  });
  return { events, refused };
}

const used = {
  events: ['call', 'update', 'update', 'update', 'done', 'cancelled'],
  refused: 'own-origin-only',
};

test('a page of the same site connects through a hidden frame', async () => {
  const { page, url } = firefox();
  await open(sameSite);
  const connected = docs.evaluate(overFrame, url);
  await answer(page, `Allow ${sameSite.origin} to call tools in Cloche?`, 'Always allow');
  expect(await connected).toBe('connected');
  expect(await docs.evaluate(use)).toEqual(used);
});

test('a page of another site connects through a window', async () => {
  const { page, url } = firefox();
  await open(otherSite);
  expect(await docs.evaluate(overFrame, url)).toBe('needs-window');
  await docs.bringToFront();
  await press(docs, 'button');
  await answer(page, `Allow ${otherSite.origin} to call tools in Cloche?`, 'Always allow');
  expect(await docs.evaluate(use)).toEqual(used);
  await docs.evaluate(async () => {
    (await (globalThis as unknown as { connecting: Promise<Client.Cloche> }).connecting).close();
  });
});

// grants.test.ts tests row 48 for the hosts that tools try to reach.
if (isFull)
  test('row 48: the user is asked about four of many ports of a host, and about none after “Never for all of these”', async () => {
    const { page, url } = firefox();
    const app = new URL(url).origin;
    const sites = await Promise.all(
      Array.from({ length: 7 }, () => startOtherSite('localhost', app)),
    );
    const pages = await Promise.all(sites.map(() => page.browser().newPage()));
    const connect = async (n: number): Promise<() => Promise<string>> => {
      const other = pages[n]!;
      await other.goto(sites[n]!.origin);
      await vi.waitFor(async () => {
        expect(await other.title()).toBe('ready');
      }, patience);
      const ended = other.evaluate(overFrame, url);
      return () => ended;
    };
    const ends: (() => Promise<string>)[] = [];
    for (let n = 0; n < 6; n += 1) ends.push(await connect(n));
    await page.bringToFront();
    await answer(page, '1 of 4', 'Never for all of these');
    const refused = await Promise.all(ends.map((end) => end()));
    expect(refused).toEqual(Array(6).fill('origin-not-allowed'));
    const last = sites.length - 1;
    expect(await (await connect(last))()).toBe('origin-not-allowed');
    expect(await asked(page)).toBe('');
    // Control: once the user has unblocked the other sites, the same origin causes a question, and connects.
    await go(page, '#/settings/sites');
    await page.bringToFront();
    await click(page, 'button', 'Unblock all other sites');
    const again = await connect(last);
    await page.bringToFront();
    await answer(page, sites[last]!.origin, 'Always allow');
    expect(await again()).toBe('connected');
    await Promise.all([...pages.map((one) => one.close()), ...sites.map((site) => site.close())]);
  });
