/** Functions become tools, and files of frameworks are exported and get settings, in the real Firefox. */

import type { Page } from 'puppeteer-core';
import { expect, test, vi } from 'vitest';
import { click, dropFiles, fill, invoke, isFull, press, shows, useFirefox } from './firefox.ts';

const firefox = useFirefox();
const patience = { timeout: 60_000, interval: 100 };

const area = `def area(width: float, height: float = 2) -> str:
    """The area of a rectangle."""
    return f"{width * height:g} square metres"
`;
const foreign = `import os

from langchain_core.tools import tool


@tool
def greeting(name: str) -> str:
    """Greets."""
    return f"{os.getenv('GREETING', 'Hello')} {name}"
`;

async function goTo(hash: string): Promise<void> {
  await firefox().page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

/** Waits for the preview, and writes the specs. */
async function writeSpecs(page: Page, file: string): Promise<void> {
  await click(page, 'button', `Write specs into ${file}`);
}

/** Calls a tool as soon as it is there. */
function result(tool: string, args: Record<string, unknown>, text: string): Promise<void> {
  return vi.waitFor(async () => {
    expect((await invoke(firefox().page, tool, args)).textResultForLlm).toBe(text);
  }, patience);
}

if (isFull)
  test('the functions of a dropped file become tools', async () => {
    const { page } = firefox();
    expect((await dropFiles(page, { 'shapes.py': area })).tools).toEqual([]);
    await shows(page, 'The area of a rectangle.');
    await writeSpecs(page, 'shapes.py');
    await result('shapes:area', { width: 3 }, '6 square metres');
  });

if (isFull)
  test('a file of a framework gets its settings, and is exported', async () => {
    const { page } = firefox();
    await dropFiles(page, { 'greetings.py': foreign });
    await result('greetings:greeting', { name: 'Ada' }, 'Hello Ada');
    await goTo('#/policy/settings');
    await fill(page, '::-p-aria([name="GREETING"][role="textbox"])', 'Welcome');
    await click(page, 'button', 'Save settings');
    await shows(page, 'Saved');
    await result('greetings:greeting', { name: 'Ada' }, 'Welcome Ada');
    await goTo('#/files/greetings.py');
    await click(page, 'button', 'Export as TOOL_SPECS');
    await writeSpecs(page, 'greetings.py');
    await shows(page, '1 spec was written into greetings.py');
    await result('greetings:greeting', { name: 'Ada' }, 'Hello Ada');
    await click(page, 'button', 'Close');
  });

test('a pasted function, and one in a new file, become tools', async () => {
  const { page } = firefox();
  await page.evaluate(() => globalThis.cloche.folder.close());
  await goTo('#/');
  await click(page, 'button', 'More ways to begin');
  await click(page, 'button', 'Paste a Python function');
  await fill(page, '::-p-aria([name="Python"][role="textbox"])', area);
  await click(page, 'button', 'Preview tools');
  await writeSpecs(page, 'my_tools.py');
  await result('my_tools:area', { width: 3 }, '6 square metres');
  await goTo('#/');
  await click(page, 'button', 'New file');
  await fill(page, '::-p-aria([name="Path"][role="textbox"])', 'twice.py');
  const python = '::-p-aria([name="Python (optional)"][role="textbox"])';
  await fill(page, python, 'def twice(x: int) -> int:\n    return 2 * x\n');
  await press(page, '::-p-aria([name="Preview tools"][role="button"])');
  await writeSpecs(page, 'twice.py');
  await result('twice:twice', { x: 4 }, '8');
});
