import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ageTrouble, browsers, localeFor } from './browser.mjs';
import { projectFolder } from './dist.mjs';
import { listsAreRecent } from './install-packages.mjs';

test('a browser older than the oldest supported one is refused by its name, with what to do', () => {
  const { chromium, firefox, webkit } = browsers;
  for (const version of [
    'Chromium 149.0.7800.1 built on Debian GNU/Linux 12 (bookworm)',
    'Google Chrome 99.0.1.1',
    'Chromium 15.6.0',
  ]) {
    const trouble = ageTrouble(chromium, version);
    expect(trouble).toContain(`${version} is too old: Cloche supports Chromium 150 and newer.`);
    expect(trouble).toContain('apt-get install chromium');
  }
  expect(ageTrouble(firefox, 'Mozilla Firefox 128.5.0esr')).toContain('Firefox 140 and newer');
  for (const version of [
    'Chromium 150.0.7871.100',
    'Chromium 1000.0',
    'Chromium (development)',
    '',
  ])
    expect(ageTrouble(chromium, version)).toBeUndefined();
  expect(ageTrouble(firefox, 'Mozilla Firefox 140.12.0esr')).toBeUndefined();
  expect(ageTrouble(webkit, 'WebKitGTK 2.48.1')).toContain('WebKitGTK 2.50 and newer');
  expect(ageTrouble(webkit, 'WebKitGTK 2.50.6')).toBeUndefined();
});

test('the page and the documentation name the same oldest versions', async () => {
  const words = [`Chromium ${browsers.chromium.oldest}`, `Firefox ${browsers.firefox.oldest}`];
  for (const file of ['index.html', 'docs/tour.md']) {
    const text = await readFile(join(projectFolder, file), 'utf8');
    expect(
      words.filter((word) => !text.includes(word)),
      file,
    ).toEqual([]);
  }
  const tour = await readFile(join(projectFolder, 'docs/tour.md'), 'utf8');
  expect(tour).toContain(`WebKitGTK ${browsers.webkit.oldest}`);
});

test('lists are fetched again if they are old, or lack a source', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-lists-'));
  try {
    await mkdir(join(folder, 'partial'));
    const main = 'deb.debian.org_dists_bookworm_main_binary-amd64_Packages';
    const security = 'deb.debian.org_dists_bookworm-security_main_binary-amd64_Packages';
    const wanted = [main, security].map((name) => join('/var/lib/apt/lists', name));
    expect(listsAreRecent(folder, wanted)).toBe(false);
    await writeFile(join(folder, main), '');
    // The main list is recent, but the list of updates is missing.
    expect(listsAreRecent(folder, wanted)).toBe(false);
    await writeFile(join(folder, `${security}.lz4`), '');
    expect(listsAreRecent(folder, wanted)).toBe(true);
    expect(listsAreRecent(folder, [])).toBe(false);
    const before = Date.now() / 1000 - 2 * 3600;
    await utimes(join(folder, 'partial'), before, before);
    expect(listsAreRecent(folder, wanted)).toBe(false);
    expect(listsAreRecent(join(folder, 'none'), wanted)).toBe(false);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('Chromium on Linux reads names of files as UTF-8, also where no locale is set', () => {
  for (const env of [{}, { LANG: 'C' }, { LANG: 'de_DE.UTF-8', LC_ALL: 'C' }])
    expect(localeFor(env, 'linux')).toEqual({ env: { ...env, LC_ALL: 'C.UTF-8' } });
  for (const env of [{ LANG: 'de_DE.UTF-8' }, { LC_ALL: 'C.utf8', LANG: 'C' }])
    expect(localeFor(env, 'linux')).toEqual({});
  expect(localeFor({}, 'darwin')).toEqual({});
});
