/** Folders and zip files of other programs and systems: they open, and the page says what it left out. */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drop } from '../bench/drop.mjs';
import { invoke, listing, openFolder } from './support/app.ts';
import { hello } from './support/hello.ts';
import { button, choose, openZip, python, ready } from './support/opening.ts';
import { expect, test } from './support/test.ts';

let zips = '';
test.beforeAll(async () => {
  zips = await mkdtemp(join(tmpdir(), 'zips-'));
  const made = spawnSync('python3', ['-W', 'ignore', 'tests/faults/foreign_zips.py', zips]);
  expect(made.stderr.toString()).toBe('');
});
test.afterAll(() => rm(zips, { recursive: true }));

test.beforeEach(async ({ page }) => {
  await page.goto('./');
});

const returned = (text: string) => ({
  resultType: 'success',
  content: [{ text: `{"rates": "${text}"}` }],
});

// src/runtime/zip/foreign-zips.test.ts checks the content that is read from each file, and the test below opens another one.
test('zip files of other programs open, and their tools read their data', async ({ page }) => {
  test.setTimeout(600_000);
  for (const [name, tool] of [
    ['backslash', 'weather:hello'],
    ['streamed', 'weather:hello'],
    ['cp437', 'größe:hello'],
  ] as const) {
    await choose(page, 'Open zip', join(zips, `${name}.zip`));
    await expect
      .poll(async () => (await listing(page)).tools.map((one) => one.name), python)
      .toEqual([tool]);
    expect(await invoke(page, tool, {})).toMatchObject(returned('1.5'));
    await button(page, 'Close folder').click();
  }
});

test('the page says how names were read', { tag: '@full' }, async ({ page }) => {
  await choose(page, 'Open zip', join(zips, 'shiftjis.zip'));
  await ready(page, 'shiftjis');
  await page.getByRole('link', { name: /^Problems ?1 warning/ }).click();
  // The sentence is also the title of these warnings.
  await expect(
    page.getByText('They were read as Shift-JIS, for example “天気.py”.').last(),
  ).toBeVisible();
});

test(
  'the subfolder of a repository in a zip is opened, and remembered',
  { tag: '@full' },
  async ({ page }) => {
    await choose(page, 'Open zip', join(zips, 'deeptop.zip'));
    await ready(page, 'repo-main');
    await page.getByRole('main').getByRole('button', { name: 'Open “tools”' }).first().click();
    await ready(page, 'tools');
    expect(await invoke(page, 'weather:hello', {})).toMatchObject(returned('1.5'));
    await page.reload();
    // Until the new page has its tools, the answer can come from the old page.
    await expect
      .poll(async () => (await listing(page)).tools.map(({ name }) => name), python)
      .toEqual(['weather:hello']);
    await expect(page.getByRole('button', { name: /^Folder tools/ })).toBeVisible();
  },
);

test(
  'the subfolder of a dropped folder is opened, and watched',
  { tag: '@full' },
  async ({ page, folder }) => {
    const made = await folder({
      'README.md': 'x',
      'tools/weather.py': hello.replaceAll('greet:', 'weather:'),
    });
    await openFolder(page, made.path);
    await page.getByRole('main').getByRole('button', { name: 'Open “tools”' }).first().click();
    await ready(page, 'tools');
    await made.write({ 'tools/other.py': hello.replaceAll('greet:', 'other:') });
    await expect
      .poll(async () => (await listing(page)).tools.map(({ name }) => name), python)
      .toEqual(['other:hello', 'weather:hello']);
  },
);

