/** docs/decisions/attacks.md rows 15 to 24 and 29: a tool can spoil only its own call, and never blocks the page. */

import { readFile } from 'node:fs/promises';
import {
  callInPage,
  expectOneEndingEach,
  invoke,
  openFolder,
  type ApiResult,
} from '../support/app.ts';
import { expect, test } from '../support/shared-page.ts';
import { expectNoStall } from '../support/stalls.ts';

const source = new URL('floods.py', import.meta.url);

// A killed interpreter is replaced by a fresh start of Python, several times in some tests.
test.setTimeout(300_000);

let call: (tool: string, args?: Record<string, unknown>) => Promise<ApiResult>;

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'floods.py': await readFile(source) });
});
test.beforeEach(({ page, trouble }) => {
  // What hostile code breaks in its own worker, the browser reports.
  trouble.expect(/^uncaught|console error: Uncaught/);
  call = (tool, args) => invoke(page, `floods:${tool}`, args);
});

async function nextCallWorks(): Promise<void> {
  expect((await call('say', { value: 'still here' })).textResultForLlm).toBe('still here');
}

for (const tool of ['spin', 'stubborn', 'long_in_c', 'pattern']) {
  test(`row 15: ${tool} ends at its limit`, { tag: '@process' }, async ({ page }) => {
    await expectNoStall(page, async () => {
      const result = await call(tool);
      expect(result).toMatchObject({ resultType: 'failure', error: 'timeout' });
    });
    await nextCallWorks();
  });
}

test('row 16: a message flood is cut off', { tag: '@process' }, async ({ page }) => {
  await expectNoStall(page, async () => {
    const result = await call('flood', { count: 1_000_000, text: 'x' });
    expect(result).toMatchObject({ resultType: 'failure', error: 'crashed' });
    expect(result.textResultForLlm).toContain('too many messages');
  });
  await nextCallWorks();
});

test('row 16: a flood of messages in the right form ends the same way', async () => {
  const text = '={"t":"stream","id":5}\n{"updates":[],"dropped":0,"out":"","err":"","log":[]}';
  const result = await call('flood', { count: 1_000_000, text });
  expect(result.error).toBe('crashed');
  await nextCallWorks();
});

test('row 16: a hundred thousand printed lines are no flood', async () => {
  const result = await call('printing', { count: 100_000 });
  expect(result).toMatchObject({ resultType: 'success', textResultForLlm: 'done' });
  expect(result.stdout.startsWith('0\n1\n2\n')).toBe(true);
});

test('rows 17 to 20: messages in other forms are ignored', async ({ page }) => {
  await expectNoStall(page, async () => {
    for (const tool of ['odd_messages', 'bad_messages', 'forge', 'comlink']) {
      expect(await call(tool)).toMatchObject({ resultType: 'success', textResultForLlm: 'done' });
      await nextCallWorks();
    }
  });
  const polluted = await page.evaluate(() => {
    const keys: string[] = [];
    for (const key in {}) keys.push(key);
    return { keys, type: Reflect.get({}, 't') as unknown };
  });
  expect(polluted).toEqual({ keys: [], type: undefined });
});

test('row 17: one message past the size limit ends the interpreter', async () => {
  const text = `=${'x'.repeat(4_000_000)}`;
  expect((await call('flood', { count: 1, text })).error).toBe('crashed');
  await nextCallWorks();
});

test('rows 19 and 29: forged answers spoil nothing but their own call', async () => {
  const numbers = Array.from({ length: 60 }, (_, n) => n);
  expect((await call('answer_early', { numbers })).textResultForLlm).toBe('done');
  await nextCallWorks();
  expect((await call('late')).textResultForLlm).toBe('first');
  expect((await call('heard_out')).textResultForLlm).toBe('spoken');
  await nextCallWorks();
});

test('row 29: a call that answers twice has one result', async ({ page }) => {
  const { result } = await callInPage(page, 'floods:answer_twice');
  expect(result.textResultForLlm).toBe('forged');
  await nextCallWorks();
  await expectOneEndingEach(page);
});

test('row 29: what is answered after a cancellation is nobody’s', async ({ page }) => {
  const { result } = await callInPage(page, 'floods:answer_after_end', {}, 500);
  expect(result).toMatchObject({ resultType: 'failure', error: 'cancelled', content: [] });
  expect((await call('heard_out')).textResultForLlm).toBe('spoken');
  await nextCallWorks();
  await expectOneEndingEach(page);
});

test('row 21: going over the heap limit is an exception', { tag: '@process' }, async () => {
  expect((await call('allocate', { megabytes: 100 })).resultType).toBe('success');
  const result = await call('allocate', { megabytes: 1_500 });
  expect(result.error).toMatch(/^MemoryError/);
  await nextCallWorks();
});

test('row 21: exit is a crash, recursion an exception', { tag: '@process' }, async () => {
  expect((await call('leave', { code: 3 })).error).toBe('crashed');
  await nextCallWorks();
  expect((await call('recurse', { depth: 0 })).error).toMatch(/^RecursionError/);
  await nextCallWorks();
});

test('row 22: spinning workers end with the kill', { tag: '@process' }, async () => {
  expect((await call('swarm', { count: 200 })).error).toBe('timeout');
  await nextCallWorks();
});

// From here on other folders are open.

test('row 24: a patched realm is its own folder’s alone', async ({ page, folder }) => {
  await call('patch_realm');
  const other =
    'def hello() -> dict:\n    return {"hello": "world"}\n\n' +
    'TOOL_SPECS = [{"name": "other:hello", "description": "Says hello.", "parameters": {"type": "object", "properties": {}}, "handler": hello}]\n';
  const { path } = await folder({ 'other.py': other }, 'other-folder');
  await openFolder(page, path);
  expect((await invoke(page, 'other:hello')).textResultForLlm).toBe('{"hello": "world"}');
});

test('row 16: a flood while the file is imported is a problem of that file alone', async ({
  page,
  folder,
}) => {
  const flood = 'import js\nwhile True:\n    js.postMessage("x")\n';
  const { path } = await folder(
    { 'a_flood.py': flood, 'floods.py': await readFile(source) },
    'with-flood',
  );
  const { problems } = await openFolder(page, path);
  expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
    { file: 'a_flood.py' },
  ]);
  await nextCallWorks();
});
