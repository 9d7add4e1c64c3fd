/**
 * A browser profile that has visited the app before. The service worker, the stored files and Python's snapshot are
 * kept from one test to the next, so that Python starts in half a second; everything a user leaves behind is removed.
 */

import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { AppStatus } from '../../src/app/app.ts';
import type { OfflineState } from '../../src/runtime/spec/offline.ts';
import { expect } from './expect.ts';
import { forwardClock, holdClockHere } from './page-clock.ts';
import { snapshotBytes } from './snapshots.ts';

export class WarmProfile {
  readonly context: BrowserContext;

  private constructor(context: BrowserContext) {
    this.context = context;
  }

  /** Visits the app once, and waits until it has stored its files and a snapshot. */
  static async make(browser: Browser, baseURL: string): Promise<WarmProfile> {
    const context = await lastingContext(browser, baseURL);
    const page = await context.newPage();
    await page.addInitScript(holdClockHere);
    await page.goto('./');
    const status = (): Promise<AppStatus> => page.evaluate(() => globalThis.cloche.status.get());
    const patience = { timeout: 120_000, intervals: [250] };
    await expect.poll(async () => (await status()).python, patience).toBe('ready');
    // The page stores files when it has been idle for a while, and then makes the snapshot.
    const offline = async (): Promise<OfflineState> => {
      const isStoring = (await status()).offline.at === 'storing';
      // Storing takes real time, so the page's clock goes on at about the usual pace.
      await (isStoring ? forwardClock(page, 250) : forwardClock(page, 2_000, 500));
      return (await status()).offline;
    };
    // Not `toMatchObject`, whose message would not say how far the storing got.
    await expect.poll(offline, patience).toEqual({ at: 'ready' });
    await forwardClock(page, 5_000, 1_000);
    const bytes = async (): Promise<number> => {
      // Small steps, so that nothing in progress misses its deadline.
      await forwardClock(page, 500);
      return snapshotBytes(page);
    };
    await expect.poll(bytes, patience).toBeGreaterThan(0);
    await page.close();
    return new WarmProfile(context);
  }

  clear(): Promise<void> {
    return clearUserData(this.context, './license.txt');
  }
}

/**
 * A context for many tests. It refuses methods whose effect would last for the tests that follow. Its first page stays
 * open for {@link clearUserData}: a window of its own for each page took half of the processor time of a short test.
 */
export async function lastingContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL });
  await context.newPage();
  const refuse = (): never => {
    throw new Error(
      'Other tests use this context later: use the method of the page, or a context of the test.',
    );
  };
  return Object.assign(context, {
    addInitScript: refuse,
    exposeBinding: refuse,
    exposeFunction: refuse,
    setExtraHTTPHeaders: refuse,
    setGeolocation: refuse,
  });
}

/**
 * Closes all pages but the first, ends the service worker, which forgets them, and removes the user's data: databases,
 * private files, storage, cookies, permissions.
 * @param context see {@link lastingContext}
 * @param address of a page of the same origin that does not start the app
 */
export async function clearUserData(context: BrowserContext, address: string): Promise<void> {
  await context.setOffline(false);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearPermissions();
  const [page, ...others] = context.pages();
  if (page === undefined) throw new Error('The first page of the context was closed.');
  await Promise.all(others.map((other) => other.close()));
  await page.goto(address);
  const client = await context.newCDPSession(page);
  await client.send('Storage.clearDataForOrigin', {
    origin: new URL(page.url()).origin,
    storageTypes: 'cookies,indexeddb,local_storage',
  });
  await clearPrivateFiles(page);
  await client.send('ServiceWorker.enable');
  await client.send('ServiceWorker.stopAllWorkers');
  await client.detach();
  await page.goto('about:blank');
}

function clearPrivateFiles(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    for await (const name of root.keys())
      if (name !== 'cloche-snapshots') await root.removeEntry(name, { recursive: true });
  });
}
