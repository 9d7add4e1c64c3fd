/**
 * Tests visits without the network, and that a new build replaces an old one without mixing files or losing data. The
 * app is served below another base path, with the headers that docs/deploy.md recommends.
 */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { distFolder } from '../scripts/dist.mjs';
import { appFrame, quietApp, quietTools } from './support/app-attacks.ts';
import { invoke, openFolder } from './support/app.ts';
import { hello } from './support/hello.ts';
import { recommendedHeaders } from './support/recommended-headers.ts';
import { pressUntil } from './support/press-until.ts';
import { makeSecondBuild, Site } from './support/site.ts';
import { expect, test as base } from './support/test.ts';
import { jsonArguments } from './support/json-arguments.ts';

const patient = { timeout: 240_000 };

interface Fixtures {
  /** Serves the built app below another path, with the recommended headers. */
  site: Site & { url: string };
  second: { folder: string; id: string };
}

const test = base.extend<Fixtures>({
  site: async ({ trouble }, use) => {
    // There is no answer while the server is stopped.
    trouble.expect(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED/);
    const site = await Site.make('/some/deeper path/', await recommendedHeaders());
    await site.deploy(distFolder);
    const url = await site.start();
    trouble.allowOrigin(new URL(url).origin);
    await use(Object.assign(site, { url }));
    await site.dispose();
  },
  second: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'cloche-second-'));
    await use({ folder, id: await makeSecondBuild(folder) });
    await rm(folder, { recursive: true });
  },
});

const offlineEntry = (page: Page) => page.getByRole('contentinfo').getByRole('link');
const notice = (page: Page) => page.getByRole('region', { name: 'New version' });

async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(offlineEntry(page).filter({ hasText: 'Offline ready' })).toBeVisible(patient);
}

function buildOf(page: Page): Promise<string | null> {
  return page.evaluate(
    () => document.querySelector<HTMLMetaElement>('meta[name=cloche-build]')?.content ?? null,
  );
}

/** Names of the files that the page has asked for, by what makes the builds differ. */
function filesOf(page: Page): Promise<{ first: string[]; second: string[] }> {
  return page.evaluate(() => {
    const names = performance
      .getEntriesByType('resource')
      // Asking whether the server has a file is not using it.
      .filter((entry) => !('initiatorType' in entry) || entry.initiatorType !== 'fetch')
      .map(({ name }) => name)
      .filter((name) => /assets\/.*\.(js|css)$/.test(name) && !/tool-worker|broker/.test(name));
    const isSecond = (name: string): boolean => name.includes('Second.');
    return {
      first: names.filter((name) => !isSecond(name)),
      second: names.filter(isSecond),
    };
  });
}

/** The browser says that the network is back, after which the page asks what the server has. */
async function comeBackOnline(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('online')));
}

/** The page is of this build now, and no file of it is still on its way when the test ends. */
async function arrived(page: Page, build: string): Promise<void> {
  await expect.poll(() => buildOf(page).catch(() => null)).toBe(build);
  const python = (): Promise<string> => page.evaluate(() => globalThis.cloche.status.get().python);
  await expect.poll(() => python().catch(() => null), { timeout: 120_000 }).toBe('ready');
}

