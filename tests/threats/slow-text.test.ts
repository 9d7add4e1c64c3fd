/** docs/decisions/attacks.md row 42: text that is slow to lay out does not block the page, wherever it is shown. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { longestBlock } from '../../bench/longest-block.mjs';
import { shareLink } from '../../src/app/ui/tools/share/share-link.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { MadeFiles } from '../support/make-folder.ts';
import { makeZip } from '../support/make-zip.ts';
import { pressUntil } from '../support/press-until.ts';
import { fileOfAnswers, fileOfCall, openSessionFile } from '../support/session-file.ts';
import { expect, test } from '../support/shared-page.ts';
import { expectNoStall } from '../support/stalls.ts';

const source = new URL('slow.py', import.meta.url);
const files = new MadeFiles();
const scripts = 'khmer lao thai burmese tibetan arabic marks emoji controls word'.split(' ');
const khmer = 'ភាសាខ្មែរជាភាសាផ្លូវការរបស់ព្រះរាជាណាចក្រកម្ពុជា';

/** The texts of slow.py. */
const samples = new Map(
  Array.from(
    readFileSync(source, 'utf8').matchAll(/^ {4}"(\w+)": "(.+)",$/gm),
    ([, name, text]) => [name, text],
  ),
);
function textOf(script: string, count: number): string {
  const text = samples.get(script) ?? '';
  return text.repeat(Math.ceil(count / text.length)).slice(0, count);
}

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'slow.py': await readFile(source) });
  // The code of these views is loaded once, before the measurements.
  await run(shared.page, 'printed', { script: 'word', count: 10 });
  await expect(result(shared.page).getByText('Failed').first()).toBeVisible();
  await openSession(shared.page, fileOfAnswers('Plain', ['A **plain** answer.']));
  await expect(shared.page.getByText('A plain answer.')).toBeVisible();
  await openCard(shared.page, fileOfCall('Short', '{}', outputs('word', 'abc')));
});
test.afterAll(() => files.dispose());

const result = (page: Page) => page.getByRole('region', { name: 'Result' });

async function run(page: Page, tool: string, args: object): Promise<void> {
  await page.evaluate((name) => {
    location.hash = `#/tools/${name}`;
  }, `slow:${tool}`);
  await expect(page.getByRole('heading', { name: `slow:${tool}` })).toBeVisible();
  await (await jsonArguments(page)).fill(JSON.stringify(args));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
}

/** A result with the text in each of its parts. */
const outputs = (type: string, text: string) => ({
  textResultForLlm: text,
  content: [
    { type: 'text', text },
    { type: 'json', text: JSON.stringify({ [type]: text }) },
  ],
  log: [{ level: 'info', message: text.slice(0, 50_000) }],
  stdout: text,
  stderr: text,
});

async function openCard(page: Page, file: string): Promise<void> {
  await openSession(page, file);
  const card = page.getByRole('region', { name: 'Call to some:tool' });
  await card.getByRole('button', { expanded: false }).first().click();
  await expect(card.getByLabel('Standard output')).toBeVisible();
}

async function openSession(page: Page, content: string): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/sessions';
  });
  await openSessionFile(page, await files.write('a.session.json', content));
}

test('row 42: control: the same text in one piece blocks the page', async ({ page }) => {
  const stall = await longestBlock(page, () =>
    page.evaluate((text) => {
      const all = document.body.appendChild(document.createElement('pre'));
      all.textContent = text;
      all.getBoundingClientRect();
      all.remove();
    }, khmer.repeat(1_300)),
  );
  expect(stall).toBeGreaterThan(200);
});

/** The slowest script, marks and words stand for all of them. */
const tagOf = (script: string) => (['khmer', 'marks', 'word'].includes(script) ? [] : '@full');

for (const script of scripts)
  test(
    `row 42: ${script}, printed, logged and raised`,
    { tag: tagOf(script) },
    async ({ page }) => {
      await expectNoStall(page, async () => {
        await run(page, 'printed', { script, count: script === 'word' ? 1_000_000 : 300_000 });
        await expect(result(page).getByLabel('Printed so far')).toBeVisible();
        await expect(result(page).getByText('Failed').first()).toBeVisible();
        await expect(result(page).getByLabel('Standard output')).toBeVisible();
      });
      // A megabyte on standard output leaves no room for more.
      const errors = result(page).getByLabel('Standard error');
      await expect(errors).toHaveCount(script === 'word' ? 0 : 1);
    },
  );

test('row 42: every script, streamed', async ({ page }) => {
  await expectNoStall(page, async () => {
    // Each script is printed twice, on both outputs.
    await run(page, 'streamed', { seconds: 4 });
    await expect(result(page).getByLabel('Printed so far')).toBeVisible();
    await expect(result(page).getByText('The end').first()).toBeVisible({ timeout: 30_000 });
  });
});