test('decomposed names of macOS are found by tools, imports and open', async ({ page, folder }) => {
  const nfd = (text: string): string => text.normalize('NFD');
  const spec = (name: string, body: string): string =>
    `def f():\n    return ${body}\nTOOL_SPECS = [{"name": "${name}", "description": "d", "parameters": {"type": "object", "properties": {}}, "handler": f}]\n`;
  const made = await folder({
    [nfd('résumé.py')]: spec('résumé:hello', '1'),
    [nfd('_größe.py')]: 'X = 1\n',
    'uses.py': `import _größe\n${spec('uses:get', '_größe.X')}`,
    [nfd('größe.txt')]: 'text',
    'reads.py': spec(
      'reads:get',
      `[open(${JSON.stringify('größe.txt')}).read(), open(${JSON.stringify(nfd('größe.txt'))}).read()]`,
    ),
    [nfd('übung/__init__.py')]: 'Y = 2\n',
    'packs.py': `from übung import Y\n${spec(nfd('packs:get'), 'Y')}`,
    'tests/résumé.json': JSON.stringify([{ tool: nfd('résumé:hello'), expect: { equals: 1 } }]),
  });
  const { problems } = await openFolder(page, made.path);
  expect(problems).toEqual([]);
  const text = async (tool: string) => (await invoke(page, tool, {})).content;
  expect(await text('résumé:hello')).toEqual([{ type: 'json', text: '1' }]);
  expect(await text(nfd('résumé:hello'))).toEqual([{ type: 'json', text: '1' }]);
  expect(await text('uses:get')).toEqual([{ type: 'json', text: '1' }]);
  expect(await text('packs:get')).toEqual([{ type: 'json', text: '2' }]);
  expect(await text('reads:get')).toEqual([{ type: 'json', text: '["text", "text"]' }]);
  // A change of the file on disk replaces the earlier version.
  await made.write({ [nfd('résumé.py')]: spec('résumé:hello', '7') });
  await expect.poll(() => text('résumé:hello'), python).toEqual([{ type: 'json', text: '7' }]);
});

test(
  'files of tests and packaging are no red errors, links are explained, and ignored folders named',
  { tag: '@full' },
  async ({ page, folder }) => {
    const plain = hello.replaceAll('greet:', 'plain:');
    const made = await folder({
      'plain.py': `import conftest\n${plain}`,
      'uses.py': 'from shared import V\nTOOL_SPECS = []\n',
      'conftest.py': 'try:\n    import pytest\nexcept ImportError:\n    pass\n',
      'test_plain.py': 'import pytest\nfrom plain import TOOL_SPECS\n',
      'plain_test.py': 'import pytest\n',
      'setup.py': 'from setuptools import setup\nsetup()\n',
      'noxfile.py': 'import nox\n',
      'manage.py': 'import django\n',
      'test_tools.py': hello.replaceAll('greet:', 'test_tools:'),
      'node_modules/x/index.js': '',
      'elsewhere/shared/__init__.py': 'V = 42\n',
    });
    await symlink('elsewhere/shared', join(made.path, 'shared'));
    // The browser does not list it, so nothing but the page of its tool can say why it is missing.
    const others = await folder({ 'linked.py': hello.replaceAll('greet:', 'linked:') });
    await symlink(join(others.path, 'linked.py'), join(made.path, 'linked.py'));
    const { tools, problems } = await openFolder(page, made.path);
    expect(tools.map(({ name }) => name)).toEqual(['plain:hello', 'test_tools:hello']);
    expect(
      problems.map(({ severity, code, file }) => `${severity} ${code} ${file}`).sort(),
    ).toEqual(['error module-not-found uses.py', 'note no-tools ', 'note other-programs ']);
    const missing = problems.find(({ code }) => code === 'module-not-found');
    expect(missing?.hint).toContain('browsers leave out symbolic links');
    await page.getByRole('link', { name: /^Problems ?1 error/ }).click();
    await expect(page.getByText('not loaded as tool files')).toBeVisible();
    await expect(page.getByText('“node_modules” was not read')).toBeVisible();
    await page.goto('./#/tools/linked:hello');
    await expect(page.getByText('There is no tool with this name here.')).toBeVisible();
    await expect(page.getByText('Browsers leave out symbolic links')).toBeVisible();
    // A folder in which all files are links.
    const links = await folder({ 'data.txt': 'x' });
    await symlink(join(others.path, 'linked.py'), join(links.path, 'linked.py'));
    const all = await openFolder(page, links.path);
    expect(all.tools).toEqual([]);
    expect(all.problems.map(({ code, hint }) => `${code} ${hint}`).join('\n')).toContain(
      'Browsers leave out symbolic links',
    );
  },
);

test(
  'a dropped zip with decomposed names, and small Zip64 files',
  { tag: '@full' },
  async ({ page }) => {
    const spec = hello.replaceAll('greet:', 'größe:');
    await openZip(page, 'nfd.zip', [{ name: 'größe.py'.normalize('NFD'), content: spec }]);
    await ready(page, 'nfd');
    expect((await listing(page)).tools.map(({ name }) => name)).toEqual(['größe:hello']);
    await button(page, 'Close folder').click();
    await drop(page, join(process.cwd(), 'tests/faults/zip64-two-entries.zip'));
    await ready(page, 'zip64-two-entries');
    expect((await listing(page)).problems).toEqual([]);
    await button(page, 'Close folder').click();
    await openZip(page, 'one.zip', readFileSync('tests/faults/zip64-end-record-only.zip'));
    await ready(page, 'one');
  },
);
