/** What a person does by hand: opens a folder, finds a tool, runs it, stops it, reads what came back. */

import { expect, test } from './support/shared-page.ts';
import type { Page } from '@playwright/test';

const source = `
import time
from base64 import b64decode

PNG = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

def greet(name: str = "world") -> str:
    """Says hello to somebody."""
    return f"Hello, {name}"

def spin() -> None:
    """Never ends."""
    while True:
        pass

def progress(steps: int, context) -> dict:
    """Tells how far it is."""
    for step in range(steps):
        context.update({"step": step})
        print("line", step)
        time.sleep(0.2)
    return {"steps": steps, "big": 12345678901234567890, "float": 3.0}

def picture() -> bytes:
    """A picture of one pixel."""
    return PNG

def archive() -> bytes:
    """Bytes of some kind."""
    return b"PK\\x03\\x04" + bytes(100)

def broken(items: list) -> str:
    """Fails inside."""
    return pick(items)

def pick(items):
    return items[7]

def markup() -> str:
    """Text that would like to be more."""
    return "<img src=x onerror=alert(1)><script>alert(2)</script>\\x1b[31mred\\u202edet"

def long() -> str:
    """Ten million characters."""
    return "0123456789" * 1_000_000

def _spec(handler, properties=None, required=()):
    return {"name": f"bench:{handler.__name__}", "description": handler.__doc__, "handler": handler,
            "parameters": {"type": "object", "properties": properties or {}, "required": list(required)}}

TOOL_SPECS = [
    _spec(greet, {"name": {"type": "string", "description": "Who is greeted"}}),
    _spec(spin), _spec(progress, {"steps": {"type": "integer"}}, ["steps"]), _spec(picture), _spec(archive),
    _spec(broken, {"items": {"type": "array"}}, ["items"]), _spec(markup), _spec(long),
]
`;

const python = { timeout: 240_000 };

async function openTool(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click(python);
  await expect(page.getByRole('heading', { name: `bench:${name}` })).toBeVisible();
}

const runButton = (page: Page) => page.getByRole('button', { name: 'Run', exact: true });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const argumentsBox = (page: Page) => page.getByRole('textbox', { name: /arguments/i });

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'bench.py': source });
});
test.beforeEach(async ({ page }) => {
  const search = page.getByRole('searchbox', { name: 'Search tools' });
  await search.fill('');
  await search.blur();
});

test('finds a tool by searching, fills in its arguments, and runs it by keyboard', async ({
  page,
}) => {
  await expect(page.getByText('8 tools').first()).toBeVisible(python);
  await page.keyboard.press('/');
  await page.keyboard.type('greet');
  await expect(page.getByRole('link', { name: 'spin', exact: true })).toHaveCount(0);
  await openTool(page, 'greet');
  await argumentsBox(page).fill('{"name": "Ada"}');
  await page.keyboard.press('Control+Enter');
  await expect(result(page).getByText('Hello, Ada')).toBeVisible();
  await argumentsBox(page).fill('{"name": ');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(/JSON/).first()).toBeVisible();
  await argumentsBox(page).fill('{"name": 5}');
  await page.keyboard.press('Control+Enter');
  await expect(
    result(page)
      .getByText(/ValidationError/)
      .first(),
  ).toBeVisible();
  // There is no traceback, which would be the same sentence once more.
  await expect(result(page).getByLabel('Traceback')).toHaveCount(0);
});

test('stops a loop at once, and the next run works', async ({ page }) => {
  await openTool(page, 'spin');
  await runButton(page).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeEnabled();
  await page.waitForTimeout(500);
  const before = Date.now();
  await page.keyboard.press('Escape');
  await expect(
    result(page)
      .getByText(/cancelled/i)
      .first(),
  ).toBeVisible();
  expect(Date.now() - before).toBeLessThan(2_000);
  // That it was stopped is no error.
  const words = result(page).getByText('Cancelled', { exact: true });
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  await expect(words).toHaveCSS('color', ink);
  await openTool(page, 'greet');
  const lost = result(page).getByText(/What modules held in memory before is gone/);
  for (const name of ['first', 'second']) {
    await argumentsBox(page).fill(`{"name": "${name}"}`);
    await runButton(page).click();
    await expect(result(page).getByText(`Hello, ${name}`)).toBeVisible(python);
    await expect(lost).toHaveCount(name === 'first' ? 1 : 0);
  }
});

test('shows updates and output while it runs, and numbers as Python wrote them', async ({
  page,
}) => {
  await openTool(page, 'progress');
  await argumentsBox(page).fill('{"steps": 8}');
  await runButton(page).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeEnabled();
  await expect(page.getByText(/line 1/).first()).toBeVisible();
  await expect(
    result(page)
      .getByText(/12345678901234567890/)
      .first(),
  ).toBeVisible(python);
  await expect(result(page).getByText(/3\.0/).first()).toBeVisible();
});

test('keeps what a run had shown when it is stopped', async ({ page }) => {
  await openTool(page, 'progress');
  await argumentsBox(page).fill('{"steps": 1000}');
  await runButton(page).click();
  await expect(page.getByText(/line 3/).first()).toBeVisible(python);
  await page.keyboard.press('Escape');
  await expect(result(page).getByText('Cancelled', { exact: true })).toBeVisible();
  await expect(result(page).getByText(/line 3/)).toBeVisible();
  await expect(result(page).getByText(/"step": 3/)).toBeVisible();
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
  await argumentsBox(page).fill('{"items": [1]}');
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
  await expect(result(page).getByText('Hello, world')).toBeVisible(python);
  await other.write({ 'bench.py': source.replace('Hello, ', 'Good day, ') });
  await page.getByRole('button', { name: 'Refresh' }).click();
  // It asks whether it may read the folder before it does.
  const text = () => page.evaluate(() => globalThis.cloche.source('bench.py'));
  await expect.poll(text, python).toContain('Good day, ');
  const phase = (): Promise<string> => page.evaluate(() => globalThis.cloche.status.get().phase);
  await expect.poll(phase, python).toBe('ready');
  await runButton(page).click();
  await expect(result(page).getByText('Good day, world')).toBeVisible(python);
  await page.getByRole('link', { name: /^Runs/ }).first().click();
  await expect(page.getByText('bench:greet').first()).toBeVisible();
});

test('takes an uploaded folder where there is no picker', async ({ page, folder }) => {
  const { path } = await folder({ 'bench.py': source, 'sub/helper.py': 'x = 1\n' }, 'uploaded');
  await page.locator('input[type=file]').first().setInputFiles(path);
  await expect(page.getByRole('heading', { name: 'uploaded' })).toBeVisible(python);
  await expect(page.getByText('8 tools').first()).toBeVisible(python);
});
