/** What a user does by hand: runs a tool, stops it, reads the result. */

import type { Page } from '@playwright/test';
import { expect, test } from './support/shared-page.ts';
import { question } from '../support/questions.ts';
import { jsonArguments } from '../support/json-arguments.ts';

/** Shown as source; what it does is in tools/bench.ts. */
const source = `
def greet(name: str = "world") -> str:
    return f"Hello, {name}"

def broken(items: list) -> str:
    return pick(items)

def pick(items):
    return items[7]

def refused(url: str) -> str:
    return urlopen(url).read()
`;

async function openTool(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click();
  await expect(page.getByRole('heading', { name: `bench:${name}` })).toBeVisible();
}

const runButton = (page: Page) => page.getByRole('button', { name: 'Run', exact: true });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
test.beforeAll(async ({ shared }) => {
  await shared.open({ 'bench.py': source });
});

test('keeps what a run had shown when it is stopped', async ({ page }) => {
  await openTool(page, 'stuck');
  await runButton(page).click();
  await expect(page.getByText(/line 3/).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(result(page).getByText('Cancelled', { exact: true })).toBeVisible();
  await expect(result(page).getByText(/line 3/)).toBeVisible();
  await expect(result(page).getByRole('cell', { name: '3', exact: true })).toBeVisible();
});

test('shows pictures, offers bytes, and leads from a traceback to the source', async ({ page }) => {
  await openTool(page, 'picture');
  await runButton(page).click();
  await expect(result(page).getByRole('img')).toBeVisible();
  await openTool(page, 'archive');
  await runButton(page).click();
  await expect(
    result(page)
      .getByText(/application\/zip/)
      .first(),
  ).toBeVisible();
  await openTool(page, 'broken');
  await (await jsonArguments(page)).fill('{"items": [1]}');
  await runButton(page).click();
  await expect(
    result(page)
      .getByText(/IndexError: list index out of range/)
      .first(),
  ).toBeVisible();
  await result(page)
    .getByRole('link', { name: /bench\.py/ })
    .last()
    .click();
  await expect(page.getByText('return items[7]').first()).toBeVisible();
});

test('a refused request shows the line of the tool first, folds libraries, and leads to the grant', async ({
  page,
}) => {
  await openTool(page, 'refused');
  await (await jsonArguments(page)).fill('{"url": "https://api.example.com/"}');
  await runButton(page).click();
  await question(page).getByRole('button', { name: 'Not now' }).click();
  const traceback = result(page).getByLabel('Traceback');
  await expect(traceback.getByRole('link')).toHaveText(/bench\.py", line \d+, in refused/);
  await expect(traceback).not.toContainText('urllib');
  await traceback.getByRole('button', { name: 'Show 2 frames of libraries' }).click();
  await expect(traceback).toContainText('/lib/http/client.py');
  const [own, first] = await Promise.all(
    ['bench.py', '/lib/urllib'].map(async (part) => (await traceback.innerText()).indexOf(part)),
  );
  expect(own).toBeLessThan(first ?? -1);
  await result(page).getByRole('link', { name: 'Review network access' }).click();
  await expect(page.getByRole('region', { name: 'Network' })).toBeVisible();
  await expect(page.getByLabel('Allow an origin')).toBeVisible();
});

test('a refused local address is allowed, and its call runs again, with three presses', async ({
  page,
  trouble,
}) => {
  trouble.allowOrigin('http://localhost:9');
  trouble.expect(/ERR_UNSAFE_PORT|ERR_CONNECTION|Failed to load resource|CORS policy/);
  await openTool(page, 'refused');
  await (await jsonArguments(page)).fill('{"url": "http://localhost:9/"}');
  await runButton(page).click();
  await expect(result(page)).toContainText('Local addresses are off');
  await result(page).getByRole('link', { name: 'Review network access' }).click();
  const network = page.getByRole('region', { name: 'Network' });
  await expect(network).not.toContainText('Nothing has to be set up here');
  const press = async (name: string): Promise<void> => {
    const button = network.getByRole('button', { name });
    await expect(button).toHaveAttribute('aria-disabled', 'false');
    await button.click();
  };
  await press('Allow http://localhost:9');
  const sent = page.waitForRequest('http://localhost:9/');
  await press('Run bench:refused again');
  await sent;
  await expect(question(page)).toHaveCount(0);
});

test('shows hostile and huge texts as texts', async ({ page }) => {
  await openTool(page, 'markup');
  await runButton(page).click();
  await expect(result(page).getByText('<script>alert(2)</script>').first()).toBeVisible();
  await expect(result(page).locator('img, script')).toHaveCount(0);
  await openTool(page, 'long');
  await runButton(page).click();
  await expect(
    result(page)
      .getByText(/0123456789/)
      .first(),
  ).toBeVisible();
  const shown = await result(page).evaluate((element) => element.textContent.length);
  expect(shown).toBeLessThan(1_000_000);
});

test('keeps the calls, and a changed file is there after a refresh', async ({ page, shared }) => {
  const other = await shared.openFolder({ 'bench.py': source }, 'changing');
  await openTool(page, 'greet');
  await runButton(page).click();
  await expect(result(page).getByText('Hello, world')).toBeVisible();
  await other.write({ 'bench.py': source.replace('Hello, ', 'Good day, ') });
  await page.getByRole('button', { name: 'Refresh' }).click();
  // It asks whether it may read the folder before it does.
  const text = () => page.evaluate(() => globalThis.cloche.folder.source('bench.py'));
  await expect.poll(text).toContain('Good day, ');
  const phase = (): Promise<string> => page.evaluate(() => globalThis.cloche.status.get().phase);
  await expect.poll(phase).toBe('ready');
  await runButton(page).click();
  await expect(result(page).getByText('Good day, world')).toBeVisible();
  await page.getByRole('link', { name: /^Runs/ }).click();
  await expect(page.getByText('bench:greet').first()).toBeVisible();
});

test('takes an uploaded folder where there is no picker', async ({ page, folder }) => {
  const { path } = await folder({ 'bench.py': source, 'sub/helper.py': 'x = 1\n' }, 'uploaded');
  await page.locator('input[type=file]').first().setInputFiles(path);
  await expect(page.getByRole('heading', { name: 'uploaded' })).toBeVisible();
  await expect(page.getByText('10 tools').first()).toBeVisible();
});
