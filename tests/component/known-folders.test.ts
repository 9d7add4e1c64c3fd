/** Recent folders on the next visit: asked for, copied, switched and removed. */

import { drop } from '../../bench/drop.mjs';
import { hello } from '../support/hello.ts';
import {
  button,
  choose,
  folderMenu,
  helloZip,
  kept,
  openZip,
  zipFile,
} from '../support/opening.ts';
import { invoke, openFolder, ready } from './support/app.ts';
import { expect, test } from './support/test.ts';
import { jsonArguments } from '../support/json-arguments.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('./');
});

test('a folder that is gone is reported, and stays on the list', async ({ page, folder }) => {
  const made = await folder({ 'greet.py': hello }, 'moved');
  await openFolder(page, made.path);
  await made.dispose();
  await page.reload();
  await expect(page.getByText(/The folder “moved” could not be read/).first()).toBeVisible();
  await expect(page.getByText(/may have been moved/).first()).toBeVisible();
  await expect(button(page, /^Remove moved/)).toBeVisible();
});

test('a folder whose permission has expired reopens with one click', async ({ page, folder }) => {
  await page.addInitScript(() => {
    const state = { granted: false };
    Object.assign(FileSystemHandle.prototype, {
      queryPermission: () => Promise.resolve(state.granted ? 'granted' : 'prompt'),
      requestPermission: () => {
        state.granted = navigator.userActivation.isActive;
        return Promise.resolve(state.granted ? 'granted' : 'denied');
      },
    });
  });
  const { path } = await folder({ 'greet.py': hello }, 'asked-for');
  await openFolder(page, path);
  await page.reload();
  await button(page, 'Reopen asked-for').click();
  await ready(page, 'asked-for');
});

test(
  'an upload is reopened from its copy, and Refresh asks for the folder',
  { tag: '@full' },
  async ({ page, folder }) => {
    const files = { 'greet.py': hello, 'sub/data.bin': new Uint8Array(3_000_000).fill(7) };
    const { path, write } = await folder(files, 'uploaded');
    await choose(page, 'Upload folder', path);
    await ready(page, 'uploaded');
    await kept(page, 1);
    await page.reload();
    await ready(page, 'uploaded');
    await expect(page.getByText('copy from').first()).toBeVisible();
    const size = await page.evaluate(() =>
      globalThis.cloche.folder.current?.snapshot.files.map(({ path: name, size: bytes }) => [
        name,
        bytes,
      ]),
    );
    expect(size).toContainEqual(['sub/data.bin', 3_000_000]);
    await write({ 'greet.py': hello.replace('world', 'anew') });
    await choose(page, 'Refresh', path);
    await expect(page.getByText('copy from')).toHaveCount(0);
    await ready(page, 'uploaded');
    expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "anew"}');
  },
);

test('where storage is full, the folder is open and the lack of a copy is said', async ({
  page,
  folder,
  baseURL,
}) => {
  const client = await page.context().newCDPSession(page);
  const { origin } = new URL(baseURL ?? '');
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1_000_000 });
  const files = { 'greet.py': hello, 'big.bin': new Uint8Array(5_000_000).fill(7) };
  const { path } = await folder(files, 'large');
  await choose(page, 'Upload folder', path);
  await ready(page, 'large');
  await expect(page.getByText(/Could not store a copy of “large”/)).toBeVisible();
  expect((await invoke(page, 'greet:hello')).textResultForLlm).toBe('{"hello": "world"}');
  await client.send('Storage.overrideQuotaForOrigin', { origin });
});

