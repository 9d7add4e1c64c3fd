/** The workbench: code, arguments and result on one page, and one strip for problems, runs and tests. */

import type { Locator, Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { hello } from '../support/hello.ts';
import { button, helloZip, openZip } from '../support/opening.ts';
import { writablePicks } from '../support/saved-tests.ts';
import { openFolder, ready } from './support/app.ts';
import { expect, test } from './support/test.ts';

const code = (page: Page) => page.getByRole('region', { name: /^(Editor|Code) of greet\.py/ });
const text = (page: Page) => page.getByRole('textbox', { name: /^Text of/ });
const args = (page: Page) => page.getByRole('heading', { name: 'Arguments' });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });

async function box(element: Locator) {
  const found = await element.boundingBox();
  if (found === null) throw new Error('Nothing is laid out.');
  return { ...found, right: found.x + found.width, bottom: found.y + found.height };
}

/** Opens a folder that can be written, with these files. */
async function openWritable(page: Page, files: Record<string, string>): Promise<void> {
  await writablePicks(page, files);
  await page.goto('./');
  await button(page, 'Open folder').first().click();
  await ready(page, 'greetings');
}

/** Makes the greeting of the open editor longer. */
async function edit(page: Page): Promise<void> {
  await text(page)
    .getByText(/"worlds*"/)
    .dblclick();
  // From the selected word to its end.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('s');
}

