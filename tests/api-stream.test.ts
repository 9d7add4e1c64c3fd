/** Calls over the API as an event stream, as another page of the same origin reads it. */

import type { Page } from '@playwright/test';
import { invoke, scanned } from './support/app.ts';
import { readOn, readStream, type StreamRead } from './support/event-stream.ts';
import { expect, test } from './support/shared-page.ts';
import { expectNoStall } from './support/stalls.ts';
import { stored } from './support/stored.ts';

const ticking = `
import asyncio, time

beats = 0

async def ticks(count: int, seconds: float):
    """Ticks."""
    for n in range(count):
        print("line", n)
        yield {"tick": n}
        await asyncio.sleep(seconds)

async def beat(context):
    """Beats until it is stopped."""
    global beats
    while True:
        beats += 1
        context.update(beats)
        await asyncio.sleep(0.02)

async def count() -> int:
    """How often it has beaten, and whether it still does."""
    before = beats
    await asyncio.sleep(0.2)
    if beats != before:
        raise RuntimeError("It still beats.")
    return beats

def spin(context):
    """Goes on for ever, and hears nothing."""
    n = 0
    while True:
        n += 1
        context.update(n)

def many(count: int):
    """Yields numbers."""
    for n in range(count):
        yield n
    return "all"

def hostile(context):
    """Would like to speak for the stream."""
    print("\\n\\nevent: result\\ndata: {}\\n\\n\\r\\r", end="")
    context["metadata"]["\\n\\nevent: result"] = "\\r\\n\\r\\n"
    yield "\\n\\nevent: result\\ndata: {}\\n\\n"
    return "\\r\\n\\r\\nevent: error\\r\\n\\r\\n"

def _spec(handler, properties=None):
    return {"name": f"t:{handler.__name__}", "description": handler.__doc__, "handler": handler,
            "parameters": {"type": "object", "properties": properties or {}}}

N = {"type": "number"}
TOOL_SPECS = [_spec(ticks, {"count": {"type": "integer"}, "seconds": N}), _spec(beat), _spec(count), _spec(spin),
              _spec(many, {"count": {"type": "integer"}}), _spec(hostile)]
`;

test.setTimeout(180_000);

let second: Page;
test.beforeAll(async ({ shared }) => {
  await shared.open({ 't.py': ticking });
  // A page under the app's base path that is not the app.
  second = await shared.page.context().newPage();
  await second.goto('./license.txt');
});

test.beforeEach(({ trouble }) => {
  // The page that is not the app has no icon, and refusals are part of what is tested.
  trouble.expect(/status of (404|409)/);
});

const named = ({ events }: StreamRead, name: string): StreamRead['events'] =>
  events.filter((event) => event.name === name);

function running(page: Page): Promise<number> {
  return page.evaluate(() => globalThis.cloche.calls.running.length);
}

test('updates and output come while the call runs, and the result last', async () => {
  const read = await readStream(second, 't:ticks', { args: { count: 4, seconds: 0.5 } });
  expect([read.status, read.type, read.ending]).toEqual([200, 'text/event-stream', 'end']);
  const [first] = read.events;
  const last = read.events.at(-1);
  expect([first?.name, last?.name]).toEqual(['call', 'result']);
  expect(named(read, 'update').map(({ data }) => data.json)).toEqual(
    [0, 1, 2, 3].map((tick) => `{"tick": ${tick}}`),
  );
  const text = named(read, 'output').map(({ data }) => data.text);
  expect(text.join('')).toBe('line 0\nline 1\nline 2\nline 3\n');
  expect(last?.data).toMatchObject({ resultType: 'success', textResultForLlm: '{"tick": 3}' });
  // Each as it happens: between the first and the last update lie three sleeps.
  const early = named(read, 'update')[0]?.at ?? 0;
  const late = last?.at ?? 0;
  expect(late - early).toBeGreaterThan(1_200);
});

test('aborting the request really stops Python', async ({ page }) => {
  // Again if the handler did not end in time, so that its interpreter was replaced.
  await expect(async () => {
    const read = await readStream(second, 't:beat', { stopAt: { name: 'update', count: 3 } });
    expect(read.ending).toBe('stopped');
    await expect.poll(() => running(page)).toBe(0);
    const { textResultForLlm } = await invoke(page, 't:count');
    expect(Number(textResultForLlm)).toBeGreaterThan(2);
  }).toPass();
});

test('aborting ends also what hears nothing, and the next call works', async ({ page }) => {
  await readStream(second, 't:spin', { stopAt: { name: 'update', count: 3 } });
  await expect.poll(() => running(page)).toBe(0);
  expect(await invoke(page, 't:count')).toMatchObject({ textResultForLlm: '0', stateLost: true });
});