test(
  'a second visit needs no server, and a new build loses nothing and does not mix with an old page',
  { tag: '@cold' },
  async ({ page, context, site, second, folder }) => {
    const files = { 'greet.py': hello, 'quiet.py': quietTools, 'quiet.html': quietApp };
    const { path } = await folder(files, 'remembered');
    const runs = (): Promise<number> => page.evaluate(() => globalThis.cloche.log.count);
    const runHello = async (): Promise<void> => {
      await page.getByRole('link', { name: 'hello', exact: true }).first().click(patient);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(
        page.getByRole('region', { name: 'Result' }).getByText('Success').first(),
      ).toBeVisible(patient);
    };
    await visit(page, site.url);
    await openFolder(page, path);
    await runHello();
    // A second visit with the server stopped.
    await site.stop();
    await page.goto(`${site.url}license.txt`);
    await expect(page.getByText('MIT License')).toBeVisible();
    await page.goto(site.url);
    await expect(page.getByRole('heading', { name: 'remembered' })).toBeVisible(patient);
    await expect(offlineEntry(page).filter({ hasText: 'Offline ready' })).toBeVisible();
    await runHello();
    await expect.poll(runs).toBe(2);
    const old = await context.newPage();
    await visit(old, site.url);
    const first = await buildOf(old);
    await page.bringToFront();
    // The visit to a new build.
    await site.deploy(second.folder);
    await site.start();
    // While a slow server has not said in time that the build is complete, the old one is shown. Reloading without a
    // pause would keep a busy machine busy.
    await expect(async () => {
      await page.reload();
      expect(await buildOf(page)).toBe(second.id);
    }).toPass({ ...patient, intervals: [2_000, 5_000, 10_000] });
    await runHello();
    await expect.poll(runs).toBe(3);
    await expect(offlineEntry(page).filter({ hasText: 'Offline ready' })).toBeVisible(patient);
    const named = await filesOf(page);
    expect(named.first).toEqual([]);
    expect(named.second.length).toBeGreaterThan(3);
    // Parts that the old page has not needed yet are no longer on the server.
    await old.bringToFront();
    await old.evaluate(() => (location.hash = '#/settings/version'));
    await expect(old.getByText(first ?? 'no build')).toBeVisible();
    await openFolder(old, path);
    expect((await invoke(old, 'greet:hello')).textResultForLlm).toBe('{"hello": "world"}');
    expect((await filesOf(old)).second).toEqual([]);
    await site.stop();
    await page.reload();
    expect(await buildOf(page)).toBe(second.id);
    // The frame of an app is stored as well.
    await page.goto(`${site.url}#/tools/quiet%3Ashow`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const box = page.getByRole('region', { name: /^App of/ });
    await pressUntil(page.getByRole('button', { name: 'Show app' }), box);
    await appFrame(page);
  },
);

test(
  'half a new build changes nothing, and arguments survive the reload to a whole one',
  { tag: ['@cold', '@full'] },
  async ({ page, site, second, folder, trouble }) => {
    trouble.expect(/status of 404/);
    const { path } = await folder({ 'greet.py': hello });
    await visit(page, site.url);
    const first = await buildOf(page);
    await site.deploy(second.folder);
    const script = /assets\/[\w.-]*Second\.js/.exec(
      await readFile(join(second.folder, 'index.html'), 'utf8'),
    );
    await rm(join(site.folder, script?.[0] ?? 'no script'));
    await page.reload();
    expect(await buildOf(page)).toBe(first);
    await expect(offlineEntry(page).filter({ hasText: 'Offline ready' })).toBeVisible(patient);
    await comeBackOnline(page);
    await expect(notice(page)).toHaveCount(0);
    await openFolder(page, path);
    await page.getByRole('link', { name: 'hello', exact: true }).first().click();
    await (await jsonArguments(page)).fill('{"typed": "with care"}');
    await site.deploy(second.folder);
    await comeBackOnline(page);
    await notice(page).getByRole('button', { name: 'Reload' }).click();
    await arrived(page, second.id);
    await expect(notice(page)).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: 'Arguments' })).toHaveValue(/with care/);
  },
);

test(
  'the settings clear what is stored',
  { tag: ['@cold', '@full'] },
  async ({ page, site, folder }) => {
    const { path } = await folder({ 'greet.py': hello });
    await visit(page, site.url);
    await openFolder(page, path);
    await invoke(page, 'greet:hello');
    await offlineEntry(page).filter({ hasText: 'Offline ready' }).press('Enter');
    const files = page.getByRole('group', { name: 'Offline files' });
    await expect(files).toContainText(/[12]\d MB, offline ready/);
    const log = page.getByRole('group', { name: 'Call log', exact: true });
    await log.getByRole('button', { name: 'Clear call log' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear call log' }).click();
    await expect(log).toContainText('0 runs');
    await files.getByRole('button', { name: 'Remove offline files' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove offline files' }).click();
    await expect(files).toContainText('Not stored for offline use');
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await page.reload();
    await expect(files).toContainText('Not stored for offline use');
    await files.getByRole('button', { name: 'Store for offline use' }).click();
    await expect(files).toContainText('offline ready', patient);
  },
);
