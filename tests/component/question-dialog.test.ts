/** The dialog in which the user is asked: keys, focus and queue. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { invoke } from './support/app.ts';
import { forwardClock, holdClock } from '../support/page-clock.ts';
import { answer, nothingAsked, question } from '../support/questions.ts';
import { expect, test } from './support/shared-page.ts';

const source = new URL('../grants/ask.py', import.meta.url);

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'ask.py': await readFile(source) });
});

const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const title = (page: Page) => question(page).getByRole('heading');

async function run(page: Page, tool: string): Promise<void> {
  await page.goto(`./#/tools/ask:${tool}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(title(page)).toBeFocused();
}

test('Escape refuses, and stops no run as well; the focus goes back to where it was', async ({
  page,
}) => {
  await run(page, 'plain');
  await page.keyboard.press('Escape');
  await expect(result(page)).toContainText('false');
  await expect(result(page)).not.toContainText('Cancelled');
  await nothingAsked(page);
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeFocused();
});

test('the call that asks can be cancelled from the question', async ({ page }) => {
  await run(page, 'plain');
  await question(page).getByRole('button', { name: 'Cancel call' }).click();
  await expect(result(page)).toContainText('Cancelled');
  await nothingAsked(page);
});

test('no key does anything else while it asks, and a press beside it is no answer', async ({
  page,
}) => {
  await run(page, 'plain');
  await page.mouse.click(5, 5);
  for (const key of ['Enter', 'Space', 'Control+k', 'Control+Enter', '?'])
    await page.keyboard.press(key);
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(question(page)).toContainText('The tool says');
  await answer(page, /^deny$/i);
  await expect(result(page)).toContainText('false');
});

test('the buttons of a long question are in view on a tall screen', async ({ page }) => {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1_400, height: 1_300 });
  await run(page, 'plain');
  // The form that an MCP server asks with can be as long.
  await title(page).evaluate((heading) => {
    heading.style.paddingBottom = '2000px';
  });
  const deny = question(page).getByRole('button', { name: /^deny$/i });
  await expect(deny).toBeInViewport({ ratio: 1 });
  await answer(page, /^deny$/i);
  await nothingAsked(page);
  if (size !== null) await page.setViewportSize(size);
});

test('each of several has its place, its heading in focus, and a guard of its own', async ({
  page,
}) => {
  await holdClock(page);
  const asked = invoke(page, 'ask:at_once');
  for (const place of ['1 of 3', '1 of 2']) {
    await expect(question(page)).toContainText(place);
    await expect(title(page)).toBeFocused();
    const approve = question(page).getByRole('button', { name: 'Approve' });
    await expect
      .poll(async () => {
        await forwardClock(page, 500);
        return approve.getAttribute('aria-disabled');
      })
      .toBe('false');
    await approve.dblclick();
  }
  // The second press of each double click fell on the next question.
  await expect(question(page)).not.toContainText('1 of');
  await page.keyboard.press('Escape');
  const { textResultForLlm } = await asked;
  expect((JSON.parse(textResultForLlm) as boolean[]).filter(Boolean)).toHaveLength(2);
  await nothingAsked(page);
});
