/** The API's listing and calls, as another page of the same origin sees them. */

import type { Page } from '@playwright/test';
import { invoke, listing } from './support/app.ts';
import { drop } from '../bench/drop.mjs';
import { expect, test } from './support/shared-page.ts';
import { hello } from './support/hello.ts';
import { expectNoStall } from './support/stalls.ts';
import { stored } from './support/stored.ts';

const counter = `
import asyncio

count = 0

def step(by: int = 1) -> int:
    """Counts."""
    global count
    count += by
    return count

async def wait(seconds: float) -> str:
    """Waits."""
    await asyncio.sleep(seconds)
    return "waited"

def spin() -> None:
    """Never ends."""
    while True:
        pass

def large(characters: int) -> str:
    """A long text."""
    return "x" * characters

def same(text: str) -> str:
    """Returns its text."""
    return text

def _spec(handler, properties, required=()):
    return {"name": f"counter:{handler.__name__}", "description": handler.__doc__, "handler": handler,
            "parameters": {"type": "object", "properties": properties, "required": list(required)}}

TOOL_SPECS = [
    _spec(step, {"by": {"type": "integer", "description": "How far"}}),
    _spec(wait, {"seconds": {"type": "number", "description": "How long"}}, ["seconds"]),
    _spec(spin, {}),
    _spec(large, {"characters": {"type": "integer", "description": "How many"}}, ["characters"]),
    _spec(same, {"text": {"type": "string", "description": "Any text"}}, ["text"]),
]
`;

/** A page under the app's base path that is not the app. */
async function secondPage(page: Page): Promise<Page> {
  const second = await page.context().newPage();
  await second.goto('./license.txt');
  return second;
}

interface Answer {
  status: number;
  type: string | null;
  headers: Record<string, string>;
  body: string;
}

function ask(page: Page, path: string, init: RequestInit = {}): Promise<Answer> {
  return page.evaluate(
    async ([url, options]) => {
      const response = await fetch(url, options);
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
    },
    [path, init] as const,
  );
}

const json = { 'content-type': 'application/json' };

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'counter.py': counter }, 'counting');
});
test.beforeEach(({ trouble }) => {
  // Refusals are what is tested; the browser writes each on its console.
  trouble.expect(/status of (4|5)\d\d/);
});

test('a second page lists and calls tools, and state stays between calls', async ({ page }) => {
  const second = await secondPage(page);
  const list = await listing(second);
  expect(list).toMatchObject({ state: 'ready', folder: 'counting', problems: [] });
  expect(list.tools.map(({ name }) => name)).toEqual([
    'counter:step',
    'counter:wait',
    'counter:spin',
    'counter:large',
    'counter:same',
  ]);
  const one = await ask(second, 'api/tools/counter:step');
  expect(JSON.parse(one.body)).toMatchObject({
    name: 'counter:step',
    label: 'counter:step',
    description: 'Counts.',
    source: { file: 'counter.py' },
  });
  expect((await invoke(second, 'counter:step')).textResultForLlm).toBe('1');
  expect((await invoke(page, 'counter:step', { by: 5 })).textResultForLlm).toBe('6');
  expect(await invoke(second, 'counter:step')).toMatchObject({
    resultType: 'success',
    textResultForLlm: '7',
    content: [{ type: 'json', text: '7' }],
    metadata: {},
    stdout: '',
    stderr: '',
    stateLost: false,
  });
});

test('long arguments and a long result arrive unchanged', async ({ page }) => {
  for (const piece of ['text', 'ä€😀']) {
    const text = piece.repeat(300_000);
    const { textResultForLlm } = await invoke(page, 'counter:same', { text });
    // If toBe compared the texts, a failure would print both.
    expect(textResultForLlm === text).toBe(true);
  }
  // Text that UTF-8 cannot encode can come only from a caller in the page, and reaches Python as a string.
  const isSame = await page.evaluate(async () => {
    const text = `${'x'.repeat(20_000)}\ud83d`;
    const { calls } = globalThis.cloche;
    const { textResultForLlm } = await calls.call(new AbortController().signal, {
      id: crypto.randomUUID(),
      tool: 'counter:same',
      caller: 'page',
      sessionId: '',
      sessionKey: '',
      turnId: '',
      agentId: '',
      arguments: `{"text": "${text}"}`,
      validate: true,
    });
    return textResultForLlm === text;
  });
  expect(isSame).toBe(true);
});

