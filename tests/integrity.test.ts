/** A script, style or sample that differs by one byte from the build is refused by the browser; without the hashes, it would be used. */

import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { distFolder } from '../scripts/dist.mjs';
import { serveFolder } from '../scripts/static-server.mjs';
import { toolFile } from './packages/sources.ts';
import { listing, openFolder } from './support/app.ts';
import { withHashes } from './support/integrity.ts';
import { makeWheel } from './support/make-wheel.ts';
import { expect, test as base } from './support/test.ts';

const altered = [
  {
    what: 'the first script',
    name: /^index-.*\.js$/,
    says: 'differs from the one that was built. Reload the page.',
  },
  {
    what: 'a script that is loaded later',
    name: /^compose-late-.*\.js$/,
    says: 'A part of Cloche could not be loaded',
  },
  { what: 'a style that is loaded later', name: /^workbench-.*\.css$/, says: 'Loading Python' },
];

/** Serves a copy of the build. */
const test = base.extend<{ copy: { folder: string; url: string } }>({
  copy: async ({ trouble }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'cloche-altered-'));
    await cp(distFolder, folder, { recursive: true });
    const { url, close } = await serveFolder({ folder });
    trouble.allowOrigin(new URL(url).origin);
    await use({ folder, url });
    await close();
    await rm(folder, { recursive: true });
  },
});

/** Adds a line break to the one file whose name is like this: its content means the same. */
async function alter(folder: string, name: RegExp): Promise<void> {
  const names = (await readdir(join(folder, 'assets'))).filter((file) => name.test(file));
  expect(names).toHaveLength(1);
  await appendFile(join(folder, 'assets', names[0] ?? ''), '\n');
}

async function removeHashes(folder: string): Promise<void> {
  const file = join(folder, 'index.html');
  await writeFile(file, withHashes(await readFile(file, 'utf8'), new Map()));
}

/** What is reported of a refused file, and of requests that are still open when the server ends. */
const refusals =
  /valid digest in the 'integrity' attribute|SRI's integrity checks failed|Unable to preload|Failed to (load|fetch)|error occurred when fetching the script/;

const openSamples = (page: Page) => page.getByRole('button', { name: 'Open samples' }).first();

async function works(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await openSamples(page).click();
  await page.getByRole('link', { name: /^bar_chart/ }).click({ timeout: 120_000 });
  await page.getByRole('button', { name: /^Run\b/ }).click();
  await expect(page.getByRole('img', { name: /result|bar/i }).first()).toBeVisible();
}

// All other browser tests show that the unaltered build works with its hashes.
test('without the hashes, altered files are used', { tag: '@cold' }, async ({ page, copy }) => {
  for (const { name } of altered) await alter(copy.folder, name);
  await removeHashes(copy.folder);
  await works(page, copy.url);
});

for (const [index, { what, name, says }] of altered.entries()) {
  const tag = index === 0 ? ['@cold'] : ['@cold', '@full'];
  test(`${what}: refused if altered`, { tag }, async ({ page, copy, trouble }) => {
    trouble.expect(refusals);
    await alter(copy.folder, name);
    const refused = page.waitForEvent('console', (message) =>
      message.text().includes("valid digest in the 'integrity' attribute"),
    );
    await page.goto(copy.url);
    expect(name.test(/assets\/([^']+)/.exec((await refused).text())?.[1] ?? '')).toBe(true);
    // Each part of the page that needed the file may report it.
    await expect(page.getByText(says).first()).toBeVisible();
    // The page may still be loading Python from the server, which is about to end.
    await page.close();
  });
}

test(
  'the samples: refused if altered',
  { tag: ['@cold', '@full'] },
  async ({ page, copy, trouble }) => {
    trouble.expect(refusals);
    await alter(copy.folder, /^samples-.*\.json$/);
    await page.goto(copy.url);
    await openSamples(page).click();
    await expect(page.getByText('The samples could not be loaded').first()).toBeVisible();
  },
);

// Controls: tests/editor.test.ts runs the program that was exported, and tests/packages uses the resolver.
test(
  'the program that runs tests: not exported if altered',
  { tag: ['@full', '@cold'] },
  async ({ page, copy, trouble }) => {
    trouble.expect(refusals);
    await appendFile(join(copy.folder, 'cloche_test.py'), '\n');
    await page.goto(copy.url);
    await openSamples(page).click();
    const exporting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export folder as zip' }).click({ timeout: 120_000 });
    const zip = unzipSync(await readFile(await (await exporting).path()));
    expect(Object.keys(zip)).toContain('basics.py');
    expect(Object.keys(zip)).not.toContain('cloche_test.py');
  },
);

test(
  'the package resolver: refused if altered',
  { tag: '@cold' },
  async ({ page, copy, folder, trouble }) => {
    trouble.expect(refusals);
    const [wheel, bytes] = makeWheel({
      name: 'tiny',
      version: '1.0',
      files: { 'tiny.py': 'word = "tiny"\n' },
    });
    const { path } = await folder({
      'says.py': toolFile('says', ['tiny'], 'import tiny', { word: 'tiny.word' }),
      [`wheels/${wheel}`]: bytes,
    });
    await alter(copy.folder, /^resolver-.*\.zip$/);
    await page.goto(copy.url);
    await openFolder(page, path);
    const { tools, problems } = await listing(page);
    expect([tools, problems.map(({ message }) => message)]).toEqual([
      [],
      ['Could not resolve packages: Failed to fetch'],
    ]);
  },
);
