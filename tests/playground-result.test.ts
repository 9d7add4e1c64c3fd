/** Tests what a reader sees of a playground without scrolling, and before Python loads: docs/embed.md. */

import { readFile } from 'node:fs/promises';
import type {} from '../src/embed/element/playground-types.d.ts';
import { startEmbeddingSite, type EmbeddingSite } from './support/embedding-site.ts';
import { expect, test } from './support/test.ts';

const source = await readFile(new URL('support/counting.py', import.meta.url), 'utf8');
const inline = `<script type="text/x-python">${source}</script>`;

let site: EmbeddingSite;
let script = '';
test.beforeAll(async ({}, { project }) => {
  const app = project.use.baseURL ?? '';
  site = await startEmbeddingSite(app);
  script = `<script async src="${app}cloche-playground.js"></script>`;
});
test.afterAll(() => site.close());
test.beforeEach(({ trouble }) => {
  trouble.allowOrigin(site.origin);
});

test('the page scrolls to the result of a run that the reader starts, not of one that the page starts', async ({
  page,
}) => {
  const tags = `<p>Above</p><cloche-playground tool="count" arguments='{"to": 3}'>${inline}</cloche-playground><p class="below">Below</p>`;
  site.put('/docs.css', '.below { height: 60rem }');
  const address = site.put('/view.html', `${script}${tags}`);
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(address);
    const frame = page.frameLocator('iframe');
    await expect(frame.getByText('def count(to: int):')).toBeVisible();
    const scrolled = (): Promise<number> => page.evaluate(() => scrollY);
    // The page, not the reader, starts the first run.
    await page.evaluate(() => document.querySelector('cloche-playground')?.run());
    const result = frame.getByRole('region', { name: 'Result' });
    await expect(result.getByText('"calls": 1')).toBeAttached({ timeout: 45_000 });
    await expect(result).not.toBeInViewport({ ratio: 0.9 });
    expect(await scrolled()).toBe(0);
    await frame.getByRole('button', { name: 'Run' }).press('Enter');
    await expect(result.getByText('"calls": 2')).toBeInViewport();
    await expect(result).toBeInViewport({ ratio: 0.9 });
  }
});

test('without the source, the parameters of the function are shown before Python loads', async ({
  page,
}) => {
  const plain =
    '<script type="text/x-python">def greet(name: str) -> str:\n    return name\n</script>';
  const tag = `<cloche-playground view="form">${plain}</cloche-playground>`;
  await page.goto(site.put('/form.html', `${script}${tag}`));
  const frame = page.frameLocator('iframe');
  await expect(frame.getByText('greet(name: str)')).toBeVisible();
  await frame.getByRole('button', { name: 'Run' }).click();
  await expect(frame.getByRole('textbox', { name: 'name' })).toBeVisible({ timeout: 45_000 });
});
