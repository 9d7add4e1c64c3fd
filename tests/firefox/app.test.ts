/**
 * What a user does, in the real Firefox. Uploading a folder is untested here, because BiDi refuses directories;
 * in Chromium tests/run-tool.test.ts does it.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { hello } from '../support/hello.ts';
import { makeZip } from '../support/make-zip.ts';
import { click, dropFiles, invoke, scanned, shows, useFirefox } from './firefox.ts';

const source = `
def greet(name: str = "world") -> str:
    """Says hello to somebody."""
    return f"Hello, {name}"

def spin() -> None:
    """Never ends."""
    while True:
        pass

def progress(context):
    """Tells how far it is."""
    for step in range(3):
        print("line", step)
        yield {"step": step}
    return {"steps": 3, "big": 12345678901234567890, "float": 3.0}

def broken() -> str:
    """Fails inside."""
    return [1][7]

def _spec(handler, properties=None):
    return {"name": f"bench:{handler.__name__}", "description": handler.__doc__, "handler": handler,
            "parameters": {"type": "object", "properties": properties or {}}}

TOOL_SPECS = [_spec(greet, {"name": {"type": "string"}}), _spec(spin), _spec(progress), _spec(broken)]
`;

const firefox = useFirefox();

test('what Firefox lacks is not offered, and the other ways are', async () => {
  const { page } = firefox();
  // The menu comes with late code.
  await shows(page, 'More ways to begin');
  const buttons = await page.$$eval('.welcome button', (all) =>
    all.map((button) => button.innerText.trim()),
  );
  expect(buttons).not.toContain('Open folder');
  expect(buttons).toEqual(
    expect.arrayContaining(['Upload folder', 'Open samples', 'More ways to begin']),
  );
});

test('opens tool files and lists their tools, on the page and over the API', async () => {
  const { page } = firefox();
  const { state, tools, problems } = await dropFiles(page, { 'bench.py': source });
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect([state, tools.map(({ name }) => name), errors]).toEqual([
    'ready',
    ['bench:greet', 'bench:spin', 'bench:progress', 'bench:broken'],
    [],
  ]);
  await shows(page, '4 tools');
});

test('runs a tool and shows its result', async () => {
  const { page } = firefox();
  await click(page, 'link', 'greet');
  await click(page, 'button', 'Run');
  await shows(page, 'Hello, world');
});

test('shows what a generator yields and prints, and numbers as Python wrote them', async () => {
  const { page } = firefox();
  await click(page, 'link', 'progress');
  await click(page, 'button', 'Run');
  await shows(page, '12345678901234567890');
  for (const text of ['3.0', 'line 2', '3 updates']) await shows(page, text);
});

test('shows a failure with its traceback', async () => {
  const { page } = firefox();
  await click(page, 'link', 'broken');
  await click(page, 'button', 'Run');
  await shows(page, 'IndexError: list index out of range');
  await shows(page, 'bench.py');
});

test('stops a loop at once, and the next run works', async () => {
  const { page } = firefox();
  await click(page, 'link', 'spin');
  await click(page, 'button', 'Run');
  await vi.waitFor(async () => {
    expect(await page.evaluate(() => globalThis.cloche.status.get().python)).toBe('busy');
  }, 30_000);
  // The page's own clock: the way into the browser takes time too.
  const stopping = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let from = 0;
        addEventListener('click', () => (from = performance.now()), { capture: true, once: true });
        globalThis.cloche.calls.observe(({ type }) => {
          if (type === 'call-ended') resolve(performance.now() - from);
        });
      }),
  );
  await click(page, 'button', 'Stop');
  expect(await stopping).toBeLessThan(1_000);
  await shows(page, 'Cancelled');
  await click(page, 'link', 'greet');
  await click(page, 'button', 'Run');
  await shows(page, 'Hello, world');
});

test('answers calls over the API, failures included', async () => {
  const { page } = firefox();
  expect(await invoke(page, 'bench:greet', { name: 'Ada' })).toMatchObject({
    resultType: 'success',
    textResultForLlm: 'Hello, Ada',
  });
  expect(await invoke(page, 'bench:greet', { name: 5 })).toMatchObject({
    resultType: 'failure',
    error: expect.stringMatching(/^ValidationError/) as unknown,
  });
  // Long enough to be sent as bytes.
  for (const name of ['x'.repeat(20_000), 'ä€😀'.repeat(20_000)]) {
    const { textResultForLlm } = await invoke(page, 'bench:greet', { name });
    // If toBe compared the texts, a failure would print both.
    expect(textResultForLlm === `Hello, ${name}`).toBe(true);
  }
});

test('opens a zip that was chosen', async () => {
  const { page } = firefox();
  const folder = await mkdtemp(join(tmpdir(), 'cloche-'));
  try {
    const path = join(folder, 'zipped.zip');
    await writeFile(path, makeZip([{ name: 'greet.py', content: hello }]));
    const input = await page.$('input[type=file]:not([webkitdirectory])');
    if (input === null) throw new Error('There is no input for zip files.');
    await input.uploadFile(path);
    const { tools } = await scanned(page, 'zipped');
    expect(tools.map(({ name }) => name)).toEqual(['greet:hello']);
    expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "world"}');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a call streams over the API, and aborting the request stops it', async () => {
  const { page, trouble } = firefox();
  // So Firefox calls an aborted answer of a service worker.
  trouble.expect(/ServiceWorker intercepted the request/);
  await dropFiles(page, { 'bench.py': source });
  const names = await page.evaluate(async () => {
    const ask = (tool: string, signal?: AbortSignal): Promise<Response> =>
      fetch(`api/tools/bench:${tool}/invoke`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: '{}',
        ...(signal && { signal }),
      });
    const stop = new AbortController();
    const spinning = await ask('spin', stop.signal);
    await spinning.body?.getReader().read();
    stop.abort();
    const text = await (await ask('progress')).text();
    return Array.from(text.matchAll(/^event: (\w+)$/gm), ([, name]) => name);
  });
  expect(names[0]).toBe('call');
  expect(names.filter((name) => name === 'update')).toHaveLength(3);
  expect(names.at(-1)).toBe('result');
});
