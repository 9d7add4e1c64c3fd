/** docs/decisions/attacks.md in the real Firefox, where frame and page share a process: the server's log shows what got through. */

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { callHere, countEndings, endingsHere, type EndedHere } from '../support/call-here.ts';
import { channelNames, heardHere, listenHere } from '../support/channels.ts';
import { startWitness, type Witness } from '../support/witness.ts';
import { processorTime } from '../support/processor-time.ts';
import { click, dropFiles, invoke, isFull, shows, useFirefox } from './firefox.ts';

const firefox = useFirefox();

let witness: Witness;
beforeAll(async () => {
  witness = await startWitness();
  const { page } = firefox();
  const sources = new URL('../threats/', import.meta.url);
  const names = ['escapes.py', 'floods.py', 'interfaces.py', 'own.py', 'slow.py'];
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, sources), 'utf8')));
  await dropFiles(page, Object.fromEntries(names.map((name, n) => [name, texts[n] ?? ''])));
});
afterAll(() => witness.close());
beforeEach(() => {
  const { trouble } = firefox();
  // Firefox reports every refusal, and what fails in the tool's own worker without anybody catching it.
  trouble.expect(/^uncaught/);
  trouble.expect(/foreign request/);
});

async function outcomes(tool: string, args: Record<string, unknown> = {}): Promise<string[]> {
  const { textResultForLlm, resultType } = await invoke(firefox().page, `escapes:${tool}`, args);
  expect(resultType, textResultForLlm).toBe('success');
  const answers = JSON.parse(textResultForLlm) as Record<string, string>;
  return Object.keys(answers).filter((name) => answers[name]?.startsWith('got'));
}

const call = (tool: string, args: Record<string, unknown> = {}) =>
  invoke(firefox().page, `floods:${tool}`, args);

async function nextCallWorks(): Promise<void> {
  expect((await call('say', { value: 'still here' })).textResultForLlm).toBe('still here');
}

test('rows 1 and 2: storage of the app is out of reach', async () => {
  // Firefox refuses this one by throwing `undefined`, after which Pyodide waits for ever: the call would end at its limit.
  expect(await outcomes('storage', { without: ['storage.estimate'] })).toEqual([]);
});

test('rows 3 to 7 and 9: nothing reaches the network, nor the app', async () => {
  const { url } = firefox();
  const got = await outcomes('network', { target: witness.origin, app: url });
  // Constructors that connect later return an object.
  const objects = ['EventSource', 'WebSocket'];
  expect(got.filter((name) => !objects.includes(name))).toEqual([]);
  expect(witness.log).toEqual([]);
});

test('row 4: libraries reach no host of this machine', async () => {
  expect(await outcomes('libraries', { target: witness.origin })).toEqual([]);
  expect(witness.log).toEqual([]);
});

test.for(['blob', 'data'])('row 8: workers of the tool’s own reach no more (%s)', async (kind) => {
  const { url } = firefox();
  expect(await outcomes('nested', { target: witness.origin, app: url, kind })).toEqual([]);
  expect(witness.log).toEqual([]);
});

test('rows 8 and 22: a tool has no workers of its own', async () => {
  const { textResultForLlm } = await invoke(firefox().page, 'escapes:makers_of_threads');
  expect(JSON.parse(textResultForLlm)).toEqual([]);
});

test('row 10: channels lead neither to the app nor back', async () => {
  const { page } = firefox();
  await page.evaluate(listenHere, channelNames);
  const args = { names: channelNames };
  const { textResultForLlm } = await invoke(page, 'escapes:broadcast', args);
  expect(JSON.parse(textResultForLlm)).toEqual([]);
  expect(await page.evaluate(heardHere)).toEqual([]);
});

test('row 23: no code is made from strings', async () => {
  expect(await outcomes('evaluate')).toEqual([]);
});

test('rows 17 to 20: messages in other forms, and forged answers, spoil nothing', async () => {
  const tools = ['odd_messages', 'bad_messages', 'forge', 'comlink'];
  for (const tool of tools) {
    expect(await call(tool)).toMatchObject({ resultType: 'success', textResultForLlm: 'done' });
    await nextCallWorks();
  }
  await nextCallWorks();
});

test('row 29: one result for each call, however often and however late it answers', async () => {
  const { page } = firefox();
  await page.evaluate(countEndings);
  const ended = (tool: string, stopAfterMs?: number): Promise<EndedHere> =>
    page.evaluate(callHere, [`floods:${tool}`, '{}', stopAfterMs] as const);
  const twice = await ended('answer_twice');
  expect(twice.result.textResultForLlm).toBe('forged');
  await nextCallWorks();
  const cancelled = await ended('answer_after_end', 500);
  expect(cancelled.result).toMatchObject({ error: 'cancelled', content: [] });
  expect((await call('heard_out')).textResultForLlm).toBe('spoken');
  const late = await ended('late');
  expect(late.result.textResultForLlm).toBe('first');
  expect((await call('heard_out')).textResultForLlm).toBe('spoken');
  await nextCallWorks();
  expect(await page.evaluate(endingsHere)).toEqual([1]);
});