test('code, arguments and result share the page at every width, and one strip has the rest', async ({
  page,
}) => {
  await openWritable(page, { 'greet.py': hello });
  await page.evaluate(() => (location.hash = '#/tools/greet:hello'));
  await expect(text(page)).toBeVisible();
  const places = async () => ({
    code: await box(code(page)),
    args: await box(args(page)),
    result: await box(result(page)),
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  const wide = await places();
  expect(wide.code.right).toBeLessThanOrEqual(wide.args.x);
  expect(wide.result.y).toBeGreaterThan(wide.args.bottom);
  expect(wide.result.bottom).toBeLessThanOrEqual(800);
  await page.setViewportSize({ width: 1920, height: 1080 });
  const widest = await places();
  expect(widest.code.right).toBeLessThanOrEqual(widest.args.x);
  expect(widest.args.right).toBeLessThanOrEqual(widest.result.x);
  // The right edge of the page is used.
  expect(widest.result.right).toBeGreaterThan(1900);
  await page.setViewportSize({ width: 390, height: 844 });
  const phone = await places();
  expect(phone.result.y).toBeGreaterThan(phone.args.bottom);
  expect(phone.code.y).toBeGreaterThanOrEqual(phone.result.bottom);
  const [approval, share] = [/^Approval/, 'Share'].map((name) =>
    page.getByRole('main').getByRole('button', { name }),
  );
  if (approval === undefined || share === undefined) throw new Error('Both are listed above.');
  expect((await box(share)).x).toBeGreaterThan((await box(approval)).x);

  await page.setViewportSize({ width: 1280, height: 800 });
  for (const panel of ['Tests', 'Runs', 'Problems', 'Details']) {
    await page.getByRole('link', { name: new RegExp(`^${panel}`) }).click();
    await expect(page.getByRole('link', { name: new RegExp(`^${panel}`) })).toHaveAttribute(
      'aria-current',
      'page',
    );
    for (const name of ['Problems', 'Runs', 'Tests'])
      await expect(page.getByRole('link', { name: new RegExp(`^${name}`) })).toHaveCount(1);
    // The code is not pushed aside.
    expect((await box(code(page))).width).toBeCloseTo(wide.code.width, -1);
  }
  expect(await violations(page)).toEqual([]);
});

test('details are shown only beside a tool, and the edges of wide texts have the colour of the drawer', async ({
  page,
}) => {
  await openWritable(page, { 'greet.py': hello });
  await page.evaluate(() => (location.hash = '#/tools/greet:hello?panel=details'));
  const drawer = page.getByRole('region', { name: 'Drawer' });
  const current = drawer.locator('[aria-current]');
  await expect(current).toHaveText('Details');
  const [edges, colour] = await current.evaluate((element) => {
    const wide = document.createElement('pre');
    wide.className = 'scroll-wide';
    element.append(wide);
    const { backgroundImage } = getComputedStyle(wide);
    wide.remove();
    return [backgroundImage, getComputedStyle(document.body).backgroundColor];
  });
  expect(edges).toContain(colour);
  await page.evaluate(() => (location.hash = '#/policy/secrets?panel=details'));
  await expect(page.getByRole('heading', { name: 'Secrets' })).toBeVisible();
  await expect(current).toHaveText(/^Problems/);
});

test('the colours of a dense file are drawn in pieces', async ({ page }) => {
  // The page is never idle, so that the editor does not take the place of the code.
  await page.addInitScript(() => (window.requestIdleCallback = () => 0));
  const line = `values = [${Array.from({ length: 12 }, (_, n) => `"${n}", ${n}`).join(', ')}]\n`;
  await openWritable(page, { 'greet.py': hello, 'dense.py': line.repeat(120) });
  await page.evaluate(() => {
    const counts = [0];
    const count = (): void => {
      counts.push(document.querySelectorAll('.source code span').length);
      requestAnimationFrame(count);
    };
    count();
    Object.assign(window, { counts });
    location.hash = '#/files/dense.py';
  });
  const source = page.getByRole('group', { name: 'Source of dense.py' });
  await expect(source.locator('[data-line="120"] code span').first()).toBeAttached();
  const counts = await page.evaluate(() => (window as unknown as { counts: number[] }).counts);
  const most = Math.max(...counts.slice(1).map((count, index) => count - (counts[index] ?? 0)));
  expect(Math.max(...counts)).toBeGreaterThan(2_000);
  expect(most).toBeLessThanOrEqual(800);
});

test('the editor takes the place of the code without moving it', async ({ page }) => {
  const lines = Array.from({ length: 30 }, (_, n) => `# line ${n} ${'word '.repeat(n)}`).join('\n');
  // The editor appears when the page is idle, which waits for the test here.
  await page.addInitScript(() => {
    window.requestIdleCallback = (callback) => {
      Object.assign(window, { becomeIdle: callback });
      return 0;
    };
  });
  await openWritable(page, { 'greet.py': `${hello}${lines}\n` });
  await page.evaluate(() => (location.hash = '#/tools/greet:hello'));
  const at = async (element: Locator) => {
    const { x, y, height } = await box(element);
    return [Math.round(x), Math.round(y), Math.round(height)];
  };
  const source = page.getByRole('group', { name: 'Source of greet.py' });
  await expect(source.locator('.keyword').first()).toHaveText('def');
  const before = await Promise.all([
    at(source.getByText('"handler": hello')),
    at(source.locator('[data-line="20"] code')),
  ]);
  await page.evaluate(() => {
    (window as unknown as { becomeIdle: () => void }).becomeIdle();
  });
  await expect(text(page)).toBeVisible();
  await expect(source).toHaveCount(0);
  const line = text(page).locator('.cm-line');
  const after = await Promise.all([
    at(line.filter({ hasText: '"handler": hello' })),
    at(line.nth(19)),
  ]);
  for (const [which, [x, y]] of after.entries()) {
    expect(Math.abs((x ?? 0) - (before[which]?.[0] ?? 0))).toBeLessThanOrEqual(64);
    expect(Math.abs((y ?? 0) - (before[which]?.[1] ?? 0))).toBeLessThanOrEqual(2);
  }
});

test('one key saves and runs: in the editor, in a field, and on the page of a file', async ({
  page,
}) => {
  await openWritable(page, { 'greet.py': hello });
  await page.evaluate(() => (location.hash = '#/tools/greet:hello'));
  await edit(page);
  await expect(button(page, /^Save and run/)).toBeVisible();
  const file = page
    .getByRole('group', { name: 'Tools by file' })
    .getByRole('link', { name: /greet\.py/ });
  await expect(file).toContainText('unsaved changes');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(result(page)).toContainText('worlds');
  await expect(file).not.toContainText('unsaved changes');
  // The user goes on writing.
  await expect(text(page)).toBeFocused();

  await edit(page);
  await button(page, /^Save and run/).press('ControlOrMeta+Enter');
  await expect(result(page)).toContainText('worldss');

  await page.evaluate(() => (location.hash = '#/files/greet.py'));
  await expect(page.getByRole('heading', { name: 'greet.py' })).toBeVisible();
  await edit(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('heading', { name: 'greet:hello' })).toBeVisible();
  await expect(result(page)).toContainText('worldsss');
  await expect(text(page)).toBeFocused();
  expect(await page.evaluate(() => globalThis.cloche.folder.source('greet.py'))).toContain(
    'worldsss',
  );

  // A click on Run does the same.
  await page.evaluate(() => (location.hash = '#/files/greet.py'));
  await button(page, 'Run').click();
  await expect(page.getByRole('heading', { name: 'greet:hello' })).toBeVisible();
  await expect(result(page)).toContainText('worldsss');
});

test('the key saves a file without tools too, and says why nothing was run', async ({ page }) => {
  await openWritable(page, {
    'greet.py': hello,
    'helpers.py': 'GREETING = "Hello"\n',
    'notes.md': 'Notes\n',
    'broken.py': 'def f(:\n',
  });
  for (const [file, why] of [
    ['helpers.py', 'has no tool to run'],
    ['notes.md', 'is not a tool file, so nothing was run'],
    ['broken.py', 'has an error, so nothing was run'],
  ] as const) {
    await page.evaluate((path) => (location.hash = `#/files/${path}`), file);
    const editor = page.getByRole('textbox', { name: `Text of ${file}` });
    const edited = async (): Promise<string | undefined> =>
      page.evaluate((path) => globalThis.cloche.folder.source(path), file);
    await editor.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('# more');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByText(`${file} was saved. It ${why}.`).first()).toBeVisible();
    expect(await edited()).toMatch(/# more$/);
    // Nothing is left to save, and the key adds no line.
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(page.getByText(`${file} ${why}.`).first()).toBeVisible();
    await expect(editor).toBeFocused();
    await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  }
});

test('a read-only folder shows the code, and one key makes a copy and runs it', async ({
  page,
}) => {
  await page.goto('./');
  await openZip(page, 'greetings.zip', helloZip);
  await ready(page, 'greetings');
  await page.evaluate(() => (location.hash = '#/tools/greet:hello'));
  await expect(code(page)).toContainText('your changes go into a copy');
  await button(page, 'Edit a copy').click();
  await edit(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  await ready(page, 'greetings copy');
  await expect(result(page)).toContainText('worlds');
  await expect(code(page).getByRole('status')).toHaveText('Saved');
});

test('from the keyboard: the skip link is first, a found tool gets the focus, and no area is framed', async ({
  page,
  folder,
}) => {
  const { path } = await folder({ 'tables.py': 'def rows(): ...\n' }, 'keys');
  await page.goto('./');
  await openFolder(page, path);
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
  });
  await page.keyboard.press('Tab');
  await expect(button(page, 'Skip to main content')).toBeFocused();
  await page.keyboard.press('Enter');
  const main = page.getByRole('group', { name: 'Main content' });
  await expect(main).toBeFocused();
  await expect(main).toHaveCSS('outline-style', 'none');
  await page.keyboard.press('/');
  await page.keyboard.type('rows');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: /^n\b/ })).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('tables wide');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: /^a_name/ })).toBeFocused();
  await button(page, 'Add another field').press('Enter');
  await expect(page.getByRole('textbox', { name: /^Name of a new field/ })).toBeFocused();
  // A control that disappears leaves the keyboard in the drawer.
  await page.evaluate(() => (location.hash = '#/tools/tables:rows?panel=runs'));
  await button(page, /^Run/).click();
  await expect(result(page)).toContainText('Success');
  await button(page, 'Folder').last().click();
  await button(page, 'Clear').last().press('Enter');
  await expect(button(page, 'Delete')).toBeVisible();
  const focused = page.getByRole('region', { name: 'Drawer' }).locator(':focus');
  await expect(focused).toHaveCount(1);
});

