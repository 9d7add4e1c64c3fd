/** What a user does by hand, with real Python: finds a tool, runs it, stops it; tests/component/run-tool.test.ts has the rest. */

import { expect, test } from './support/shared-page.ts';
import type { Page } from '@playwright/test';

const source = `
import time

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

def _spec(handler, properties=None, required=()):
    return {"name": f"bench:{handler.__name__}", "description": handler.__doc__, "handler": handler,
            "parameters": {"type": "object", "properties": properties or {}, "required": list(required)}}

TOOL_SPECS = [
    _spec(greet, {"name": {"type": "string", "description": "Who is greeted"}}),
    _spec(spin), _spec(progress, {"steps": {"type": "integer"}}, ["steps"]),
]
`;
import { jsonArguments } from './support/json-arguments.ts';

const python = { timeout: 240_000 };

async function openTool(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click(python);
  await expect(page.getByRole('heading', { name: `bench:${name}` })).toBeVisible();
}

const runButton = (page: Page) => page.getByRole('button', { name: 'Run', exact: true });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
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
  await expect(page.getByText('3 tools').first()).toBeVisible(python);
  await page.keyboard.press('/');
  await page.keyboard.type('greet');
  await expect(page.getByRole('link', { name: 'spin', exact: true })).toHaveCount(0);
  await openTool(page, 'greet');
  await (await jsonArguments(page)).fill('{"name": "Ada"}');
  await page.keyboard.press('Control+Enter');
  await expect(result(page).getByText('Hello, Ada')).toBeVisible();
  await (await jsonArguments(page)).fill('{"name": ');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(/Unexpected end/).first()).toBeVisible();
  await (await jsonArguments(page)).fill('{"name": 5}');
  await page.keyboard.press('Control+Enter');
  await expect(
    result(page)
      .getByText(/ValidationError/)
      .first(),
  ).toBeVisible();
  // There is no traceback, which would be the same sentence once more.
  await expect(result(page).getByLabel('Traceback')).toHaveCount(0);
});

// interpreters.test.ts measures how soon it stops, with no other test running.
test('stops a loop, and the next run works', async ({ page }) => {
  await openTool(page, 'spin');
  await runButton(page).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeEnabled();
  await expect.poll(() => page.evaluate(() => globalThis.cloche.status.get().python)).toBe('busy');
  await page.keyboard.press('Escape');
  await expect(
    result(page)
      .getByText(/cancelled/i)
      .first(),
  ).toBeVisible();
  // That it was stopped is no error.
  const words = result(page).getByText('Cancelled', { exact: true });
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  await expect(words).toHaveCSS('color', ink);
  await openTool(page, 'greet');
  const lost = result(page).getByText(/variables from earlier calls are lost/);
  for (const name of ['first', 'second']) {
    await (await jsonArguments(page)).fill(`{"name": "${name}"}`);
    await runButton(page).click();
    await expect(result(page).getByText(`Hello, ${name}`)).toBeVisible(python);
    await expect(lost).toHaveCount(name === 'first' ? 1 : 0);
  }
});

test('shows updates and output while it runs, and numbers as Python wrote them', async ({
  page,
}) => {
  await openTool(page, 'progress');
  await (await jsonArguments(page)).fill('{"steps": 8}');
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
