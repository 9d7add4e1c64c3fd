/** docs/decisions/attacks.md row 36: content whose work grows faster than its size does not block the page, and what is cut is said. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { longestBlock } from '../../bench/longest-block.mjs';
import { defaultLimits } from '../../src/runtime/spec/limits.ts';
import { MadeFiles } from '../support/make-folder.ts';
import { fileOfAnswers, sessionInput } from '../support/session-file.ts';
import { expect, test } from '../support/shared-page.ts';
import { expectNoStall, expectWithin } from '../support/stalls.ts';
import { jsonArguments } from '../support/json-arguments.ts';

// There is no second attempt: a stall counts at the first.
test.describe.configure({ retries: 0 });

const source = new URL('growing.py', import.meta.url);
const files = new MadeFiles();

/**
 * Limit of the longest stall, in milliseconds. Without limits, these contents block the page for one to several seconds. Drawing
 * what the limits let through takes 30 to 80 ms, and twice as long the first time.
 */
const maxDrawingMs = 300;

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'growing.py': await readFile(source) });
  // The code of these places is loaded once.
  await show(shared.page, 'plain');
  await openFrom(shared.page, fileOfAnswers('First', ['A **plain** answer.']));
  await expect(shared.page.getByText('A plain answer.')).toBeVisible();
});
test.afterAll(() => files.dispose());

async function show(page: Page, tool: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = `#/tools/${name}?panel=details`;
  }, `growing:${tool}`);
  await expect(page.getByRole('heading', { name: `growing:${tool}` })).toBeVisible();
}

async function takeIn(page: Page, text: string): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/sessions';
  });
  await page.locator(sessionInput).setInputFiles(await files.write('a.session.json', text));
}

async function openFrom(page: Page, text: string): Promise<void> {
  await takeIn(page, text);
  await page
    .getByRole('dialog', { name: 'Open this session?' })
    .getByRole('button', { name: 'Open' })
    .click();
}

const schemas = 'row 36: schemas whose types and objects multiply';

test(schemas, async ({ page }) => {
  const stall = await longestBlock(page, async () => {
    for (const tool of ['types', 'objects']) {
      await show(page, tool);
      await expect(page.getByRole('table', { name: 'Parameters' })).toBeVisible();
      // The help for arguments looks for the property at the caret.
      const field = await jsonArguments(page);
      await field.fill('{"p0": {"nowhere": {"nowhere": 1}}, "p1": 5}');
      await field.press('ArrowLeft');
      await field.press('ArrowLeft');
    }
  });
  expectWithin(stall, maxDrawingMs, 'longest stall, milliseconds');
  await show(page, 'types');
  await expect(page.getByRole('row', { name: /or others/ }).first()).toBeVisible();
  // An ordinary schema is shown in full.
  await show(page, 'plain');
  const rows = page.getByRole('table', { name: 'Parameters' }).getByRole('row');
  await expect(rows).toContainText(['Name', 'text', 'either']);
  await expect(page.getByText('too large to describe')).toHaveCount(0);
});

/** These two stand for the others: many blocks, and one block that takes long. */
const often = ['paragraphs', 'unclosed links and emphasis'];

for (const [what, text] of [
  ['paragraphs', 'a\n\n'.repeat(100_000)],
  ['code blocks', '```\na\n```\n'.repeat(20_000)],
  ['unclosed links and emphasis', '[a](b *c _d `e '.repeat(25_000)],
  ['emphasis behind a code block', `\`\`\`\nx\n\`\`\`\n${'_a_b'.repeat(15_000)}`],
  ['cells of a table', `${'|a'.repeat(1_300)}|\n${'|-'.repeat(1_300)}|\n${'x\n'.repeat(1_000)}`],
] as const)
  test(
    `row 36: an answer of ${what}`,
    { tag: often.includes(what) ? [] : '@full' },
    async ({ page }) => {
      const stall = await longestBlock(page, async () => {
        await openFrom(page, fileOfAnswers(what, [text]));
        await expect(page.getByText(/without formatting, which would take too long/)).toBeVisible();
      });
      expectWithin(stall, maxDrawingMs, 'longest stall, milliseconds');
      // An ordinary answer is formatted to its end.
      await openFrom(page, fileOfAnswers('Plain', [`${'*One*.\n\n'.repeat(300)}**The end**`]));
      await expect(page.getByText('The end')).toBeAttached();
      await expect(page.getByText('without formatting')).toHaveCount(0);
    },
  );

test('row 36: sessions of too many entries are refused', async ({ page }) => {
  const entries = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'asks-again', tool: 'a' }));
  const large = fileOfAnswers('Large', ['x'], entries(300_000));
  await expectNoStall(page, async () => {
    await takeIn(page, large);
    await expect(page.getByText(/It has more than 100000 entries/)).toBeVisible();
  });
  await openFrom(page, fileOfAnswers('Long', ['**Imported**'], entries(2_000)));
  await expect(page.getByText('Imported', { exact: true })).toBeVisible();
});

test('5,000 calls at once: some run, the rest is refused', async ({ page }) => {
  let ends: Record<string, number> = {};
  const stall = await longestBlock(page, async () => {
    ends = await page.evaluate(callAtOnce, 5_000);
  });
  expectWithin(stall, maxDrawingMs, 'longest stall, milliseconds');
  const { callsAtOnce } = defaultLimits;
  expect(ends).toEqual({ success: callsAtOnce, BusyError: 5_000 - callsAtOnce });
  // The refused calls can be repeated.
  expect(await page.evaluate(callAtOnce, 10)).toEqual({ success: 10 });
});

/** Runs in the page. Resolves to the number of calls by how they ended. */
async function callAtOnce(count: number): Promise<Record<string, number>> {
  const { signal } = new AbortController();
  const call = {
    tool: 'growing:plain',
    arguments: '{"text": "a"}',
    validate: true,
    sessionId: '',
    sessionKey: '',
    turnId: '',
    agentId: '',
  };
  const results = await Promise.all(
    Array.from({ length: count }, () =>
      globalThis.cloche.calls.call(signal, { ...call, caller: 'page', id: crypto.randomUUID() }),
    ),
  );
  const ends: Record<string, number> = {};
  for (const { resultType, error = '' } of results) {
    const end = resultType === 'success' ? resultType : error.replace(/:.*/, '');
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}
