/** P3, P6: a form filled by keyboard, and a tool edited in the page, in the real Firefox. */

import { expect, test, vi } from 'vitest';
import { click, dropFiles, scanned, shows, useFirefox } from './firefox.ts';

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

test('a tool is written and saved in the page, and its new version is the one that is listed', async () => {
  const { page } = firefox();
  await page.evaluate(() => (location.hash = '#/'));
  await page.evaluate(() => globalThis.cloche.folder.close());
  await click(page, 'button', 'New folder');
  await page.locator('::-p-aria([name="Name"][role="textbox"])').wait();
  await page.keyboard.type('mine');
  await page.keyboard.press('Enter');
  await scanned(page, 'my-toolsmine');
  // The editor is in a shadow root.
  await page.waitForFunction(() => {
    const code = document.querySelector('.code')?.shadowRoot?.querySelector('.cm-content');
    if (code instanceof HTMLElement) code.focus();
    return code !== null && code !== undefined;
  });
  await page.keyboard.down('Control');
  await page.keyboard.press('Home');
  await page.keyboard.up('Control');
  await page.keyboard.type('VERSION = 2\n');
  await page.keyboard.down('Control');
  await page.keyboard.press('s');
  await page.keyboard.up('Control');
  await vi.waitFor(async () => {
    const saved = await page.evaluate(() => globalThis.cloche.folder.source('my_toolsmine.py'));
    expect(saved).toMatch(/^VERSION = 2\ndef greet/);
  }, 60_000);
  await shows(page, 'Saved');
});