test('the listing is validated by its entity tag', async ({ page }) => {
  const first = await ask(page, 'api/tools');
  const etag = first.headers.etag ?? '';
  expect(etag).not.toBe('');
  const again = await ask(page, 'api/tools', { headers: { 'if-none-match': etag } });
  expect(again).toMatchObject({ status: 304, body: '' });
  const head = await ask(page, 'api/tools', { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers.etag).toBe(etag);
});

// src/app/api/create-api.test.ts and src/app/api/invoke-refusals.test.ts have every refusal.
test('a bad request is refused with a problem document', async ({ page }) => {
  const refused = await ask(page, 'api/tools/counter:step/invoke', {
    method: 'POST',
    headers: json,
    body: '{"arguments": [1]}',
  });
  expect([refused.status, refused.type]).toEqual([400, 'application/problem+json']);
  expect(JSON.parse(refused.body)).toMatchObject({ status: 400 });
  const wrongMethod = await ask(page, 'api/tools', { method: 'DELETE' });
  expect([wrongMethod.status, wrongMethod.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('a form of another site reaches no tool', async ({ page, baseURL }) => {
  const { textResultForLlm: before } = await invoke(page, 'counter:step');
  const navigated = await page.context().newPage();
  await navigated.goto('./license.txt');
  await navigated.setContent(
    `<form method="post" enctype="text/plain" action="${baseURL ?? ''}api/tools/counter:step/invoke">
     <input name='{"arguments": {}, "x": "' value='"}'></form>`,
  );
  const answered = navigated.waitForResponse(/invoke$/);
  await navigated.evaluate(() => {
    document.forms[0]?.submit();
  });
  expect([403, 415]).toContain((await answered).status());
  expect((await invoke(page, 'counter:step')).textResultForLlm).toBe(String(Number(before) + 1));
});

test('failures of a call are answers', async ({ page }) => {
  expect(await invoke(page, 'counter:step', { by: 'two' })).toMatchObject({
    resultType: 'failure',
    error: 'ValidationError: $.by: must be an integer, but is a string',
  });
  expect(await invoke(page, 'counter:wait')).toMatchObject({
    resultType: 'failure',
    error: "TypeError: wait() missing 1 required positional argument: 'seconds'",
  });
});

test('aborting a request cancels its call, and later results say that state was lost', async ({
  page,
}) => {
  await invoke(page, 'counter:step');
  const second = await secondPage(page);
  const aborting = second.evaluate(async () => {
    const stop = new AbortController();
    addEventListener('abort-now', () => {
      stop.abort();
    });
    try {
      const response = await fetch('api/tools/counter:spin/invoke', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        signal: stop.signal,
      });
      await response.text();
      return 'answered';
    } catch (thrown) {
      return (thrown as Error).name;
    }
  });
  await expect.poll(() => page.evaluate(() => globalThis.cloche.status.get().python)).toBe('busy');
  await second.evaluate(() => dispatchEvent(new Event('abort-now')));
  expect(await aborting).toBe('AbortError');
  expect(await invoke(page, 'counter:step')).toMatchObject({
    textResultForLlm: '1',
    stateLost: true,
  });
});

test('a call that is stopped while Python starts anew never runs', async ({ page }) => {
  const second = await secondPage(page);
  const stopped = await second.evaluate(async () => {
    const post = (tool: string, afterMs: number): Promise<string> =>
      fetch(`api/tools/counter:${tool}/invoke`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        signal: AbortSignal.timeout(afterMs),
      })
        .then((response) => response.text())
        .catch((thrown: unknown) => (thrown as Error).name);
    // The first one's interpreter is replaced by the spare; the last waits for what replaces that.
    return Promise.all([post('spin', 300), post('spin', 350), post('step', 360)]);
  });
  // Some versions of Chromium report the abort of a fetch that a service worker answers without the reason of its signal.
  for (const name of stopped) expect(['TimeoutError', 'AbortError']).toContain(name);
  expect(await invoke(page, 'counter:step')).toMatchObject({ textResultForLlm: '1' });
});

test('the same Idempotency-Key rejoins a call', async ({ page }) => {
  const answers = await page.evaluate(async () => {
    const call = async (): Promise<string> => {
      const response = await fetch('api/tools/counter:step/invoke', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: '{}',
      });
      return ((await response.json()) as { textResultForLlm: string }).textResultForLlm;
    };
    return Promise.all([call(), call(), call()]);
  });
  const [first] = answers;
  expect(answers).toEqual([first, first, first]);
  expect((await invoke(page, 'counter:step')).textResultForLlm).toBe(String(Number(first) + 1));
});

test('a large text goes through whole without a stall', async ({ page }) => {
  // Reading it is the other page's work.
  const second = await secondPage(page);
  let length: number | undefined;
  await expectNoStall(page, async () => {
    length = await second.evaluate(async () => {
      const response = await fetch('api/tools/counter:large/invoke', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"arguments": {"characters": 10000000}}',
      });
      const { textResultForLlm } = (await response.json()) as { textResultForLlm: string };
      return /^x*$/.test(textResultForLlm) ? textResultForLlm.length : NaN;
    });
  });
  expect(length).toBe(10_000_000);
});