test('DELETE ends a call for all who wait for it', async ({ page }) => {
  const headers = { 'idempotency-key': 'to-delete' };
  const reading = [
    readStream(second, 't:beat', { headers }),
    readStream(page, 't:beat', { headers }),
  ];
  await expect.poll(() => running(page)).toBe(1);
  const id = await page.evaluate(() => globalThis.cloche.calls.running[0]?.id ?? '');
  const cancel = (): Promise<number> =>
    second.evaluate(
      async (call) => (await fetch(`api/calls/${call}`, { method: 'DELETE' })).status,
      id,
    );
  expect(await cancel()).toBe(202);
  for (const { events } of await Promise.all(reading))
    expect(events.at(-1)).toMatchObject({ name: 'result', data: { error: 'cancelled' } });
  expect(await cancel()).toBe(409);
});

test('what a tool writes never becomes an event of its own', async () => {
  const read = await readStream(second, 't:hostile');
  expect(read.events.map(({ name }) => name)).toEqual(['call', 'output', 'update', 'result']);
});

test('a stream that was cut is taken up again where it was, also after the page was reloaded', async ({
  page,
}) => {
  const headers = { 'idempotency-key': 'to-rejoin' };
  const args = { count: 6, seconds: 0.3 };
  const whole = readStream(page, 't:ticks', { args, headers });
  const cut = await readStream(second, 't:ticks', {
    args,
    headers,
    stopAt: { name: 'update', count: 2 },
  });
  const last = cut.events.at(-1)?.id ?? '';
  const rest = await readStream(second, 't:ticks', {
    args,
    headers: { ...headers, 'last-event-id': last },
  });
  const ticks = (read: StreamRead): unknown[] => named(read, 'update').map(({ data }) => data.n);
  expect([...ticks(cut), ...ticks(rest)]).toEqual([0, 1, 2, 3, 4, 5]);
  const result = (await whole).events.at(-1)?.data;
  expect(rest.events.at(-1)?.data).toEqual(result);

  // The log is written a moment after a call.
  await expect.poll(() => stored(page, 'calls', String(result?.callId))).toBeTruthy();
  await page.reload();
  await scanned(page);
  const again = await readStream(second, 't:ticks', { args, headers });
  expect(again.events.at(-1)?.data).toMatchObject({ callId: result?.callId });
  expect(ticks(again)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('an EventSource can look on', async ({ page }) => {
  const watched = second.evaluate(async () => {
    const started = await fetch('api/tools/t:ticks/invoke', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"arguments": {"count": 3, "seconds": 0.5}}',
    });
    const id = started.headers.get('cloche-call') ?? '';
    const source = new EventSource(`api/calls/${id}`);
    const seen: string[] = [];
    for (const name of ['call', 'update', 'result'])
      source.addEventListener(name, () => seen.push(name));
    source.onerror = () => seen.push(`state ${source.readyState}`);
    await started.text();
    while (!seen.includes('state 0'))
      await new Promise((resolve) => source.addEventListener('error', resolve, { once: true }));
    source.close();
    // An EventSource reconnects after every end of a stream, unless the last message prevents it.
    const events = { headers: { accept: 'text/event-stream' } };
    const text = await (await fetch(`api/calls/${id}`, events)).text();
    return [...seen, ...(text.match(/^retry: .*$/gm) ?? [])];
  });
  const updates = ['update', 'update', 'update'];
  expect(await watched).toEqual(['call', ...updates, 'result', 'state 0', 'retry: 86400000']);
  expect(await running(page)).toBe(0);
});

// In interpreters.test.ts, the page itself receives a million updates.
test('200,000 updates do not stall the page', async ({ page }) => {
  let read: StreamRead | undefined;
  await expectNoStall(page, async () => {
    read = await readStream(second, 't:many', { args: { count: 200_000 } });
  });
  if (!read) throw new Error('not read');
  expect(read.events.at(-1)?.data).toMatchObject({
    resultType: 'success',
    textResultForLlm: 'all',
  });
  const numbers = named(read, 'update').map(({ data }) => Number(data.n));
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.at(-1)).toBe(199_999);
});

test('a reader that does not read costs no memory', { tag: '@timing' }, async ({ page }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable');
  const heap = async (): Promise<number> => {
    await client.send('HeapProfiler.collectGarbage');
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  };
  const before = await heap();
  const reading = readStream(second, 't:many', { args: { count: 1_000_000 }, waits: true });
  await expect.poll(() => running(page)).toBe(1);
  await expect.poll(() => running(page), { timeout: 90_000 }).toBe(0);
  const grown = ((await heap()) - before) / 1e6;
  expect(grown).toBeLessThan(30);
  await readOn(second);
  const read = await reading;
  expect(read.events.at(-1)).toMatchObject({ name: 'result', data: { textResultForLlm: 'all' } });
  expect(read.chars).toBeLessThan(20_000_000);
});

// Closes the app's page.
test('closing the app page in mid-stream ends the stream with an event that says so', async ({
  page,
}) => {
  const beating = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        globalThis.cloche.calls.observe(({ type }) => {
          if (type === 'call-stream') resolve();
        });
      }),
  );
  const reading = readStream(second, 't:beat');
  await beating;
  await page.close();
  const { events, ending } = await reading;
  expect(ending).toBe('end');
  expect(events.at(-1)).toMatchObject({
    name: 'error',
    data: { status: 503, code: 'page-closed' },
  });
});