test('a run asks for what is required, and invents nothing', async ({ page, folder }) => {
  const { path } = await folder({ 'forms.py': '' }, 'forms');
  await page.goto('./');
  await openFolder(page, path);
  await page.evaluate(() => (location.hash = '#/tools/forms:book'));
  await button(page, /^Run/).click();
  await expect(page.getByText(/is required|Enter /).first()).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'name' })).toBeFocused();
  const calls = await page.evaluate(() => globalThis.cloche.log.count);
  expect(calls).toBe(0);
});

test('the tools of a file with wrong syntax are still listed, and lead to its code', async ({
  page,
  folder,
}) => {
  const { path } = await folder(
    { 'broken.py': 'def (\nTOOL_SPECS = [{"name": "broken:add"}]\n', 'tables.py': '' },
    'broken',
  );
  await page.goto('./');
  await openFolder(page, path);
  const row = page.getByRole('link', { name: /^add not loaded: SyntaxError: invalid syntax/ });
  await row.click();
  await expect(page.getByRole('heading', { name: 'broken:add' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('This tool is not loaded');
  await expect(page.locator('.cm-problem-error')).toContainText('SyntaxError: invalid syntax');
  await expect(page.getByText('1 not loaded')).toBeVisible();
});

test(
  'live output grows where the result will stand, and keeps its order',
  { tag: '@full' },
  async ({ page, folder }) => {
    const { path } = await folder({ 'bench.py': '' }, 'live');
    await page.goto('./');
    await openFolder(page, path);
    await page.evaluate(() => (location.hash = '#/tools/bench:share'));
    await button(page, /^Run/).click();
    await expect(result(page).getByRole('progressbar')).toHaveAttribute('value', '0.4');
    await expect(result(page)).toContainText('40 %');
    await page.keyboard.press('Escape');
    await page.evaluate(() => (location.hash = '#/tools/bench:progress'));
    await page.getByRole('textbox', { name: /^steps/ }).fill('40');
    await button(page, /^Run/).click();
    const printed = result(page).getByLabel('Printed so far');
    await expect(printed).toContainText('line 20');
    const live = await box(printed);
    expect(live.height).toBeGreaterThan(300);
    const updates = await box(result(page).getByText(/^\d+ updates$/));
    expect(updates.y).toBeGreaterThan(live.y);
    await expect(result(page)).toContainText('Success');
    const output = await box(result(page).getByText('Output', { exact: true }));
    expect((await box(result(page).getByText('40 updates'))).y).toBeGreaterThan(output.y);
  },
);