test('row 21: Python’s heap is limited, and going over is an ordinary exception', async () => {
  expect((await call('allocate', { megabytes: 1_500 })).error).toMatch(/^MemoryError/);
  await nextCallWorks();
});

test('row 15: a loop that swallows every exception ends at its limit', async () => {
  expect((await call('stubborn')).error).toBe('timeout');
  await nextCallWorks();
});

test('row 16: a flood of messages ends its interpreter', async () => {
  const result = await call('flood', { count: 1_000_000, text: 'x' });
  expect(result.error).toBe('crashed');
  expect(result.textResultForLlm).toContain('too many messages');
  await nextCallWorks();
});

test('row 42: text that is slow to lay out is divided, and the page goes on', async () => {
  const { page } = firefox();
  await page.evaluate(() => {
    location.hash = '#/tools/slow:printed';
  });
  await shows(page, 'slow:printed');
  await click(page, 'button', 'Run');
  const shown = () =>
    page.evaluate(() => {
      const result = document.querySelector('section[aria-label="Result"]');
      const live = result?.querySelector('[aria-label="Printed so far"]');
      const parts = [...(result?.querySelectorAll('pre > span, pre') ?? [])]
        .filter(({ children }) => children.length === 0)
        .map(({ textContent }) => textContent.length);
      return {
        isLive: live !== null && live !== undefined,
        longest: Math.max(0, ...parts),
        all: live?.textContent.length ?? 0,
        ended: result?.textContent.includes('Failed') === true,
      };
    });
  const seen: Awaited<ReturnType<typeof shown>>[] = [];
  await vi.waitFor(
    async () => {
      seen.push(await shown());
      expect(seen.at(-1)?.ended).toBe(true);
    },
    { timeout: 90_000, interval: 100 },
  );
  // Control: the output was shown while the call ran, and as a result.
  expect(seen.some(({ isLive, all }) => isLive && all > 1_000)).toBe(true);
  expect(seen.at(-1)?.longest).toBeGreaterThan(1_000);
  expect(Math.max(...seen.map(({ longest }) => longest))).toBeLessThanOrEqual(2_000);
  expect(Math.max(...seen.map(({ all }) => all))).toBeLessThanOrEqual(6_000);
  await nextCallWorks();
});

test('row 22: spinning workers are gone after the kill', async () => {
  expect((await call('swarm', { count: 200 })).error).toBe('timeout');
  await nextCallWorks();
  // What burns on would take the time of everything that follows, for as long as the page is open.
  await vi.waitFor(
    async () => {
      expect(await coresBusy(5_000)).toBeLessThan(0.3);
    },
    { timeout: 120_000, interval: 1 },
  );
});

/** How many cores' worth of time Firefox uses during the next milliseconds. */
async function coresBusy(ms: number): Promise<number> {
  const from = performance.now();
  const before = await processorTime(firefox().pid);
  await new Promise((wake) => setTimeout(wake, ms));
  return ((await processorTime(firefox().pid)) - before) / (performance.now() - from);
}

// Further attacks (docs/decisions/attacks.md), as far as browsers differ.
const own = (tool: string, args: Record<string, unknown> = {}) =>
  invoke(firefox().page, `own:${tool}`, args);

const ways = ['close', 'atomics', ...(isFull ? ['deaf', 'recursion'] : [])];

test.for(ways)('a worker that ends, deafens or blocks itself is replaced (%s)', async (how) => {
  // Pyodide writes three messages when Python's stack is full.
  for (const reported of [/fatal error/, /^console error: JSHandle@error$/])
    firefox().trouble.expect(reported);
  await own('ends_itself', { how });
  // The next call may fail together with the worker, but not the one after that.
  await own('say');
  expect((await own('say_patiently')).textResultForLlm).toBe('still here');
});

const damages = ['starve', ...(isFull ? ['stop', 'cancel all', 'deaf'] : [])];

test.for(damages)(
  'an event loop that is stopped or robbed of its tasks takes no other call with it (%s)',
  async (how) => {
    await own('loop', { how });
    expect((await own('say_patiently')).textResultForLlm).toBe('still here');
  },
);

test('the worker of a tool has no graphics, devices, decoders or storage', async () => {
  const { textResultForLlm } = await invoke(firefox().page, 'interfaces:interfaces', {});
  const seen = JSON.parse(textResultForLlm) as Record<string, unknown>;
  expect(seen).toEqual({
    found: [],
    canvas: 'None',
    kept: ['Blob', 'URL', 'crypto', 'fetch'],
    navigator: expect.any(Array) as unknown,
  });
  const known = ['appCodeName', 'appName', 'appVersion', 'hardwareConcurrency', 'language'];
  const more = ['languages', 'onLine', 'platform', 'product', 'userAgent'];
  expect([...known, ...more]).toEqual(expect.arrayContaining(seen.navigator as string[]));
});

test('devices, notifications and files are out of reach', async () => {
  const { textResultForLlm } = await invoke(firefox().page, 'interfaces:devices', {});
  expect(JSON.parse(textResultForLlm)).toEqual([]);
});