for (const [script, count] of [
  ['khmer', 500_000],
  ['thai', 200_000],
  ['word', 500_000],
] as const)
  test(
    `row 42: ${script}, returned`,
    { tag: script === 'khmer' ? [] : '@full' },
    async ({ page }) => {
      await expectNoStall(page, async () => {
        await run(page, 'returned', { script, count });
        await expect(result(page).getByText('Success').first()).toBeVisible();
        await result(page).getByRole('button', { name: 'Show all' }).first().click();
        // All pieces are shown, one in each frame.
        await expect(result(page).getByText('Loading more')).toHaveCount(0);
      });
    },
  );

for (const [what, text] of [
  ['paragraph', khmer.repeat(1_000)],
  ['paragraphs', `${khmer.repeat(20)}\n\n`.repeat(150)],
  ['code', `\`\`\`\n${khmer.repeat(1_000)}\n\`\`\``],
] as const)
  test(`row 42: an answer that is slow to lay out (${what})`, async ({ page }) => {
    await expectNoStall(page, async () => {
      await openSession(page, fileOfAnswers('Slow', [text, text]));
      await expect(page.getByText('ភាសា').last()).toBeVisible();
    });
    const [longest] = await page.getByRole('main').evaluate(pieceLengths);
    expect(longest).toBeLessThanOrEqual(2_000);
  });

for (const script of ['khmer', 'thai', 'word'])
  test(
    `row 42: ${script}, in the card of a call`,
    { tag: script === 'khmer' ? [] : '@full' },
    async ({ page }) => {
      const text = textOf(script, 300_000);
      await expectNoStall(page, () =>
        openCard(page, fileOfCall('Slow', JSON.stringify({ text }), outputs(script, text))),
      );
    },
  );

/** Runs in the page: the characters of the longest piece that is laid out in one go, and of all pieces. */
function pieceLengths(within: Element): readonly [longest: number, all: number] {
  const lengths = [...within.querySelectorAll('pre, pre > *')]
    .filter(({ children }) => children.length === 0)
    .map(({ textContent }) => textContent.length);
  return [Math.max(0, ...lengths), lengths.reduce((sum, length) => sum + length, 0)];
}

test('row 42: files of a link', async ({ page }) => {
  const entries = ['khmer', 'lao', 'thai', 'burmese'].map((script) => ({
    name: `${script}.txt`,
    content: textOf(script, 60_000),
  }));
  const files = new Uint8Array(makeZip(entries));
  const link = shareLink('', { folder: 'gift', tool: '', arguments: '{}', zip: files });
  const main = page.getByRole('main');
  const content = (name: string) => main.getByRole('group', { name: `Content of ${name}` });
  await expectNoStall(page, async () => {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, link);
    for (const { name } of entries) {
      await main.getByText(name, { exact: true }).click();
      await expect(content(name)).toBeVisible();
      await main.getByRole('button', { name: 'Show all' }).click();
      await expect(main.getByText('Loading more')).toHaveCount(0);
    }
  });
  for (const { name } of entries) {
    const [longest, all] = await content(name).evaluate(pieceLengths);
    expect(all, name).toBe(60_000);
    expect(longest, name).toBeLessThanOrEqual(2_000);
  }
});

test('row 42: printed, logged and raised in a playground', { tag: '@full' }, async ({ shared }) => {
  const page = await shared.page.context().newPage();
  const query = new URLSearchParams({
    source: await readFile(source, 'utf8'),
    name: 'slow.py',
    tool: 'printed',
    arguments: '{"script": "khmer", "count": 300000}',
  });
  await page.goto(`./playground.html#${query.toString().replaceAll('+', '%20')}`);
  await page.getByRole('button', { name: 'Run' }).click();
  const failed = page.getByText('ValueError').first();
  await expect(failed).toBeVisible({ timeout: 45_000 });
  const running = page.getByLabel('Printed so far');
  // The last result may still be shown while the tool runs again.
  const runAgain = async (): Promise<void> => {
    await pressUntil(page.getByRole('button', { name: 'Run' }), running);
    await expect(running).toHaveCount(0, { timeout: 45_000 });
    await expect(failed).toBeVisible();
  };
  await expectNoStall(page, runAgain);
  for (const script of ['lao', 'thai', 'burmese']) {
    const args = JSON.stringify({ script, count: 30_000 });
    await (await jsonArguments(page)).fill(args);
    await runAgain();
    const output = page.getByRole('region', { name: 'Result' });
    await expect(output).toContainText(textOf(script, 40));
    const [longest, all] = await output.evaluate(pieceLengths);
    expect(all, script).toBeGreaterThan(10_000);
    expect(longest, script).toBeLessThanOrEqual(2_000);
  }
  await page.close();
});
