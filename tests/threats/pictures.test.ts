/** docs/decisions/attacks.md row 31: images that expand to more than the page can draw are not drawn, and harmless ones are. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { longestBlock } from '../../bench/longest-block.mjs';
import { storedImages } from '../support/hostile-images.ts';
import { fileOfImages, openSessionFile } from '../support/session-file.ts';
import { expect, test } from '../support/shared-page.ts';
import { expectNoStall } from '../support/stalls.ts';
import { jsonArguments } from '../support/json-arguments.ts';

const source = new URL('pictures.py', import.meta.url);

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'pictures.py': await readFile(source) });
});

const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const picture = (page: Page) => result(page).getByRole('img', { name: 'Result of pictures:draw' });

async function run(page: Page, image: string): Promise<void> {
  await page.evaluate(() => {
    location.hash = '#/tools/pictures:draw';
  });
  await (await jsonArguments(page)).fill(JSON.stringify({ image }));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('Success').first()).toBeVisible();
}

for (const image of ['plain svg', 'plain png', 'plain gif'])
  test(`row 31: a harmless image is drawn (${image})`, async ({ page }) => {
    await run(page, image);
    await expect(picture(page)).toBeVisible();
    const width = await picture(page).evaluate((one) => (one as HTMLImageElement).naturalWidth);
    expect(width).toBeGreaterThan(0);
  });

for (const [image, reason] of [
  ['bomb', /16,000 shapes/],
  ['bomb as png', /its data is not PNG/],
  ['groups', /nested more than 100 deep/],
  ['filter', /it uses <filter>/],
  ['frames', /10,000 frames; the limit is 1,000 frames/],
  ['large png', /30,000 pixels by 30,000 pixels; the limit is 50,000,000/],
] as const)
  test(`row 31: an image that would block the page is never drawn (${image})`, async ({ page }) => {
    await run(page, image);
    await expect(result(page).getByText(/^Not shown: /)).toHaveText(reason);
    await expect(picture(page)).toHaveCount(0);
    await expect(result(page).getByRole('button', { name: 'Download' })).toBeVisible();
  });

test('row 31: the images of an imported session, whose cards open by themselves', async ({
  page,
}) => {
  await page.evaluate(() => {
    location.hash = '#/sessions';
  });
  await openSessionFile(page, {
    name: 'images.session.json',
    mimeType: 'application/json',
    buffer: Buffer.from(fileOfImages('Images', storedImages)),
  });
  const cards = page.getByRole('region', { name: 'Call to' });
  for (const { refused } of storedImages)
    if (refused !== null)
      await expect(cards.getByText(/^Not shown: /).filter({ hasText: refused })).toBeVisible();
  // The control: the harmless one is drawn.
  await expect(cards.getByRole('img', { name: /^Result of/ })).toHaveCount(1);
});

test('row 31: an image above the limit is drawn on request', async ({ page }) => {
  await run(page, 'many shapes');
  await expect(result(page).getByText(/^Not shown yet: .*2,000 shapes/)).toBeVisible();
  await expect(picture(page)).toHaveCount(0);
  await result(page).getByRole('button', { name: 'Show image' }).click();
  await expect(picture(page)).toBeVisible();
});

test('row 31: the largest image drawn unasked does not block the page', async ({ page }) => {
  await run(page, 'plain svg');
  await expect(picture(page)).toBeVisible();
  await expectNoStall(page, async () => {
    await run(page, 'shapes');
    await expect(picture(page)).toBeVisible();
  });
});

test('row 31: without the limit, a few bytes block the page', async ({ page }) => {
  const parts = Array.from(
    { length: 4 },
    (_, n) => `<g id="l${String(n + 1)}">${`<use href="#l${String(n)}"/>`.repeat(10)}</g>`,
  );
  const bomb = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><defs><rect id="l0" width="9" height="9"/>${parts.join('')}</defs><use href="#l4"/></svg>`;
  const block = await longestBlock(page, () =>
    page.evaluate(
      async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
      },
      `data:image/svg+xml;base64,${btoa(bomb)}`,
    ),
  );
  expect(block).toBeGreaterThan(100);
});
