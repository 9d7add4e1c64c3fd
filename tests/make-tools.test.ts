/** Functions become tools: specs are previewed, written into their file, and undone. */

import type { Page } from '@playwright/test';
import { violations } from './support/axe.ts';
import { invoke, listing } from './support/app.ts';
import { button, openZip, python, ready } from './support/opening.ts';
import { expect, test } from './support/test.ts';

const shapes = `def area(width: float, height: float = 2) -> str:
    """The area of a rectangle.

    Args:
        width: In metres.
    """
    return f"{width * height:g} square metres"


def _helper():
    return 1


def name_of(sides: int, strict=False) -> str:
    """The name of a polygon."""
    return {3: "triangle", 4: "square"}.get(sides, "polygon")
`;
const foreign = `from langchain_core.tools import tool


@tool
def word_count(text: str) -> int:
    """Count the words of a text."""
    return len(text.split())
`;
const dialog = (page: Page) => page.getByRole('dialog');
const tools = async (page: Page) => (await listing(page)).tools.map(({ name }) => name);

test.beforeEach(async ({ page }) => {
  await page.goto('./');
});

test(
  'functions of a read-only folder become tools in a copy, and run',
  { tag: '@full' },
  async ({ page }) => {
    await openZip(page, 'shapes.zip', [
      { name: 'shapes/shapes.py', content: shapes },
      { name: 'shapes/words.py', content: foreign },
      {
        name: 'shapes/more.py',
        content: 'def double(number: int) -> int:\n    return number * 2\n',
      },
    ]);
    await ready(page, 'shapes');
    expect(await tools(page)).toEqual(['words:word_count']);
    await button(page, 'Make them tools').click();
    await expect(dialog(page).getByRole('checkbox', { name: 'shapes:area' })).toBeChecked(python);
    await expect(dialog(page).getByText('The area of a rectangle.')).toBeVisible();
    await expect(dialog(page).getByText('In metres.')).toBeVisible();
    await expect(dialog(page).getByText('shapes:_helper')).toHaveCount(0);
    expect(await violations(page)).toEqual([]);
    // A function, and a whole file, are left out.
    await dialog(page).getByRole('checkbox', { name: 'shapes:name_of' }).uncheck();
    await dialog(page).getByRole('checkbox', { name: 'more.py' }).uncheck();
    await button(page, 'Write specs into shapes.py').click();
    await expect(dialog(page)).toContainText('1 spec was written into shapes.py', python);
    await expect(dialog(page)).toContainText('The copy of the folder is open.');
    expect(await tools(page)).toEqual(['shapes:area', 'words:word_count']);
    await button(page, 'Open the tool').click();
    await expect(page.getByRole('textbox', { name: 'width' })).toBeFocused();
    await page.keyboard.type('3');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByRole('region', { name: /^Result/ })).toContainText('6 square metres');
  },
);

test('a file of a framework is exported as specs, in a copy of its zip', async ({ page }) => {
  await openZip(page, 'words.zip', [{ name: 'words/words.py', content: foreign }]);
  await ready(page, 'words');
  await page.goto('./#/files/words.py');
  await button(page, 'Export as TOOL_SPECS').click();
  await button(page, 'Write specs into words.py').click(python);
  await expect(dialog(page)).toContainText('The copy of the folder is open.', python);
  await button(page, 'Close').last().click();
  expect(await invoke(page, 'words:word_count', { text: 'a b c' })).toMatchObject({
    textResultForLlm: '3',
  });
  const code = page.getByRole('textbox', { name: 'Text of words.py' });
  await expect(code).toContainText('TOOL_SPECS');
  await expect(code).not.toContainText('langchain_core');
});

function paste(page: Page, given: string): Promise<void> {
  return page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, given);
}

test('a pasted function is a tool in two clicks', async ({ page }) => {
  // What reads a paste loads with the example.
  await page.getByRole('region', { name: 'A recorded session' }).waitFor();
  await paste(page, shapes);
  await button(page, 'Preview tools').click();
  await dialog(page).getByRole('checkbox', { name: 'my_tools:name_of' }).waitFor(python);
  await button(page, 'Write specs into my_tools.py').click();
  await expect(page.getByRole('heading', { name: 'my_tools:area' })).toBeVisible(python);
  expect(await tools(page)).toEqual(['my_tools:area', 'my_tools:name_of']);

  // A second file of the same folder, whose specs are undone.
  await page.goto('./#/');
  await expect(page.getByText('paste a Python function on this page')).toBeVisible();
  await paste(page, 'def twice(x: int) -> int:\n    return 2 * x\n');
  await expect(dialog(page).getByRole('heading', { name: 'New file' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Path' }).fill('twice.py');
  await button(page, 'Preview tools').click();
  await dialog(page).getByRole('checkbox', { name: 'twice:twice' }).waitFor(python);
  await button(page, 'Cancel').click();
  await expect(page.getByRole('textbox', { name: 'Text of twice.py' })).toBeVisible();
  await button(page, 'Make it a tool').first().click();
  await button(page, 'Write specs into twice.py').click(python);
  await expect(dialog(page).getByRole('link', { name: 'twice:twice' })).toBeVisible(python);
  expect(await tools(page)).toContain('twice:twice');
  await button(page, 'Undo').click();
  await expect(dialog(page)).toHaveCount(0);
  await expect.poll(() => tools(page)).not.toContain('twice:twice');
});

/** Drops a text file on the page, as from a folder of the system. */
async function dropText(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([file, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(drop);
    },
    [name, text] as const,
  );
  await ready(page, name);
}

test('the functions of a dropped file become tools', { tag: '@full' }, async ({ page }) => {
  await dropText(page, 'shapes.py', shapes);
  expect(await tools(page)).toEqual([]);
  // The preview opens by itself.
  await dialog(page).getByRole('checkbox', { name: 'shapes:name_of' }).waitFor(python);
  await button(page, 'Write specs into shapes.py').click();
  await expect(page.getByRole('heading', { name: 'shapes:area' })).toBeVisible(python);
  expect(await tools(page)).toEqual(['shapes:area', 'shapes:name_of']);
});

test('the editor marks a file without specs, and makes the function at the cursor a tool', async ({
  page,
}) => {
  await dropText(page, 'shapes.py', shapes);
  await button(page, 'Cancel').click();
  await page.goto('./#/files/shapes.py');
  await page.getByRole('button', { name: /^Edit/ }).click();
  const written = page.locator('.cm-problem-warning');
  await written.getByRole('button', { name: 'Make it a tool' }).click(python);
  for (const name of ['shapes:area', 'shapes:name_of'])
    await expect(dialog(page).getByRole('checkbox', { name })).toBeChecked(python);
  await button(page, 'Cancel').click();
  await page.getByRole('textbox', { name: 'Text of shapes.py' }).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Control+k');
  const commands = page.getByRole('combobox', { name: 'Commands, tools and files' });
  await commands.fill('function at the cursor');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('checkbox', { name: 'shapes:name_of' })).toBeChecked(python);
  await expect(dialog(page).getByRole('checkbox', { name: 'shapes:area' })).not.toBeChecked();
});

test(
  'a missing package is declared with one button, and then asked for',
  { tag: '@full' },
  async ({ page }) => {
    await openZip(page, 'needs.zip', [
      { name: 'needs/needs.py', content: `import bs4\n${shapes}\nTOOL_SPECS = []\n` },
    ]);
    await ready(page, 'needs');
    await page.goto('./#/?panel=problems');
    await button(page, 'Add the package “beautifulsoup4”').first().click();
    await expect(dialog(page)).toContainText('beautifulsoup4', python);
  },
);