test('without an app page calls say what to do, and the listing still answers', async ({
  page,
}) => {
  const second = await secondPage(page);
  const before = await listing(second);
  // The listing is kept a moment after the scan.
  const { etag } = (await ask(second, 'api/tools')).headers;
  await expect.poll(() => stored(page, 'listing', 'latest')).toMatchObject({ etag });
  await page.close();
  await expect.poll(async () => (await ask(second, 'api/tools')).status).toBe(200);
  expect((await listing(second)).tools).toEqual(before.tools);
  const post = { method: 'POST', headers: json, body: '{}' };
  const answer = await ask(second, 'api/tools/counter:step/invoke', post);
  expect(answer.status).toBe(503);
  expect(answer.type).toBe('application/problem+json');
  expect(answer.body).toMatch(/open/i);
});

/** Opens the app in another tab, and a folder in it. */
async function openTab(page: Page, path: string): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto('./');
  await drop(other, path);
  const ready = (): Promise<boolean> =>
    other.evaluate(() => globalThis.cloche.status.get().phase === 'ready');
  await expect.poll(ready, { timeout: 240_000 }).toBe(true);
  return other;
}

test('two tabs with the same folder: one answers, and says that state was lost', async ({
  shared,
}) => {
  await shared.open({ 'counter.py': counter }, 'empty');
  const { path } = await shared.openFolder({ 'counter.py': counter }, 'counting');
  const { page } = shared;
  shared.trouble.expect(/status of (4|5)\d\d/);
  await invoke(page, 'counter:step');
  const other = await openTab(page, path);
  await other.getByRole('button', { name: 'Serve here' }).click();
  await expect(page.getByText('API served by another tab')).toBeVisible();
  expect(await invoke(page, 'counter:step')).toMatchObject({
    textResultForLlm: '1',
    stateLost: true,
  });
  await page.getByRole('button', { name: 'Serve here' }).click();
  await expect(other.getByText('API served by another tab')).toBeVisible();
  await page.close();
  await expect
    .poll(async () => (await ask(other, 'api/tools')).status, { timeout: 15_000 })
    .toBe(200);
  // Its Python still has the state that the API left when this page started to answer.
  expect(await invoke(other, 'counter:step')).toMatchObject({
    textResultForLlm: '2',
    stateLost: true,
  });
});

test('two tabs with two folders both answer; without a folder, the one that was used last', async ({
  shared,
  folder,
}) => {
  await shared.open({ 'counter.py': counter }, 'counting');
  const { page } = shared;
  shared.trouble.expect(/status of (4|5)\d\d/);
  const { path } = await folder({ 'greet.py': hello }, 'greeting');
  const other = await openTab(page, path);
  const second = await secondPage(page);
  const read = async <T>(address: string): Promise<T> =>
    JSON.parse((await ask(second, address)).body) as T;
  interface Listed {
    folder: string;
    folderId: string;
    tools: { name: string; folder: string; folderId: string }[];
  }
  const counting = await read<Listed>('api/tools?folder=counting');
  const greeting = await read<Listed>('api/tools?folder=greeting');
  expect([counting.tools[0], greeting.tools[0]]).toMatchObject([
    { name: 'counter:step', folder: 'counting', folderId: counting.folderId },
    { name: 'greet:hello', folder: 'greeting', folderId: greeting.folderId },
  ]);
  const call = async (tool: string, query: string): Promise<unknown> => {
    const post = { method: 'POST', headers: json, body: '{}' };
    const { status, body } = await ask(second, `api/tools/${tool}/invoke${query}`, post);
    const { textResultForLlm, code } = JSON.parse(body) as Record<string, unknown>;
    return [status, textResultForLlm ?? code];
  };
  expect([
    await call('counter:step', `?folder=${counting.folderId}`),
    await call('greet:hello', '?folder=greeting'),
    await call('greet:hello', '?folder=counting'),
    await call('greet:hello', '?folder=none'),
  ]).toEqual([
    [200, '1'],
    [200, '{"hello": "world"}'],
    [404, 'unknown-tool'],
    [404, 'unknown-folder'],
  ]);
  // The user goes from one tab to the other.
  for (const [tab, name] of [
    [page, 'counting'],
    [other, 'greeting'],
    [page, 'counting'],
  ] as const) {
    await tab.locator('body').press('Shift');
    await expect.poll(async () => (await read<Listed>('api/tools')).folder).toBe(name);
  }
  const { folders } = await read<{ folders: { name: string }[] }>('api/folders');
  expect(folders.map(({ name }) => name)).toEqual(['counting', 'greeting']);
  await page.close();
  await expect.poll(async () => (await read<Listed>('api/tools')).folder).toBe('greeting');
});
