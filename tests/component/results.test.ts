/** How results, progress and updates are shown. */

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { startWitness, type Witness } from '../support/witness.ts';
import { expect, test } from './support/shared-page.ts';

const names =
  'download watch metrics forecast cities wide_table orders page notes sound plural'.split(' ');

test.beforeAll(async ({ shared }) => {
  const source = names.map((name) => `def ${name}(): ...\n`).join('');
  await shared.open({ 'results.py': source }, 'results');
});
test.afterEach(async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  if (await stop.isVisible()) await stop.click();
});

async function run(page: Page, name: string, args: object = {}): Promise<Locator> {
  await page.getByRole('group', { name: 'Tools by file' }).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name: `results:${name}` })).toBeVisible();
  const field = await jsonArguments(page);
  await field.fill(JSON.stringify(args));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  return page.getByRole('region', { name: 'Result', exact: true });
}

test(
  'progress is a bar with the time left, on the page of the tool and in the list',
  { tag: '@full' },
  async ({ page }) => {
    const result = await run(page, 'download', { until: 5 });
    const bar = result.getByRole('progressbar', { name: 'Progress of the call' });
    await expect(bar).toHaveJSProperty('max', 8);
    await expect(bar).toHaveJSProperty('value', 5);
    await expect(result).toContainText('5 of 8');
    await expect(result).toContainText('Reading file 5');
    await expect(result).toContainText(/almost done|about 1 s left/);
    const row = page
      .getByRole('group', { name: 'Tools by file' })
      .getByRole('link', { name: 'download' });
    await expect(row).toContainText('5 of 8');
    // What is told as a bar is not repeated as a log.
    await expect(result.getByText('{"progress"')).toHaveCount(0);
    expect(await violations(page)).toEqual([]);
    // The tool pauses: an estimate would be a guess.
    await expect(result).toContainText('no progress for', { timeout: 30_000 });
  },
);

test('equal updates are a table while a call runs and afterwards, and others a log', async ({
  page,
}) => {
  const result = await run(page, 'watch');
  const table = result.getByRole('group', { name: 'Updates as a table' });
  await expect(table.getByRole('row')).toHaveText([
    /epoch\s*loss/,
    /3\s*3\s*0\.33/,
    /2\s*2/,
    /1\s*1/,
  ]);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(result).toContainText('Cancelled');
  await expect(table.getByRole('row').nth(1)).toHaveText(/1\s*1\s*1/);
});

test('a wide table of updates keeps its rows when more arrive', async ({ page }) => {
  const result = await run(page, 'metrics');
  const rows = result.getByRole('group', { name: 'Updates as a table' }).locator('tbody tr');
  await expect(rows).toHaveCount(16);
  const fewest = await rows.first().evaluate(async (row) => {
    const body = row.parentElement;
    let least = Infinity;
    let changes = 0;
    const observer = new MutationObserver(() => {
      changes += 1;
      least = Math.min(least, body?.childElementCount ?? 0);
    });
    if (body !== null) observer.observe(body, { childList: true });
    while (changes < 5) await new Promise((resolve) => setTimeout(resolve, 50));
    observer.disconnect();
    return least;
  });
  expect(fewest).toBe(16);
});

test('a result that breaks `returns` is shown with the places at fault', async ({ page }) => {
  const result = await run(page, 'forecast', { fine: false });
  const faults = result.getByRole('group', { name: 'Where the result does not match returns' });
  await expect(faults).toContainText('in 2 places');
  await expect(faults.locator('.place')).toHaveText([
    /\$\.days\[11\]\.high\s+is required/,
    /\$\.days\[11\]\.low\s+must be a number, but is a string/,
  ]);
  // The tree shows them unasked, unfolded to where they are.
  const tree = result.getByRole('group', { name: 'JSON', exact: true });
  await expect(tree.getByText('"cold"')).toBeVisible();
  await expect(tree.locator('.mark')).toHaveText([
    'must be a number, but is a string',
    'is required',
  ]);
  expect(await violations(page)).toEqual([]);
  await faults.getByRole('link', { name: 'returns' }).click();
  await expect(page.getByRole('heading', { name: 'results.py' })).toBeVisible();

  // The same in the call log, by the address of the call.
  await page.goBack();
  await page.getByRole('link', { name: /^Runs/ }).last().click();
  await page
    .getByRole('link', { name: /results:forecast/ })
    .first()
    .click();
  await expect(page.getByRole('main').getByText('in 2 places')).toBeVisible();
  await page.getByRole('link', { name: 'Close drawer' }).click();
});

test('a result that fits `returns` has no such note', async ({ page }) => {
  const result = await run(page, 'forecast', { fine: true });
  await expect(result.getByText('"Oslo"')).toBeVisible();
  await expect(result.getByText('Does not match')).toHaveCount(0);
});

test('a list of records opens as a table', async ({ page }) => {
  const result = await run(page, 'wide_table');
  await expect(result.getByRole('cell', { name: 'Copenhagen', exact: true })).toBeVisible();
});

