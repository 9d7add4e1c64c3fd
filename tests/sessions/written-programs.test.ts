/** Programs in the styles of models run over the samples, and hostile ones cost only themselves. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { countEndings, endingsHere } from '../support/call-here.ts';
import { invokeText, type ApiResult } from '../support/app.ts';
import { toolFile } from '../packages/sources.ts';
import { makeWheel } from '../support/make-wheel.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { loggedCalls, loggedPrograms, program } from '../support/programs.ts';
import * as session from '../support/session-page.ts';
import { expect, test } from '../support/shared-page.ts';
import { hostilePrograms, stuckPrograms } from './hostile-programs.ts';
import { pythonPrograms } from './python-programs.ts';
import { taskPrograms } from './task-programs.ts';
import { writtenPrograms } from './written-programs.ts';

const samples = [
  'basics.py',
  'calculator.py',
  'csv_tools.py',
  'dates.py',
  'encoding.py',
  'json_tools.py',
  'long_jobs.py',
  'stats.py',
  'text_tools.py',
  'units.py',
  'data/units.json',
  'tabular/__init__.py',
  'tabular/reading.py',
  'tabular/writing.py',
];

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  endpoint.habits.models = [{ id: 'small', context: 1_000_000 }];
  const files = samples.map((file) => [file, `../../tools-samples/${file}`] as const);
  const read = [...files, ['my-shop.py', './shop.py'] as const].map(
    async ([file, path]) => [file, await readFile(new URL(path, import.meta.url))] as const,
  );
  const [wheel, bytes] = makeWheel({
    name: 'rates',
    version: '1.0',
    files: { 'rates.py': 'EURO = 20\n' },
  });
  const all = Object.fromEntries(await Promise.all(read));
  await session.openWithModels(shared, endpoint, '', {
    ...all,
    'priced.py': toolFile('priced', ['rates'], 'import rates', { euro: 'rates.EURO // 2' }),
    [`wheels/${wheel}`]: bytes,
  });
});
test.afterAll(() => endpoint.close());
test.beforeEach(async ({ page, trouble }) => {
  endpoint.reset();
  session.expectModelRequests(trouble);
  await session.newSession(page, session.mine, /small/);
  await page.evaluate(countEndings);
});

/** Lets the model write these programs, one after the other. @returns what it saw of each */
async function run(page: Page, codes: readonly string[]) {
  endpoint.answer(...codes.map((code) => ({ calls: [program(code)] })), { text: 'All have run.' });
  await session.send(page, 'Run them.');
  await expect(page.getByText('All have run.')).toBeVisible({ timeout: 240_000 });
  await session.idle(page);
  return loggedPrograms(page, codes.length);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

test('programs as models write them show what they should, and their calls give what the API gives', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const programs = [...writtenPrograms, ...taskPrograms, ...pythonPrograms];
  const ran = await run(
    page,
    programs.map(({ code }) => code),
  );
  const shown = ran.map(({ text }, n) => ({ title: programs[n]?.title, shows: valueOf(text) }));
  expect(shown).toEqual(programs.map(({ title, shows }) => ({ title, shows })));
  const calls = await loggedCalls(page);
  expect(calls.length).toBeGreaterThan(70);
  const parents = new Set(ran.map(({ id }) => id));
  for (const { tool, parent, args, error, content } of calls) {
    expect(parents.has(parent)).toBe(true);
    // Its results depend on the calls before.
    if (tool === 'my-shop:flaky') continue;
    const text = await invokeText(page, tool, `{"arguments": ${args}}`);
    const alone = JSON.parse(text) as ApiResult;
    expect({ tool, args, error, content }).toEqual({
      tool,
      args,
      error: alone.error,
      content: alone.content,
    });
  }
  expect(await page.evaluate(endingsHere)).toEqual([1]);
});

test(
  'hostile programs: each ends once, calls as itself, and leaves the next one as it was',
  { tag: '@full' },
  async ({ page, trouble }) => {
    test.setTimeout(300_000);
    // What Pyodide says when a program ends the process, or uses up its stack.
    trouble.expect(
      /fatal error|Aborted\(\)|call stack|unreachable|terminated with exit|PythonError/,
    );
    const probe = '(await my_shop.get_order(3))["total"]';
    const before = (await loggedCalls(page)).length;
    const ran = await run(
      page,
      hostilePrograms.flatMap(({ code }) => [code, probe]),
    );
    for (const [n, { title, shows }] of hostilePrograms.entries()) {
      const [attack, after] = ran.slice(2 * n, 2 * n + 2);
      expect.soft(attack?.text, title).toMatch(shows);
      expect.soft(attack?.text.length, title).toBeLessThanOrEqual(20_000);
      expect.soft(after?.text, `after ${title}`).toBe('30');
    }
    const made = (await loggedCalls(page)).slice(before);
    const parents = new Set(ran.map(({ id }) => id));
    for (const call of made) {
      expect(call).toMatchObject({ caller: 'program', of: 'run_python' });
      expect(parents.has(call.parent)).toBe(true);
    }
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
    // The probes, and no call of an attack in their place.
    for (const { id } of ran.filter((_, n) => n % 2 === 1))
      expect(made.filter(({ parent }) => parent === id).map(({ tool }) => tool)).toEqual([
        'my-shop:get-order',
      ]);
    expect(await page.evaluate(endingsHere)).toEqual([1]);
  },
);

test('a program that does not end by itself is stopped, and the next one runs', async ({
  page,
}) => {
  test.setTimeout(300_000);
  for (const { title, code } of stuckPrograms)
    await test.step(title, async () => {
      endpoint.answer({ calls: [program(code)] });
      await session.send(page, title);
      const running = () =>
        page.evaluate(() => globalThis.cloche.log.recent(1)[0]?.call.tool === 'my-shop:get-order');
      await expect.poll(running, { timeout: 60_000 }).toBe(true);
      await page.getByRole('button', { name: 'Stop' }).click();
      await session.idle(page);
      const [after] = await run(page, ['(await calculator.calculate("1 + 2"))']);
      expect(after?.text).toBe('3');
    });
  expect(await page.evaluate(endingsHere)).toEqual([1]);
});
