/** Editing in the page: unsaved text, newer files, copies, files of a folder of one's own, addresses. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { hello } from '../support/hello.ts';
import { begin, button, helloZip, openZip } from '../support/opening.ts';
import { openFolder, ready } from './support/app.ts';
import { expect, test } from './support/test.ts';
import { press } from '../support/press-until.ts';

const code = (page: Page) => page.getByRole('textbox', { name: /^Text of/ });
const editor = (page: Page) => page.getByRole('region', { name: /^Editor of/ });
const state = (page: Page) => editor(page).getByRole('status').first();
const save = (page: Page) => page.keyboard.press('ControlOrMeta+s');

/** Creates a folder, whose first file is greet.py. */
async function newFolder(page: Page): Promise<void> {
  await page.goto('./');
  await button(page, 'Write a tool').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('greet');
  await page.keyboard.press('Enter');
  await expect(code(page)).toContainText('def greet');
  await ready(page, 'greet');
}

async function type(page: Page, text: string): Promise<void> {
  await code(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type(text);
}

/** The files of the only folder of the user's own. @param write as another program would; null removes one */
function own(
  page: Page,
  write: Record<string, string | null> = {},
): Promise<Record<string, string>> {
  return page.evaluate(async (given) => {
    let folder = await (
      await navigator.storage.getDirectory()
    ).getDirectoryHandle('cloche-folders');
    for (let depth = 0; depth < 2; depth += 1)
      for await (const child of folder.values()) if (child.kind === 'directory') folder = child;
    for (const [path, text] of Object.entries(given)) {
      if (text === null) {
        await folder.removeEntry(path);
        continue;
      }
      const file = await (await folder.getFileHandle(path, { create: true })).createWritable();
      await file.write(text);
      await file.close();
    }
    const files: Record<string, string> = {};
    for await (const child of folder.values())
      if (child.kind === 'file') files[child.name] = await (await child.getFile()).text();
    return files;
  }, write);
}

test('unsaved text survives a reload, is saved, and can be undone', async ({ page }) => {
  await newFolder(page);
  await expect(state(page)).toHaveText('Saved');
  await type(page, '# mine / ? k\n');
  await expect(state(page)).toHaveText('Unsaved changes');
  // Keys of the page do not act while one writes.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await expect(code(page)).toContainText('# mine / ? k');
  await expect(state(page)).toHaveText(/^Unsaved changes from /);
  await ready(page, 'greet');
  await save(page);
  await expect(state(page)).toHaveText('Saved');
  expect((await own(page))['greet.py']).toMatch(/^# mine \/ \? k\ndef greet/);
  await type(page, 'x');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(state(page)).toHaveText('Saved');
});

test('the keyboard enters and leaves the editor', async ({ page }) => {
  await newFolder(page);
  // A user who has just created a file can type at once.
  await expect(code(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Tab');
  await expect(state(page)).toHaveText('Unsaved changes');
  await expect(code(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(code(page)).not.toBeFocused();
  await code(page).focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Tab');
  await expect(code(page)).not.toBeFocused();
  await code(page).focus();
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('greet');
  expect(await violations(page)).toEqual([]);
});

test('the shortcuts of the editor work outside it, on the page of a tool whose file was open before', async ({
  page,
}) => {
  // The page of the file has another editor.
  await newFolder(page);
  await page.getByRole('link', { name: 'hello' }).first().click();
  const run = page.getByRole('button', { name: 'Save and run' });
  await type(page, '# first\n');
  await run.focus();
  await save(page);
  await expect(state(page)).toHaveText('Saved');
  await type(page, '# second\n');
  await run.click();
  await expect(page.getByRole('region', { name: /^Result/ })).toContainText('Success');
  expect((await own(page))['greet.py']).toMatch(/^# second\n# first\ndef greet/);
});

test('the key that saves a file also saves an evaluation', async ({ page }) => {
  await newFolder(page);
  await page.evaluate(() => (location.hash = '#/evals'));
  await press(button(page, 'New evaluation'));
  await expect(page.getByRole('heading', { name: 'New evaluation' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('Sums');
  // A field is written into the file when it loses the focus; here, the field keeps it.
  await save(page);
  await expect(page.getByRole('heading', { name: 'Sums' })).toBeVisible();
  const status = page.getByRole('main').getByRole('status');
  await expect(status.filter({ hasText: /^Saved$/ })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  // Text that is typed before the saved text has been read is kept.
  await page.keyboard.press('End');
  await page.keyboard.type(' one');
  await page.getByRole('textbox', { name: 'Name' }).evaluate((field: HTMLInputElement) => {
    const key = { key: 's', ctrlKey: true, bubbles: true, cancelable: true };
    field.dispatchEvent(new KeyboardEvent('keydown', key));
    field.value += ' two';
  });
  await expect(page.getByRole('heading', { name: 'Sums one', exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Sums one two');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await save(page);
  await expect(page.getByRole('heading', { name: 'Sums one two!' })).toBeVisible();
});

test('a field of an evaluation shows its value again once nothing else is typed into it', async ({
  page,
  folder,
}) => {
  const evaluation = (name: string) => JSON.stringify({ name, prompts: [{ text: 'Add.' }] });
  const { path, write } = await folder({ 'greet.py': hello, 'evals/a.json': evaluation('Sums') });
  await page.goto('./');
  await openFolder(page, path);
  await page.evaluate(() => (location.hash = '#/evals/evals%2Fa.json'));
  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(field).toHaveValue('Sums');
  // Another program changes the value while the user types.
  await field.press('End');
  await page.keyboard.type('x');
  await write({ 'evals/a.json': evaluation('Totals') });
  await page.evaluate(() => globalThis.cloche.folder.refresh());
  await expect(page.getByRole('heading', { name: 'Totals' })).toBeVisible();
  await expect(field).toHaveValue('Sumsx');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Tab');
  await expect(field).toHaveValue('Totals');
  // The second text is written before the first has been read.
  await field.evaluate((input: HTMLInputElement) => {
    for (const text of ['Totals!', 'Totals']) {
      input.value = text;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }
  });
  // Changes are made in order.
  await page.getByRole('textbox', { name: 'Trials per prompt' }).fill('7');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'YAML' }).click();
  const text = page.getByRole('textbox', { name: 'Evaluation' });
  await expect(text).toHaveValue(/"repeats": ?7/);
  await expect(text).toHaveValue(/"name": ?"Totals"/);
});

test('a newer file is shown before it is replaced, and can be taken', async ({ page }) => {
  await newFolder(page);
  await type(page, '# mine\n');
  await own(page, { 'greet.py': '# theirs\n' });
  await save(page);
  const notice = editor(page).getByRole('alert');
  await expect(notice).toContainText('# theirs');
  await expect(notice).toContainText('# mine');
  expect(await own(page)).toEqual({ 'greet.py': '# theirs\n' });
  expect(await violations(page)).toEqual([]);
  await button(page, 'Take theirs').click();
  await expect(code(page)).toHaveText('# theirs');
  await expect(state(page)).toHaveText('Saved');

  await type(page, '# mine again\n');
  await own(page, { 'greet.py': '# once more\n' });
  await save(page);
  await button(page, 'Keep mine as a copy').click();
  await expect(page.getByRole('heading', { name: 'greet_mine.py' })).toBeVisible();
  expect(await own(page)).toEqual({
    'greet.py': '# once more\n',
    'greet_mine.py': '# mine again\n# theirs\n',
  });
});

test('a file that is deleted meanwhile is still in the editor', async ({ page }) => {
  await newFolder(page);
  await type(page, '# mine\n');
  await own(page, { 'greet.py': null });
  await save(page);
  await expect(editor(page).getByRole('alert')).toContainText('has been deleted');
  await button(page, 'Save it again').click();
  await expect(state(page)).toHaveText('Saved');
  expect((await own(page))['greet.py']).toMatch(/^# mine\n/);
});

test('a second tab shows what the first one saves', { tag: '@full' }, async ({ page, context }) => {
  await newFolder(page);
  const second = await context.newPage();
  await second.goto('./#/files/greet.py');
  await ready(second, 'greet');
  await expect(code(second)).toContainText('def greet');
  await page.bringToFront();
  await type(page, '# from the first tab\n');
  await save(page);
  await expect(state(page)).toHaveText('Saved');
  await second.bringToFront();
  await expect(code(second)).toContainText('# from the first tab');
  await second.close();
});

test('files are created, renamed and deleted, and bad names are refused', async ({ page }) => {
  await newFolder(page);
  await page.evaluate(() => (location.hash = '#/'));
  await button(page, 'New file').click();
  const path = page.getByRole('textbox', { name: 'Path' });
  await path.fill('../up.py');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('cannot be used');
  await path.fill('notes/read me.txt');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'notes/read me.txt' })).toBeVisible();
  await page.evaluate(() => (location.hash = '#/'));
  await button(page, 'Rename notes/read me.txt').click();
  await path.fill('notes.txt');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'notes.txt', exact: true })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(Object.keys(await own(page)).sort()).toEqual(['greet.py', 'notes.txt']);
  await button(page, 'Delete notes.txt').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('link', { name: 'notes.txt', exact: true })).toHaveCount(0);
  expect(Object.keys(await own(page))).toEqual(['greet.py']);
  await button(page, 'Restore notes.txt').click();
  await expect(page.getByRole('link', { name: 'notes.txt', exact: true })).toBeVisible();
  await expect(button(page, 'Restore notes.txt')).toHaveCount(0);
  expect(Object.keys(await own(page)).sort()).toEqual(['greet.py', 'notes.txt']);

  // The folder itself is deleted where folders are listed.
  await button(page, /^Folder /).click();
  await button(page, 'Remove greet from the list').click();
  await expect(page.getByText('nowhere else')).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
  await expect.poll(() => own(page).catch(() => 'gone')).toEqual({});
});

test(
  'a renamed file keeps its unsaved text, and a deleted one gets it back',
  { tag: '@full' },
  async ({ page }) => {
    await newFolder(page);
    await type(page, '# typed\n');
    await expect(state(page)).not.toHaveText('Saved');
    await page.evaluate(() => (location.hash = '#/'));
    // The draft is stored, and the file is not open any more.
    await page.reload();
    await ready(page, 'greet');
    const file = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
    await expect(file('greet.py')).toContainText('unsaved');
    await button(page, 'Rename greet.py').click();
    await page.getByRole('textbox', { name: 'Path' }).fill('hello.py');
    await page.keyboard.press('Enter');
    await expect(file('hello.py')).toContainText('unsaved');
    await button(page, 'Delete hello.py').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Its unsaved text is deleted and restored with it.');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('hello.py was deleted, with its unsaved text.')).toBeVisible();
    expect(await own(page)).toEqual({});
    await button(page, 'Restore hello.py').click();
    await expect(file('hello.py')).toContainText('unsaved');
    expect((await own(page))['hello.py']).not.toContain('# typed');
    await page.getByRole('link', { name: 'hello.py', exact: true }).first().click();
    await expect(code(page)).toContainText('# typed');
  },
);

test('a zip is changed in a copy, which then is open', async ({ page }) => {
  await page.goto('./');
  await openZip(page, 'greetings.zip', helloZip);
  await ready(page, 'greetings');
  await page.evaluate(() => (location.hash = '#/files/greet.py'));
  await button(page, 'Edit a copy').click();
  await type(page, '# mine\n');
  await button(page, 'Save to a copy').click();
  await ready(page, 'greetings copy');
  await expect(code(page)).toContainText('# mine');
  await expect(state(page)).toHaveText('Saved');
  expect((await own(page))['greet.py']).toBe(`# mine\n${hello}`);
  await page.reload();
  await ready(page, 'greetings copy');
});

test('a folder on disk asks for permission, and a refusal loses nothing', async ({
  page,
  folder,
}) => {
  await page.addInitScript(() => {
    Object.assign(FileSystemHandle.prototype, {
      queryPermission: (options: { mode: string }) =>
        Promise.resolve(options.mode === 'read' ? 'granted' : 'prompt'),
      requestPermission: () => Promise.resolve('denied'),
    });
  });
  const { path } = await folder({ 'greet.py': hello, 'broken.py': 'def def\n' }, 'disk');
  await page.goto('./');
  await openFolder(page, path);
  await page.evaluate(() => (location.hash = '#/files/broken.py'));
  // The problem is written below its line.
  await expect(page.locator('.cm-line:has-text("def def") + .cm-problem-error')).toContainText(
    'SyntaxError: invalid syntax',
  );
  await type(page, '# mine\n');
  await save(page);
  await expect(editor(page).getByRole('alert')).toContainText('does not allow Cloche to write');
  await expect(code(page)).toContainText('# mine');
  await button(page, 'Save to a copy').click();
  await ready(page, 'disk copy');
  await expect(code(page)).toContainText('# mine');
});

test('an address is fetched when it is entered, and a refusal says what to do', async ({
  page,
  trouble,
}) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.includes('open') === true)
      response.setHeader('access-control-allow-origin', '*');
    response.end(hello);
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, 'localhost', () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
  const site = `http://localhost:${port}`;
  trouble.allowOrigin(site);
  trouble.expect(/CORS|ERR_FAILED/);
  await page.goto('./');
  await begin(page, 'Open address');
  const address = page.getByRole('textbox', { name: /^Address/ });
  await address.fill(`${site}/closed/greet.py`);
  expect(asked).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('does not let other sites read this file');
  await address.fill(`${site}/open/greet.py`);
  await page.keyboard.press('Enter');
  await ready(page, 'greet.py');
  expect(asked).toEqual(['/closed/greet.py', '/open/greet.py']);
  server.close();
});