test('a table of 100,000 rows is sorted, filtered, paged and saved', async ({ page }) => {
  const result = await run(page, 'cities', { n: 100_000 });
  await result.getByRole('button', { name: 'Table', exact: true }).click();
  const status = result.getByRole('status');
  const rows = result.getByRole('row');
  await expect(status).toHaveText('1–100 of 100,000 rows', { timeout: 20_000 });
  await expect(rows).toHaveCount(101);
  await result.getByRole('button', { name: 'size', exact: true }).click();
  await expect(result.getByRole('columnheader', { name: 'size' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(status).toHaveText('1–100 of 100,000 rows', { timeout: 20_000 });
  await expect(rows.nth(1)).toHaveText(/0\.0$/);
  await result.getByRole('button', { name: 'size' }).click();
  await expect(rows.nth(1)).toHaveText(/999\.0$/, { timeout: 20_000 });
  await result.getByRole('searchbox', { name: 'Filter rows' }).fill('sum(');
  await expect(status).toHaveText('1–100 of 25,000 rows, filtered from 100,000', {
    timeout: 20_000,
  });
  await result.getByRole('button', { name: 'Next' }).click();
  await expect(status).toHaveText('101–200 of 25,000 rows, filtered from 100,000');
  const saved = page.waitForEvent('download');
  await result.getByRole('button', { name: 'CSV' }).click();
  const lines = (await readFile(await (await saved).path(), 'utf8')).split('\r\n');
  expect([lines.length, lines[0], lines[1]?.split(',').slice(1)]).toEqual([
    25_002,
    'n,name,size',
    ["'=SUM(A1)", '998.0'],
  ]);
});

for (const width of [390, 1280])
  test(`a column is as wide as its longest word at ${width}`, async ({ page }) => {
    const result = await run(page, 'wide_table');
    await result.getByRole('button', { name: 'Table', exact: true }).click();
    await page.setViewportSize({ width, height: 800 });
    for (const word of ['Berlin', 'Copenhagen']) {
      const cell = result.getByRole('cell', { name: word, exact: true });
      const lines = await cell.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getClientRects().length;
      });
      expect(lines).toBe(1);
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth > window.innerWidth,
    );
    expect(overflow).toBe(false);
  });

/** The lightness of the lightest pixel at an edge of an element, below its first lines. */
async function lightest(element: Locator, side: 'left' | 'right'): Promise<number> {
  const { x, y, width, height } = (await element.boundingBox())!;
  const left = side === 'left' ? x + 1 : x + width - 3;
  const clip = { x: left, y: y + 60, width: 2, height: Math.min(100, height - 80) };
  const png = (await element.page().screenshot({ clip })).toString('base64');
  return element.page().evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')!;
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
    return Math.max(...data.filter((_, at) => at % 4 === 0));
  }, png);
}

test('a table that is wider than a phone has a shadow where there is more, and scrolls with the arrow keys', async ({
  page,
}) => {
  const result = await run(page, 'wide_table');
  await result.getByRole('button', { name: 'Table', exact: true }).click();
  await page.setViewportSize({ width: 390, height: 800 });
  const area = result.getByRole('group', { name: 'JSON as a table' });
  await area.focus();
  await area.scrollIntoViewIfNeeded();
  const before = [await lightest(area, 'left'), await lightest(area, 'right')] as const;
  expect(before[0] - before[1]).toBeGreaterThan(10);
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    const left = await area.evaluate((one) => one.scrollWidth - one.clientWidth - one.scrollLeft);
    expect(left).toBeLessThanOrEqual(1);
  }).toPass({ intervals: [20] });
  const after = [await lightest(area, 'left'), await lightest(area, 'right')] as const;
  expect(after[1] - after[0]).toBeGreaterThan(10);
});

test('rows of a table are in view after a run at 1280 × 800, and so is the button that runs the tool again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page
    .getByRole('group', { name: 'Tools by file' })
    .getByRole('link', { name: 'orders' })
    .click();
  const edit = page.getByRole('group', { name: 'Edit as' });
  await edit.getByRole('button', { name: 'Form' }).click();
  for (const [name, text] of [
    ['customer', 'Ada'],
    ['status', 'open'],
    ['limit', '12'],
  ] as const)
    await page.getByRole('textbox', { name: new RegExp(`^${name}`) }).fill(text);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const rows = page.getByRole('region', { name: 'Result', exact: true }).getByRole('row');
  await expect(rows).toHaveCount(13);
  await expect(rows.nth(5)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeInViewport({ ratio: 1 });
});

test('Markdown is formatted, and its source can be shown', async ({ page }) => {
  const result = await run(page, 'notes');
  await expect(result.getByRole('heading', { name: 'Notes' })).toBeVisible();
  await expect(result.getByRole('listitem')).toHaveText(['one', /^two <script>/]);
  expect(await violations(page)).toEqual([]);
  await result.getByRole('button', { name: 'Source' }).click();
  await expect(result.getByText('# Notes')).toBeVisible();
});