test('known folders are a menu away, by keyboard, and can be removed', async ({ page, folder }) => {
  const one = await folder({ 'greet.py': hello }, 'one');
  await openFolder(page, one.path);
  await page.locator('input[type=file]').nth(1).setInputFiles(zipFile('any.zip', helloZip));
  await ready(page, 'greetings');
  await kept(page, 1);
  await folderMenu(page).focus();
  await page.keyboard.press('Enter');
  await expect(button(page, /^greetings/)).toBeFocused();
  await expect(button(page, /^greetings/)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Escape');
  await expect(folderMenu(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(page, /^greetings/)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(button(page, /^one/)).toBeFocused();
  await page.keyboard.press('Enter');
  await ready(page, 'one');
  await expect(folderMenu(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await button(page, 'Remove greetings from the list').click();
  await expect(page.getByText(/The copy in this browser is deleted/)).toBeVisible();
  await expect(button(page, 'Cancel')).toBeFocused();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(button(page, /^Remove greetings/)).toHaveCount(0);
  await kept(page, 0);
  await page.keyboard.press('Escape');
  await button(page, 'Close folder').click();
  await page.reload();
  await expect(button(page, /^one/)).toBeVisible();
  expect(await page.evaluate(() => globalThis.cloche.status.get().phase)).toBe('none');
  await button(page, /^one/).click();
  await ready(page, 'one');
});

test('two tabs reopen what each had open', { tag: '@full' }, async ({ page, context, folder }) => {
  const one = await folder({ 'greet.py': hello }, 'one');
  await openFolder(page, one.path);
  const other = await context.newPage();
  await other.goto('./');
  await expect(other.getByRole('heading', { name: 'one' })).toBeVisible();
  await other.locator('input[type=file]').nth(1).setInputFiles(zipFile('any.zip', helloZip));
  await expect(other.getByRole('heading', { name: 'greetings' })).toBeVisible();
  await kept(other, 1);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'one' })).toBeVisible();
  await other.reload();
  await expect(other.getByRole('heading', { name: 'greetings' })).toBeVisible();
});

test('a hostile name is shown as text', async ({ page }) => {
  const name = '<img src=x onerror=alert(1)>\u202egnp';
  await openZip(page, 'x.zip', [{ name: `${name}/greet.py`, content: hello }]);
  await ready(page, name);
  await expect(page.getByText('<img src=x onerror=alert(1)>⟨U+202E⟩gnp').first()).toBeVisible();
  await folderMenu(page).click();
  await expect(page.getByRole('list', { name: 'Recent folders' })).toContainText('⟨U+202E⟩gnp');
  await expect(page.locator('img[src=x]')).toHaveCount(0);
});

test('marks of direction in names reach neither the title nor what only screen readers read', async ({
  page,
}) => {
  const codes = '061C 200E 200F 202A 202B 202D 202E 2066 2067 2068'.split(' ');
  const marks = codes.map((code) => String.fromCodePoint(parseInt(code, 16)));
  const name = `in${marks.join('')}gnp`;
  const shown = `in${codes.map((code) => `⟨U+${code}⟩`).join('')}gnp`;
  await openZip(page, 'x.zip', [{ name: `${name}/${name}.py`, content: hello }]);
  await ready(page, name);
  for (const [hash, subject] of [
    ['#/', shown],
    [`#/tools/${encodeURIComponent(`${name}:${name}`)}`, `${shown}:${shown}`],
    [`#/files/${encodeURIComponent(`${name}.py`)}`, `${shown}.py`],
  ] as const) {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await expect(page).toHaveTitle(`${subject} · Cloche`);
    const texts = await page.evaluate(() => {
      const attributes = ['aria-label', 'aria-description', 'title', 'alt', 'placeholder'];
      const all = [...document.querySelectorAll('*')];
      const named = all.flatMap((one) => attributes.map((each) => one.getAttribute(each) ?? ''));
      return [document.title, document.body.textContent, ...named].join('\n');
    });
    expect(texts).toContain(shown);
    expect(marks.filter((mark) => texts.includes(mark))).toEqual([]);
  }
});

// The tool of that name in the other folder is different code, possibly by another author.
test('what a tool of one folder was given is not for the tool of that name in another', async ({
  page,
  folder,
}) => {
  const mine = await folder({ 'greet.py': hello }, 'tools');
  const theirs = await folder({ 'greet.py': hello.replace('world', 'stranger') }, 'tools');
  await openFolder(page, mine.path);
  await page.getByRole('link', { name: 'hello' }).first().click();
  const editor = await jsonArguments(page);
  // With a space, which new arguments do not have.
  await editor.fill('{ }');
  await button(page, 'Run').click();
  await expect(page.getByText('world').first()).toBeVisible();
  await drop(page, theirs.path);
  await expect(page.getByRole('heading', { name: 'tools' })).toBeVisible();
  await page.getByRole('link', { name: 'hello' }).first().click();
  await expect(editor).toHaveValue('{}');
  await expect(page.getByText('world')).toHaveCount(0);
  await openFolder(page, mine.path);
  await page.getByRole('link', { name: 'hello' }).first().click();
  await expect(editor).toHaveValue('{ }');
});

test('an evaluation in the editor is left when another folder is opened', async ({
  page,
  folder,
}) => {
  const evaluation = (name: string): string =>
    JSON.stringify({ name, prompts: [{ text: 'Greet.', expect: { answer: { includes: 'hi' } } }] });
  const path = 'evals/greetings.json';
  const mine = await folder({ 'greet.py': hello, [path]: evaluation('Mine') }, 'tools');
  const theirs = await folder({ 'greet.py': hello, [path]: evaluation('Theirs') }, 'tools');
  const name = page.getByLabel('Name', { exact: true }).first();
  await openFolder(page, mine.path);
  await page.goto('./#/evals');
  await page.getByRole('link', { name: 'Mine' }).click();
  await expect(name).toHaveValue('Mine');
  const address = page.url();
  await drop(page, theirs.path);
  await expect(page.getByRole('heading', { name: 'tools' })).toBeVisible();
  await page.goto(address);
  await expect(name).toHaveValue('Theirs');
});
