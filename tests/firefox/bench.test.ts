/** The form, results, saved tests, and the editor, in the real Firefox. */

import { expect, test, vi } from 'vitest';
import { resultsSource } from '../support/results-tools.ts';
import {
  click,
  dropFiles,
  fill,
  fillArguments,
  framesOf,
  scanned,
  shows,
  isFull,
  useFirefox,
} from './firefox.ts';

const source = `
def order(item: str, count: int = 1, gift: bool = False) -> dict:
    """Orders an item."""
    return {"item": item, "total": count * 2, "gift": gift}

TOOL_SPECS = [{
    "name": "shop:order", "description": "Orders an item.", "handler": order,
    "parameters": {"type": "object", "required": ["item"], "properties": {
        "item": {"type": "string", "description": "What"},
        "count": {"type": "integer", "description": "How many", "minimum": 1},
        "gift": {"type": "boolean", "description": "Wrapped"},
    }},
}]
`;

const firefox = useFirefox();

if (isFull)
  test('a form is filled by keyboard alone, and runs', async () => {
    const { page } = firefox();
    await dropFiles(page, { 'shop.py': source });
    await click(page, 'link', 'order');
    await page.locator('::-p-aria([name="item"][role="textbox"])').wait();
    await page.focus('::-p-aria([name="item"][role="textbox"])');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type('tea pot');
    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
    await shows(page, 'tea pot');
    // Only the result has it.
    await shows(page, 'total');
  });

if (isFull)
  test('HTML is shown in a frame without scripts, a data frame as a table with its faults, and progress as a bar', async () => {
    const { page } = firefox();
    await dropFiles(page, { 'shown.py': resultsSource });
    const result = (): Promise<string> =>
      page.$eval('section[aria-label="Result"]', (section) => section.innerText);
    const run = async (name: string): Promise<void> => {
      await click(page, 'link', name);
      await page.locator(`h1 ::-p-text(${name})`).wait();
      await click(page, 'button', 'Run');
    };
    await run('report');
    await page.locator('section[aria-label="Result"] iframe').wait();
    await vi.waitFor(async () => {
      const frames = await Promise.all(
        (await framesOf(page)).map((frame) =>
          frame.evaluate(() => document.querySelector('td')?.textContent ?? '').catch(() => ''),
        ),
      );
      expect(frames).toContain('cell');
    }, 30_000);
    expect(await page.evaluate(() => 'taken' in window)).toBe(false);

    await run('frame');
    await vi.waitFor(async () => {
      expect(await result()).toMatch(/\$\[1\]\.low\s+must be a number, but is null/);
    }, 30_000);
    await click(page, 'button', 'Table');
    await shows(page, 'Oslo');

    await run('steps');
    await vi.waitFor(async () => {
      const bar = await page.$eval('progress', (element) => [element.value, element.max]);
      expect(bar).toEqual([3, 4]);
    }, 30_000);
    await click(page, 'button', 'Stop');
    await shows(page, 'Cancelled');
  }, 120_000);

if (isFull)
  test('two runs whose text differs are compared line by line, and one is saved as a test', async () => {
    const { page } = firefox();
    await click(page, 'link', 'lines');
    await page.locator('h1 ::-p-text(lines)').wait();
    for (const city of ['Oslo', 'Rome']) {
      await fillArguments(page, `{"city": "${city}"}`);
      await click(page, 'button', 'Run');
      await vi.waitFor(async () => {
        const text = await page.$eval(
          'section[aria-label="Result"]',
          (section) => section.textContent,
        );
        expect(text).toContain(`${city}\nuntil noon`);
      }, 30_000);
    }
    const ids = await page.evaluate(() =>
      globalThis.cloche.log
        .recent(2)
        .map(({ id }) => id)
        .reverse(),
    );
    await page.evaluate((hash) => (location.hash = hash), `#/compare/${ids.join('/')}`);
    await shows(page, 'Compare runs');
    await vi.waitFor(async () => {
      const lines = await page.$$eval('[aria-label="Changed lines"] > span', (all) =>
        all.map((line) => line.textContent.trim()),
      );
      expect(lines).toEqual(expect.arrayContaining(['−removed: Oslo', '+added: Rome']));
    }, 30_000);

    await page.evaluate(() => (location.hash = '#/tools/shown:lines'));
    await click(page, 'button', 'Save as test');
    await fill(page, 'dialog[open] input', 'lines of Rome');
    await click(page, 'button', 'Save test');
    // Dropped files cannot be written.
    await shows(page, 'This folder is read-only');
    await click(page, 'button', 'Close');
    await page.evaluate(() => (location.hash = '#/tools/shown:lines/tests'));
    await click(page, 'button', 'Run 1 test');
    await shows(page, '1 passed');
  }, 120_000);

test('a tool is written and saved in the page, and its new version is listed, also after a reload', async () => {
  const { page } = firefox();
  await page.evaluate(() => (location.hash = '#/'));
  await page.evaluate(() => globalThis.cloche.folder.close());
  await click(page, 'button', 'Write a tool');
  await page.locator('::-p-aria([name="Folder name"][role="textbox"])').wait();
  // WebKit does not select the name that is there.
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type('mine');
  await page.keyboard.press('Enter');
  await scanned(page, 'mine');
  // The editor is in a shadow root.
  await vi.waitFor(async () => {
    const isThere = await page.evaluate(() => {
      const code = document.querySelector('.code-area')?.shadowRoot?.querySelector('.cm-content');
      if (code instanceof HTMLElement) code.focus();
      return code !== null && code !== undefined;
    });
    expect(isThere).toBe(true);
  }, 30_000);
  await page.keyboard.down('Control');
  await page.keyboard.press('Home');
  await page.keyboard.up('Control');
  await page.keyboard.type('VERSION = 2\n');
  await page.keyboard.down('Control');
  await page.keyboard.press('s');
  await page.keyboard.up('Control');
  await vi.waitFor(async () => {
    const saved = await page.evaluate(() => globalThis.cloche.folder.source('mine.py'));
    expect(saved).toMatch(/^VERSION = 2\ndef greet/);
  }, 60_000);
  await shows(page, 'Saved');
  // The folder is nowhere but in this browser.
  await page.reload();
  await scanned(page, 'mine');
  const kept = await page.evaluate(() => globalThis.cloche.folder.source('mine.py'));
  expect(kept).toMatch(/^VERSION = 2\ndef greet/);
});
