/** Sharing a tool or a folder, and links that carry a tool, its arguments and its files. */

import { readFile } from 'node:fs/promises';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { readShared, shareLink, type Shared } from '../../src/app/ui/tools/share/share-link.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { violations } from '../support/axe.ts';
import { tabTo } from '../support/keyboard.ts';
import { openFolder } from './support/app.ts';
import { expect, test } from './support/test.ts';
import { press } from '../support/press-until.ts';

const zip = new Uint8Array(zipSync({ 'half.py': strToU8('def fine(n): ...  # half\n') }));
const shared: Shared = { folder: 'halves', tool: 'half:fine', arguments: '{"n": 41.0}', zip };

test.beforeEach(async ({ page }) => {
  await page.goto('./');
});

test('a link shows files and arguments, and opens them without running anything', async ({
  page,
}) => {
  await page.goto(shareLink(page.url().replace(/#.*/, ''), shared));
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'A tool from a link' })).toBeVisible();
  await expect(main).toContainText('half:fine');
  await expect(main).toContainText('41.0');
  await main.getByText('half.py').click();
  await expect(main.getByText('# half')).toBeVisible();
  expect(await page.evaluate(() => globalThis.cloche.status.get().phase)).toBe('none');

  const open = page.getByRole('button', { name: 'Open these files' });
  await expect(open).not.toHaveAttribute('aria-disabled', 'true');
  await open.click();
  await expect(page.getByRole('heading', { name: 'half:fine' })).toBeVisible();
  await expect(await jsonArguments(page)).toHaveValue('{"n": 41.0}');
  await expect(page.getByText('to see what it returns')).toBeVisible();

  // A second link, without files, finds the tool in the open folder.
  const link = { ...shared, arguments: '{"n": 7}', zip: null };
  await page.goto(shareLink(page.url().replace(/#.*/, ''), link));
  await press(page.getByRole('button', { name: 'Show the tool with these arguments' }));
  await expect(await jsonArguments(page)).toHaveValue('{"n": 7}');
  await expect(page.getByText('to see what it returns')).toBeVisible();

  // The path of a folder that is not on disk cannot be entered anywhere.
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'MCP server' }).click();
  await expect(dialog).toContainText('download it under “Zip file”');
  await expect(dialog).toContainText('with the path of the unpacked folder.');
  // The zip file does not contain the program.
  await dialog.getByRole('button', { name: 'Ordinary Python' }).click();
  await expect(dialog).toContainText('Download “Folder with cloche_mcp.py” and unpack it first.');
  await expect(dialog).not.toContainText('“Zip file”');
});

test(
  'arguments that were not run are replaced by those of a link, and can be brought back',
  { tag: '@full' },
  async ({ page }) => {
    const link = (args: string, files: Uint8Array<ArrayBuffer> | null) =>
      shareLink(page.url().replace(/#.*/, ''), { ...shared, arguments: args, zip: files });
    await page.goto(link('{"n": 41.0}', zip));
    const open = page.getByRole('button', { name: 'Open these files' });
    await expect(open).not.toHaveAttribute('aria-disabled', 'true');
    await open.click();
    await (await jsonArguments(page)).fill('{"n": 1, "mine');
    await page.goto(link('{"n": 7}', null));
    await press(page.getByRole('button', { name: 'Show the tool with these arguments' }));
    await expect(await jsonArguments(page)).toHaveValue('{"n": 7}');
    await page.getByRole('button', { name: 'Bring mine back' }).click();
    await expect(await jsonArguments(page)).toHaveValue('{"n": 1, "mine');
    // The other ones are not lost either.
    await page.getByRole('button', { name: 'Bring mine back' }).click();
    await expect(await jsonArguments(page)).toHaveValue('{"n": 7}');
  },
);

test('a link that is damaged, or whose folder is not open, says what to do', async ({ page }) => {
  const base = page.url().replace(/#.*/, '');
  await page.goto(`${base}#/open?tool=a:b&zip=%25%25`);
  await expect(page.getByText('It was cut off, or its files are damaged.')).toBeVisible();
  await page.goto(shareLink(base, { ...shared, zip: new Uint8Array(40) }));
  await expect(page.getByText(/not a zip file|damaged/)).toBeVisible();
  await page.goto(shareLink(base, { ...shared, zip: null }));
  await expect(page.getByText('The link contains no files, and no folder is open.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: 'Open zip' })).toBeVisible();
});

test('the Share dialog gives a link, embed code, a badge, definitions, calls and a test', async ({
  page,
  context,
  folder,
  trouble,
}) => {
  // The component page has no playground for the preview: tests/share-embed.test.ts looks at that.
  trouble.expect(/404/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { path } = await folder({ 'tables.py': 'def rows(n): ...\n' });
  await openFolder(page, path);
  const name = path.split('/').at(-1) ?? '';
  await page.getByRole('link', { name: 'rows', exact: true }).click();
  await (await jsonArguments(page)).fill('{"n": 2}');
  const share = page.getByRole('button', { name: 'Share', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Share tables:rows' });
  const copied = async (): Promise<string> => {
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
    return page.evaluate(() => navigator.clipboard.readText());
  };

  await test.step('the link says that it carries the code, and opens it', async () => {
    await share.click();
    await expect(dialog).toContainText('The link carries the code itself: 1 file,');
    await expect(dialog).toContainText('of at most 24 kB');
    await dialog.getByText('Files in the link').click();
    await expect(dialog.getByRole('listitem')).toHaveText(['tables.py']);
    const link = new URL(await copied());
    const read = readShared(link.hash.replace('#/open?', ''));
    expect(read).toMatchObject({ tool: 'tables:rows', arguments: '{"n": 2}' });
    await dialog.getByRole('button', { name: 'Without the code, for users' }).click();
    expect(readShared(new URL(await copied()).hash.replace('#/open?', ''))).toMatchObject({
      zip: null,
    });
    // The component page is on this computer.
    await expect(dialog).toContainText('which only this computer can open');
  });

  await test.step('the embed code follows the choices', async () => {
    await dialog.getByRole('button', { name: 'Embed code' }).press('Enter');
    const code = dialog.getByRole('group', { name: 'embed code' });
    await expect(code).toContainText('<cloche-playground tool="tables:rows"');
    await dialog.getByRole('button', { name: 'Form only' }).click();
    await dialog.getByRole('checkbox', { name: 'Runs by itself' }).check();
    await expect(code).toContainText('view="form" autorun');
    await dialog.getByRole('button', { name: 'Markdown', exact: true }).click();
    await expect(code).toContainText('# cloche: name=tables.py tool=tables:rows');
    await dialog.getByRole('button', { name: 'Frame', exact: true }).click();
    await expect(code).toContainText('/playground.html#source=');
  });

  await test.step('the other ways, with the arrow keys', async () => {
    await dialog.getByRole('button', { name: 'Embed code' }).press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await copied()).toContain('[![Run tables:rows in Cloche](');
    await dialog.getByRole('button', { name: 'Definition for a model' }).click();
    await dialog.getByRole('button', { name: 'MCP', exact: true }).click();
    expect(JSON.parse(await copied())).toMatchObject({ name: 'tables__rows' });
    await dialog.getByRole('button', { name: 'Code that calls it' }).click();
    expect(await copied()).toBe('from tables import rows\n\nprint(rows(n=2))\n');
    await dialog.getByRole('button', { name: 'pytest test' }).click();
    expect(await copied()).toContain('def test_tables_rows():');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('test_tables_rows.py');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(share).toBeFocused();
  });

  await test.step('the embed code is copied by keyboard alone', async () => {
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Link' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, dialog.getByRole('button', { name: 'Copy', exact: true }));
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeFocused();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      '<cloche-playground tool="tables:rows"',
    );
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(share).toBeFocused();
  });

  await test.step('the folder is a sandboxed MCP server, or one under ordinary Python', async () => {
    await share.click();
    await dialog.getByRole('button', { name: 'MCP server' }).click();
    expect(await copied()).toMatch(/^claude mcp add [a-z0-9-]+ -- npx -y cloche mcp \/path\/to\//);
    await dialog.getByRole('button', { name: 'VS Code' }).click();
    await expect(dialog).toContainText('The text belongs in .vscode/mcp.json.');
    await expect(dialog).not.toContainText('download it under “Zip file”');
    await expect(dialog).toContainText('with the path of the folder.');
    await dialog.getByRole('button', { name: 'Ordinary Python' }).click();
    await expect(dialog).toContainText('without a sandbox');
    await expect(dialog).toContainText('Download “Folder with cloche_mcp.py” and unpack it first.');
    await expect(dialog.getByRole('group', { name: 'configuration' })).toContainText('python3');
    await page.route('**/cloche_mcp.py', (route) => route.fulfill({ body: '# serves tools' }));
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Bundle (.mcpb)' }).click();
    const bundle = unzipSync(await readFile(await (await download).path()));
    expect(Object.keys(bundle)).toEqual([
      'manifest.json',
      'server/cloche_mcp.py',
      'tools/tables.py',
    ]);
    // Without the program there is no bundle.
    await page.route('**/cloche_mcp.py', (route) => route.fulfill({ status: 404 }));
    await dialog.getByRole('button', { name: 'server.json' }).click();
    await expect(dialog.getByRole('alert')).toContainText('cloche_mcp.py could not be loaded');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('the palette and the menu of the folder share too', async () => {
    await page.keyboard.press('Control+k');
    for (const [word, command] of [
      ['embed', 'Share: Embed code'],
      ['badge', 'Share: README badge'],
      ['share', 'Share: Link'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Commands, tools and files' }).fill(word);
      await expect(page.getByRole('option', { name: command })).toBeVisible();
    }
    await page.keyboard.press('Escape');
    await page.goto('./#/');
    await page.getByRole('button', { name: /^Folder / }).click();
    await page.getByRole('button', { name: 'Share folder' }).click();
    const whole = page.getByRole('dialog', { name: `Share ${name}` });
    await expect(whole).toContainText('The link carries the code itself');
    await expect(whole.getByRole('button', { name: 'pytest test' })).toHaveCount(0);
  });

  await test.step('a phone has a menu, and nothing is cut off', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const whole = page.getByRole('dialog', { name: `Share ${name}` });
    await whole
      .getByRole('combobox', { name: 'Way to share' })
      .selectOption('Definition for a model');
    await expect(whole.getByRole('group', { name: 'OpenAI Responses definition' })).toBeVisible();
    expect(await whole.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
});
