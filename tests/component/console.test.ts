/** The console of programs, by keyboard alone. A program is a list of calls here: see page/program.ts. */

import type { Page } from '@playwright/test';
import { openFolder } from './support/app.ts';
import { expect, test } from './support/test.ts';

const editor = (page: Page) => page.getByRole('textbox', { name: 'Program' });
const programs = (page: Page) => page.getByRole('region', { name: 'Program' });

test('the console is opened, written in, run, and searched for earlier programs from the keyboard', async ({
  page,
  folder,
}) => {
  const { path } = await folder({ 'tables.py': '', 'bench.py': '' }, 'tables');
  await page.goto('./');
  await openFolder(page, path);
  const { keyboard } = page;
  await keyboard.press('Control+k');
  await keyboard.type('console');
  await keyboard.press('Enter');
  await expect(editor(page)).toBeFocused();

  await test.step('names of tools and their parameters are completed', async () => {
    // The list takes no key in the moment in which it opens.
    const type = (text: string): Promise<void> => keyboard.type(text, { delay: 100 });
    await type('await tab');
    await expect(page.getByRole('option', { name: /^tables/ })).toBeVisible();
    await keyboard.press('Enter');
    await type('.row');
    await expect(page.getByRole('option', { name: /^rows/ })).toBeVisible();
    await keyboard.press('Enter');
    await expect(page.getByRole('option', { name: /^n=/ })).toBeVisible();
    await type('n');
    await keyboard.press('Enter');
    await type('3, ');
    await expect(page.getByRole('option', { name: /^note=/ })).toBeVisible();
    await expect(page.getByRole('option', { name: /^n=/ })).toHaveCount(0);
    await keyboard.press('Escape');
    await expect(editor(page)).toHaveText('await tables.rows(n=3,');
    await keyboard.press('Control+a');
    await keyboard.press('Delete');
  });

  await test.step('the focus stays in the editor after a run, and after an error', async () => {
    const first = '[["tables:rows", {"n": 2}]]';
    await keyboard.insertText(first);
    await keyboard.press('ControlOrMeta+Enter');
    await expect(programs(page).first()).toContainText('1 call');
    // Beside the editor, since the drawer is low.
    const [code, program] = [
      await editor(page).boundingBox(),
      await programs(page).first().boundingBox(),
    ];
    expect(program?.x).toBeGreaterThanOrEqual((code?.x ?? 0) + (code?.width ?? Infinity));
    await expect(programs(page).first().getByRole('heading', { name: 'Result' })).toBeInViewport({
      ratio: 1,
    });
    await expect(editor(page)).toBeFocused();
    await keyboard.press('Control+a');
    await keyboard.insertText('[broken');
    await keyboard.press('ControlOrMeta+Enter');
    await expect(programs(page)).toHaveCount(2);
    await expect(programs(page).first()).toContainText('Failed');
    await expect(editor(page)).toBeFocused();
  });

  await test.step('arrows bring earlier programs, and last what was being written', async () => {
    await keyboard.press('Control+a');
    await keyboard.insertText('half');
    for (const [key, text] of [
      ['ArrowUp', '[broken'],
      ['ArrowUp', '[["tables:rows", {"n": 2}]]'],
      ['ArrowUp', '[["tables:rows", {"n": 2}]]'],
      ['ArrowDown', '[broken'],
      ['ArrowDown', 'half'],
    ] as const) {
      await keyboard.press(key);
      await expect(editor(page)).toHaveText(text);
      await expect(editor(page)).toBeFocused();
    }
    // Within a text of several lines, they move the cursor.
    await keyboard.press('Control+a');
    await keyboard.insertText('one\ntwo');
    await keyboard.press('ArrowUp');
    await keyboard.press('End');
    await keyboard.type('!');
    await expect(editor(page)).toContainText('one!');
  });

  await test.step('the buttons give the focus back to the editor', async () => {
    await keyboard.press('Control+a');
    await keyboard.insertText('[["bench:share", {}]]');
    const run = page.getByRole('button', { name: 'Run program' });
    await run.focus();
    await keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Stop program' })).toBeVisible();
    await expect(editor(page)).toBeFocused();
    // The key may first close a list of completions.
    await expect(async () => {
      await keyboard.press('Escape');
      await expect(run).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(programs(page).first()).toContainText('Cancelled');
    await expect(editor(page)).toBeFocused();
    // Where nothing runs, the key is the editor's: the next Tab leaves it.
    await keyboard.press('Escape');
    await keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: 'Save as a tool' })).toBeFocused();
  });
});

test('a completion that is about to appear reads nothing of a console that was left', async ({
  page,
  folder,
  trouble,
}) => {
  const { path } = await folder({ 'tables.py': '' }, 'tables');
  await page.goto('./');
  await openFolder(page, path);
  for (const place of ['#/policy', '#/servers', '#/plans']) {
    await page.goto('./#/?panel=console');
    await editor(page).click();
    await page.keyboard.type('await tab');
    await page.evaluate((hash) => (location.hash = hash), place);
    await expect(editor(page)).toHaveCount(0);
    // Longer than the editor waits for the next key.
    await page.waitForTimeout(200);
    expect(trouble.take()).toEqual([]);
  }
});