test('audio has controls', async ({ page }) => {
  const result = await run(page, 'sound');
  const audio = result.locator('audio');
  await expect.poll(() => audio.evaluate((one: HTMLAudioElement) => one.duration)).toBe(0.1);
  await expect(result.getByText('audio/wav')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

/** What would run, load or lead away if a page with it were shown as it is. */
function hostile({ origin }: Witness): string {
  return [
    '<table><tr><td>cell</td></tr></table>',
    `<script>top.taken = 1; fetch("${origin}/script")</script>`,
    `<img src="${origin}/image" onerror="top.taken = 1">`,
    `<link rel="stylesheet" href="${origin}/style">`,
    `<style>body { background: url(${origin}/background) }</style>`,
    `<iframe src="${origin}/frame"></iframe>`,
    `<meta http-equiv="refresh" content="0;url=${origin}/refresh">`,
    `<a href="${origin}/link" target="_top">a link</a><p id="end">end</p>`,
  ].join('\n');
}

/** The same text without the reading, the sandbox and the policies. */
async function shownAsItIs(page: Page, witness: Witness): Promise<readonly string[]> {
  const other = await page.context().newPage();
  await other.setContent(hostile(witness), { waitUntil: 'commit' });
  const wanted = ['script', 'image', 'style', 'background', 'frame', 'refresh'];
  await expect
    .poll(() => wanted.filter((name) => !witness.log.includes(`GET /${name}`)))
    .toEqual([]);
  // Chromium may never close a page that is being led away.
  await other.waitForURL(/\/refresh$/);
  await other.close();
  return witness.log;
}

test('HTML is shown in a frame in which nothing runs, loads or leads away', async ({
  page,
  trouble,
}) => {
  const witness = await startWitness();
  try {
    const result = await run(page, 'page', { html: hostile(witness) });
    const frame = result.locator('iframe');
    const inside = frame.contentFrame();
    await expect(inside.getByRole('cell', { name: 'cell' })).toBeVisible();
    await expect(inside.getByText('a link')).toBeVisible();
    expect(await frame.getAttribute('sandbox')).toBe('');
    const left = await inside.locator('body').evaluate((body) => ({
      tags: [...new Set(Array.from(body.querySelectorAll('*'), (one) => one.localName))].sort(),
      origin: self.origin,
    }));
    expect(left).toEqual({ tags: ['font', 'p', 'table', 'tbody', 'td', 'tr'], origin: 'null' });
    expect(await violations(page)).toEqual([]);
    expect(trouble.take()).toEqual([]);
    expect(witness.log).toEqual([]);
    trouble.expect(/localhost/);
    await shownAsItIs(page, witness);
  } finally {
    await witness.close();
  }
});

test(
  'the frame and its policy hold also without the reading',
  { tag: '@full' },
  async ({ page, trouble }) => {
    const witness = await startWitness();
    try {
      const result = await run(page, 'page', { html: '<p>x</p>' });
      const frame = result.locator('iframe');
      const given = (await frame.getAttribute('srcdoc')) ?? '';
      await frame.evaluate(
        (element: HTMLIFrameElement, html) => {
          element.srcdoc = html;
        },
        given.replace('<p>x</p>', () => hostile(witness)),
      );
      // Attached: what is still to load may keep the browser from drawing the frame.
      await expect(frame.contentFrame().locator('#end')).toBeAttached();
      expect(await page.evaluate(() => 'taken' in window)).toBe(false);
      // Chromium may connect to a host before it knows that it must not ask it: only the reading prevents that.
      expect(witness.log.filter((arrived) => arrived !== 'connection')).toEqual([]);
      // The browser reports all that it has blocked.
      trouble.expect(/localhost|sandboxed|Content Security Policy/);
      await shownAsItIs(page, witness);
    } finally {
      await witness.close();
    }
  },
);

test('the page of a tool shows what providers receive', async ({ page }) => {
  await page.getByRole('link', { name: 'plural' }).click();
  await page.getByRole('link', { name: 'Details', exact: true }).click();
  await page.getByText('Model providers').click();
  const rows = page.getByRole('row');
  await expect(page.getByText('as results__plural.')).toBeVisible();
  await expect(rows.filter({ hasText: 'Google' })).toContainText('accepted: Sent as it is');
  const anthropic = rows.filter({ hasText: 'Anthropic' });
  await expect(anthropic).toContainText('altered: Sent in another form');
  await expect(anthropic).toContainText(/Parameter größe is sent as gr_e_h[0-9a-f]{10}/);
  await anthropic.getByText('Definition').click();
  await expect(anthropic).toContainText(/"input_examples": \[\s*\{\s*"gr_e_h[0-9a-f]{10}": 2/);
  const google = rows.filter({ hasText: 'Google' });
  await google.getByText('Definition').click();
  await expect(google).toContainText('Examples of arguments:\\n{\\"größe\\":2}');
  expect(await violations(page)).toEqual([]);
});
