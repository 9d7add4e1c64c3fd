/** Tools that ask the user, and calls that need approval (docs/decisions/attacks.md row 30): in every way that Python has, limited, and never by accident. */

import { readFile } from 'node:fs/promises';
import { invoke, type ApiResult } from '../support/app.ts';
import { forwardClock, holdClock } from '../support/page-clock.ts';
import { answer, nothingAsked, question } from '../support/questions.ts';
import { expect, test } from '../support/shared-page.ts';
import { jsonArguments } from '../support/json-arguments.ts';

const source = new URL('ask.py', import.meta.url);

let call: (tool: string, args?: Record<string, unknown>) => Promise<ApiResult>;

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'ask.py': await readFile(source) });
});
test.beforeEach(({ page }) => {
  call = (tool, args) => invoke(page, `ask:${tool}`, args);
});

test('a plain handler waits for the answer, an asynchronous one awaits it', async ({ page }) => {
  const plain = call('plain');
  await expect(question(page)).toContainText('Delete everything?');
  await expect(question(page)).toContainText('"files"');
  await answer(page, /^approve$/i);
  expect((await plain).textResultForLlm).toBe('true');
  const later = call('later');
  await answer(page, /^deny$/i);
  expect((await later).textResultForLlm).toBe('false');
  const generator = call('generator');
  await answer(page, /^approve$/i);
  expect((await generator).textResultForLlm).toBe('true');
  await nothingAsked(page);
});

test('the user’s time is not the call’s', async ({ page }) => {
  await holdClock(page);
  const asked = call('patient');
  await expect(question(page)).toBeVisible();
  await forwardClock(page, 10_000, 500);
  await answer(page, /^approve$/i);
  expect((await asked).textResultForLlm).toBe('true');
});

test('who insists is denied without being shown; a thousand at once are bounded', async ({
  page,
}) => {
  const insists = call('insists');
  for (let n = 0; n < 3; n += 1) {
    await expect(question(page)).toContainText(`Really? (${n})`);
    await answer(page, /^deny$/i);
  }
  expect(JSON.parse((await insists).textResultForLlm)).toEqual(Array(8).fill(false));
  const many = call('at_once');
  for (let n = 0; n < 3; n += 1) {
    await expect(question(page)).toContainText(`Sure? (${n})`);
    await answer(page, /^approve$/i);
  }
  const answers = JSON.parse((await many).textResultForLlm) as boolean[];
  expect(answers.filter(Boolean).length).toBeLessThanOrEqual(3);
  await nothingAsked(page);
});

test('questions of several calls stand in line, each under the name of its tool', async ({
  page,
}) => {
  const first = call('later');
  await expect(question(page)).toContainText('ask:later');
  const second = call('strict', { value: 7 });
  await expect(question(page)).toContainText('1 of 2');
  await expect(question(page)).toContainText('ask:later');
  await expect(question(page)).not.toContainText('ask:strict');
  await answer(page, /^deny$/i);
  await expect(question(page)).toContainText('ask:strict');
  await expect(question(page)).not.toContainText('Delete everything?');
  await answer(page, /^allow once$/i);
  expect([(await first).textResultForLlm, (await second).textResultForLlm]).toEqual(['false', '7']);
  await nothingAsked(page);
});

test('a tool’s words are shown as its words, and what allows does nothing at first', async ({
  page,
}) => {
  // A press in the moment that the button appears was meant for something else.
  const pressing = page.evaluate(async () => {
    const find = (): HTMLButtonElement | undefined =>
      [...document.querySelectorAll('button')].find((button) => button.innerText === 'Approve');
    while (find() === undefined) await new Promise((drawn) => requestAnimationFrame(drawn));
    const was = find()?.ariaDisabled;
    find()?.click();
    return was;
  });
  const asked = call('forged');
  const dialog = question(page);
  await expect(dialog).toBeVisible();
  expect(await pressing).toBe('true');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText('The tool says');
  await expect(dialog.locator('blockquote b')).toHaveCount(0);
  expect(await dialog.innerText()).not.toContain('\u202e');
  await page.keyboard.press('Escape');
  expect((await asked).textResultForLlm).toBe('false');
});

