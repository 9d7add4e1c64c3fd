/** Further attacks on calls and the protocol (docs/decisions/attacks.md); own-page.test.ts has those on what is shown. */

import { readFile } from 'node:fs/promises';
import { callInPage, expectOneEndingEach, invoke, type ApiResult } from '../support/app.ts';
import { readStream } from '../support/event-stream.ts';
import { expect, test } from '../support/shared-page.ts';
import { expectNoStall } from '../support/stalls.ts';

const files = ['own.py', 'interfaces.py'];

// A killed interpreter is replaced by a fresh start of Python, several times in some tests.
test.setTimeout(240_000);

let call: (tool: string, args?: Record<string, unknown>) => Promise<ApiResult>;

test.beforeAll(async ({ shared }) => {
  const sources = files.map((name) => readFile(new URL(name, import.meta.url)));
  const texts = await Promise.all(sources);
  await shared.open(Object.fromEntries(files.map((name, n) => [name, texts[n] ?? ''])));
});
test.beforeEach(({ page, trouble }) => {
  // The browser reports what hostile code breaks in its own worker.
  trouble.expect(/^uncaught|console error: Uncaught/);
  // Pyodide says on the console that it is broken.
  trouble.expect(/fatal[ _]error|console error: (RangeError|RuntimeError|NoGilError)/);
  // Python says so too if it has no memory left to say why.
  trouble.expect(
    /console warning: (Pyodide: Internal error|Error in sys\.excepthook|Original exc|lost sys)/,
  );
  trouble.expect(/console warning: (object (address|refcount|type|repr)| \()/);
  call = (tool, args) => invoke(page, `own:${tool}`, args);
});

async function nextCallWorks(): Promise<void> {
  expect((await call('say_patiently')).textResultForLlm).toBe('still here');
}

/** What broke Python may take the call that follows with it, never the one after that. */
async function recovers(): Promise<void> {
  const { resultType, error } = await call('say');
  if (resultType === 'success') return;
  expect(['crashed', 'timeout']).toContain(error);
  await nextCallWorks();
}

/** How a call ended, in a few words. */
function ending({ resultType, error, textResultForLlm }: ApiResult): string {
  return resultType === 'success'
    ? `= ${textResultForLlm.slice(0, 60)}`
    : (error ?? '').slice(0, 60);
}

// Otherwise an exception that cannot be described would leave its call without an end.
test('exceptions that cannot be reported are failures', async ({ page }) => {
  const hows = ['mute', 'circle', 'chain', 'group', 'notes', 'huge', 'exit', 'interrupt'];
  await expectNoStall(page, async () => {
    for (const how of [...hows, 'generator', 'cancelled', 'stop']) {
      const result = await call('raises', { how });
      expect.soft(result.resultType, how).toBe('failure');
      expect.soft(JSON.stringify(result).length, how).toBeLessThan(3_000_000);
      expect.soft(result.error, how).toBeTruthy();
      await recovers();
    }
  });
});

// Otherwise a value's own methods would write the result, or keep the call from ending.
test('values that lie about what they are', async () => {
  const seen: Record<string, string> = {};
  for (const what of [
    'sly',
    'number',
    'chameleon',
    'undead',
    'circle',
    'deep',
    'digits',
    'surrogate',
    'own module',
    'prototype',
  ]) {
    const result = await call('returns', { what });
    seen[what] = ending(result);
    expect.soft(JSON.stringify(result), what).not.toContain('"injected": true');
    await recovers();
  }
  expect(seen).toMatchObject({
    number: '= {"n": 5, "f": 0.5}',
    undead: '= buried',
    circle: 'ValueError: Circular reference detected (at $[0])',
    surrogate: '= \ud800 lone \udfff',
  });
  // An endless dict fills the memory, or the time is up first.
  expect(seen.sly).toMatch(/^(timeout|MemoryError)/);
  expect(seen.deep).toMatch(/^(crashed|RecursionError)/);
  expect(seen.chameleon).toMatch(/^TypeError/);
  expect(seen['own module']).toMatch(/^TypeError: Object of type module/);
});

// Without the guard, one tool's closed stream would silence, or break, every later call.
test('streams that are closed, gone or strange', async () => {
  const seen: Record<string, string> = {};
  for (const how of ['surrogate', 'bytes', 'closed', 'gone', 'stranger', 'print']) {
    seen[how] = ending(await call('streams', { how }));
    await nextCallWorks();
  }
  expect(new Set(Object.values(seen))).toEqual(new Set(['= done']));
});

// Otherwise the loop that calls share would stop with the first of them that wants it to.
test('a damaged event loop does not stop later calls', async ({ page }) => {
  const seen: Record<string, string> = {};
  await expectNoStall(page, async () => {
    for (const how of ['stop', 'handler', 'cancel all', 'exit later', 'close', 'deaf', 'starve']) {
      seen[how] = ending(await call('loop', { how }));
      await nextCallWorks();
    }
  });
  expect(seen).toEqual({
    stop: '= done',
    handler: '= done',
    'cancel all': 'CancelledError',
    'exit later': '= done',
    close: '= done',
    deaf: 'timeout',
    starve: 'timeout',
  });
});

// Otherwise Stop would wait for what never lets go.
test('a generator that cannot be closed ends when it is stopped', async ({ page }) => {
  const { result } = await callInPage(page, 'own:never_closes', {}, 500);
  expect(result.error).toBe('cancelled');
  await nextCallWorks();
  await expectOneEndingEach(page);
});

// Otherwise a dead or stuck worker would be waited for forever: browsers do not report these.
test('a worker that breaks itself is replaced', async ({ page, trouble }) => {
  // In one process, the memory that a lost worker took may not be free yet; Python is started again.
  trouble.expect(/wasm instantiation failed|Cannot allocate Wasm memory/);
  const seen: Record<string, string> = {};
  for (const how of [
    'close',
    'recursion',
    'memory',
    'null',
    'atomics',
    'wasm memory',
    'deaf',
    'mute',
  ]) {
    seen[how] = ending(await call('ends_itself', { how }));
    await recovers();
    expect(await page.evaluate(() => globalThis.cloche.calls.running.length)).toBe(0);
  }
  expect([seen.close, seen.atomics]).toEqual(['timeout', 'timeout']);
  for (const how of ['recursion', 'memory']) expect(seen[how]).toMatch(/^(crashed|timeout)/);
});

// Without the guard, forged figures would reach the page's arithmetic and its layout.
test('forged numbers and texts are corrected or refused', async ({ page }) => {
  await expectNoStall(page, async () => {
    for (const what of ['counts', 'figures', 'metadata', 'deep', 'broken', 'media']) {
      const result = await call('forged', { what });
      expect.soft(result.durationMs, what).toBeGreaterThanOrEqual(0);
      expect.soft(result.durationMs, what).toBeLessThan(240_000);
      expect.soft(typeof result.metadata, what).toBe('object');
      for (const part of result.content)
        expect.soft(part.mediaType ?? '', what).not.toMatch(/[<>\n]/);
      await recovers();
    }
  });
});

// Otherwise a tool could go on speaking in a stream after its result, or in another's.
test('in the event stream the result comes once, and nothing after it', async ({ page }) => {
  for (const what of ['after', 'metadata', 'counts']) {
    const { events, ending: how } = await readStream(page, 'own:forged', { args: { what } });
    const names = events.map(({ name }) => name);
    expect([
      names.indexOf('result'),
      names.filter((name) => name === 'result').length,
      how,
    ]).toEqual([names.length - 1, 1, 'end']);
    await recovers();
  }
});

// Otherwise a tool could ask the user for a device on behalf of the page.
test('the worker of a tool has no graphics, devices, decoders or storage', async ({ page }) => {
  const { textResultForLlm } = await invoke(page, 'interfaces:interfaces', {});
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

test('devices, notifications and files are out of reach', async ({ page }) => {
  const { textResultForLlm } = await invoke(page, 'interfaces:devices', {});
  expect(JSON.parse(textResultForLlm)).toEqual([]);
  expect((await invoke(page, 'interfaces:file_system', {})).textResultForLlm).toBe('refused');
});

// Otherwise a caller that guesses ids could read or end the calls of others, or reach other objects.
test('ids that are no ids lead nowhere', async ({ page, trouble }) => {
  trouble.expect(/status of 4\d\d/);
  const ids = [
    '__proto__',
    'constructor',
    '..%2Ftools',
    '%00',
    'x'.repeat(10_000),
    '%F0%9F',
    '*',
    '1',
  ];
  const statuses = await page.evaluate(async (all) => {
    const one = async (id: string, method: string): Promise<number> =>
      (await fetch(`api/calls/${id}`, { method })).status;
    return Promise.all(all.flatMap((id) => ['GET', 'DELETE'].map((method) => one(id, method))));
  }, ids);
  expect(new Set(statuses)).toEqual(new Set([404]));
});

// Otherwise a key with the name of everything's parent would find a call that never was.
test('keys with the names of prototypes, and very many of them, are ordinary keys', async ({
  page,
}) => {
  const texts = await page.evaluate(async () => {
    const ask = async (key: string): Promise<string> => {
      const response = await fetch('api/tools/own:say/invoke', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ arguments: { value: key } }),
      });
      return ((await response.json()) as { textResultForLlm: string }).textResultForLlm;
    };
    const keys = [
      '__proto__',
      'constructor',
      'toString',
      '',
      ...Array.from({ length: 300 }, (_, n) => `k${n}`),
    ];
    const got = [];
    for (const key of keys) got.push((await ask(key)) === key);
    return got;
  });
  expect(texts.every(Boolean)).toBe(true);
});

// Otherwise a result could add forged entries to an exported log.
test('the exported log has one line for each call, whatever they hold', async ({ page }) => {
  await call('keyed', { what: '"}\n{"id":"forged"}' });
  await page.getByRole('link', { name: /^Runs/ }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON lines' }).click();
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(await page.evaluate(() => globalThis.cloche.log.count));
  const ids = lines.map((line) => (JSON.parse(line) as { call: { id: string } }).call.id);
  expect(ids).not.toContain('forged');
});
