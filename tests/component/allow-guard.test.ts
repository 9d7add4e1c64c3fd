/** docs/decisions/attacks.md row 38: a press that was meant for something else allows nothing. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { pressLocalHere, type Happens, type Presses } from '../support/guarded-press.ts';
import { expect, test } from './support/shared-page.ts';

test.beforeAll(async ({ shared }) => {
  await shared.open({
    'ask.py': await readFile(new URL('../grants/ask.py', import.meta.url)),
  });
});
test.afterEach(async ({ page }) => {
  await page.goto('./#/');
});

async function pressLocal(page: Page, happens: Happens): Promise<Presses> {
  if (happens !== 'appears') {
    await page.goto('./#/policy/local');
    await expect(page.getByRole('switch')).toBeEnabled();
  }
  return page.evaluate(pressLocalHere, happens);
}

for (const [happens, words] of [
  ['appears', 'it has appeared'],
  ['moves', 'it has moved'],
  ['comes to the front', 'its window has come to the front'],
] as const)
  test(`row 38: a control that allows does not react within half a second after ${words}`, async ({
    page,
  }) => {
    expect(await pressLocal(page, happens)).toEqual({ atOnce: false, later: true });
    // Control: left alone, it reacts at once.
    expect(await pressLocal(page, 'stays')).toEqual({ atOnce: true, later: true });
  });

/** Shows a tool, presses Run in the next frame, and again once it reacts. @returns how many calls each has started */
function pressRun(page: Page, tool: string): Promise<readonly number[]> {
  return page.evaluate(async (name) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const find = () =>
      document.querySelector<HTMLButtonElement>('button[aria-keyshortcuts*="Enter"]');
    let started = 0;
    const stop = globalThis.cloche.calls.observe((event) => {
      if (event.type === 'call-queued') started += 1;
    });
    location.hash = `#/tools/ask:${name}`;
    while (find() === null || document.querySelector('h1')?.textContent.includes(name) !== true)
      await frame();
    find()?.click();
    await frame();
    const atOnce = started;
    // Once it runs, Run is inactive for another reason.
    while (atOnce === 0 && find()?.ariaDisabled === 'true') await frame();
    if (atOnce === 0) find()?.click();
    await frame();
    stop();
    return [atOnce, started];
  }, tool);
}

test('row 38: Run of a tool that requires approval does not react within half a second', async ({
  page,
}) => {
  expect(await pressRun(page, 'strict')).toEqual([0, 1]);
  // Control: another tool runs at once.
  expect(await pressRun(page, 'plain')).toEqual([1, 1]);
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
});

test('row 38: a held key presses nothing that allows', async ({ page }) => {
  await page.goto('./#/tools/ask:strict');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await expect(run).toBeEnabled();
  const started = (): Promise<number> =>
    page.evaluate(() => (globalThis as { startedCalls?: number }).startedCalls ?? 0);
  await page.evaluate(() => {
    const counting = globalThis as { startedCalls?: number };
    counting.startedCalls = 0;
    globalThis.cloche.calls.observe((event) => {
      if (event.type === 'call-queued') counting.startedCalls = (counting.startedCalls ?? 0) + 1;
    });
  });
  await page.getByRole('heading', { level: 1 }).press('Shift');
  await page.keyboard.down('Enter');
  await run.focus();
  for (let times = 0; times < 3; times += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await started()).toBe(0);
  // Control: a press of its own.
  await page.keyboard.press('Enter');
  await expect.poll(started).toBe(1);
});