test('a call that ends takes its question with it', async ({ page }) => {
  const asked = call('patient');
  await question(page)
    .getByRole('button', { name: /cancel call/i })
    .click();
  expect((await asked).error).toBe('cancelled');
  await nothingAsked(page);
});

test('a call over the API to a tool that requires approval asks; pressing Run does not', async ({
  page,
}) => {
  const allowed = call('strict', { value: 7 });
  await expect(question(page)).toContainText('"value":7');
  await answer(page, /^allow once$/i);
  expect((await allowed).textResultForLlm).toBe('7');
  const denied = call('strict', { value: 8 });
  await question(page).getByRole('textbox').fill('too large');
  await answer(page, /^deny$/i);
  const { error, textResultForLlm } = await denied;
  expect([error, textResultForLlm]).toEqual([
    'approval_required',
    expect.stringContaining('too large'),
  ]);
  expect((await call('depends', { value: 3 })).textResultForLlm).toBe('3');
  await nothingAsked(page);
  const large = call('depends', { value: 30 });
  await answer(page, /^allow once$/i);
  expect((await large).textResultForLlm).toBe('30');
  await page.goto('./#/tools/ask:strict');
  await (await jsonArguments(page)).fill('{"value": 9}');
  // Again if it had just moved, when it does not react: see AllowGuard.
  await expect(async () => {
    await page.getByRole('button', { name: /^run/i }).click();
    await expect(page.getByRole('region', { name: /result/i })).toContainText('9', {
      timeout: 2_000,
    });
  }).toPass();
  await nothingAsked(page);
});

test('what the user always or never allows is not asked again, until they take it back', async ({
  page,
}) => {
  const first = call('strict', { value: 1 });
  await answer(page, /^always allow$/i);
  expect((await first).textResultForLlm).toBe('1');
  expect((await call('strict', { value: 2 })).textResultForLlm).toBe('2');
  await page.goto('./#/policy/approvals');
  const rule = page.getByRole('group', { name: 'Approval for ask:strict' });
  await expect(rule.getByRole('button', { pressed: true })).toHaveText('Always allow');
  await rule.getByRole('button', { name: 'Never allow' }).click();
  expect((await call('strict', { value: 3 })).error).toBe('approval_required');
  await nothingAsked(page);
  await page.getByRole('combobox', { name: 'Add a tool' }).fill('ask:plain');
  await page.getByRole('button', { name: 'Ask before each call' }).click();
  const plain = call('plain');
  await answer(page, /^deny$/i);
  expect((await plain).error).toBe('approval_required');
  for (const tool of ['ask:strict', 'ask:plain']) {
    const group = page.getByRole('group', { name: `Approval for ${tool}` });
    const other = group.getByRole('button', { name: /^Tool’s default/, pressed: false });
    // Playwright scrolls before it clicks; a button that has just moved ignores the click, so try again.
    await expect(async () => {
      await other.click();
      await expect(other).toHaveCount(0, { timeout: 1_000 });
    }).toPass({ timeout: 30_000 });
  }
  await expect(rule.getByRole('button', { pressed: true })).toHaveText(/^Tool’s default/);
  const again = call('strict', { value: 4 });
  await answer(page, /^allow once$/i);
  expect((await again).textResultForLlm).toBe('4');
});

test('nobody answers: the call fails after a minute', async ({ page }) => {
  await holdClock(page);
  const asked = call('strict', { value: 1 });
  await expect(question(page)).toBeVisible();
  await forwardClock(page, 58_000, 500);
  await expect(question(page)).toBeVisible();
  await forwardClock(page, 3_000, 500);
  const { error } = await asked;
  expect(error).toBe('approval_required');
  await nothingAsked(page);
});
