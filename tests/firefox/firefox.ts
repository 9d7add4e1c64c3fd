/** The built app in a real Firefox, driven over WebDriver BiDi. */

import puppeteer, { type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { findBrowser } from '../../scripts/browser.mjs';
import { distFolder } from '../../scripts/dist.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';
import type { ApiListing, ApiResult } from '../support/app.ts';
import { Trouble } from '../support/trouble.ts';

/** Python starts anew in most of what takes long. */
const patience = { timeout: 90_000, interval: 100 };

export interface Firefox {
  readonly page: Page;
  /** Address of the app. */
  readonly url: string;
  /** Of the browser's first process. */
  readonly pid: number;
  /** Of the test that is running. */
  readonly trouble: Trouble;
}

/**
 * One browser, with one page of the app, for all tests of a file; a test also fails by what went wrong unseen.
 *
 * @param hosts names that lead to this machine
 */
export function useFirefox(hosts: readonly string[] = []): () => Firefox {
  let firefox: Firefox | undefined;
  let close = (): Promise<void> => Promise.resolve();
  beforeAll(async () => {
    const executablePath = findBrowser('firefox');
    if (executablePath === undefined) throw new Error('No Firefox found: set FIREFOX_PATH.');
    const server = await serveFolder({ folder: distFolder, base: '/', port: 0 });
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      extraPrefsFirefox: { 'network.dns.localDomains': hosts.join(',') },
    });
    close = async () => {
      await browser.close();
      await server.close();
    };
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    const trouble = new Trouble([new URL(server.url).origin]);
    watch(page, trouble);
    firefox = { page, url: server.url, pid: browser.process()?.pid ?? 0, trouble };
    await page.goto(server.url);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
  });
  afterAll(() => close());
  afterEach(() => {
    expect(firefox?.trouble.take(), 'what went wrong unseen').toEqual([]);
  });
  return () => {
    if (!firefox) throw new Error('Firefox has not started.');
    return firefox;
  };
}

// BiDi tells of uncaught errors, of breaches of policy and of Firefox's own words to the console as page errors alike,
// those of workers included.
function watch(page: Page, trouble: Trouble): void {
  page.on('pageerror', (error) => {
    trouble.add(`uncaught: ${String(error)}`);
  });
  page.on('console', (message) => {
    const type = message.type();
    if (type === 'error' || type === 'warn') trouble.add(`console ${type}: ${message.text()}`);
  });
  page.on('request', (request) => {
    trouble.addRequest(request.method(), request.url());
  });
}

/** Drops files on the page. What is dropped is made up, since BiDi has no drag from outside the browser. */
export async function dropFiles(page: Page, files: Record<string, string>): Promise<ApiListing> {
  await page.evaluate((all) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of Object.entries(all)) dataTransfer.items.add(new File([text], name));
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(drop);
  }, files);
  const [only, ...others] = Object.keys(files);
  return scanned(page, others.length === 0 ? (only ?? '') : 'dropped files');
}

/** Waits for the end of a folder's scan. */
export async function scanned(page: Page, name: string): Promise<ApiListing> {
  await vi.waitFor(async () => {
    const { phase, folder } = await page.evaluate(() => globalThis.cloche.status.get());
    expect([phase, folder]).toEqual(['ready', name]);
  }, patience);
  return page.evaluate(async () => (await fetch('api/tools')).json() as Promise<ApiListing>);
}

export function invoke(
  page: Page,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<ApiResult> {
  return page.evaluate(
    async (name, text) => {
      const response = await fetch(`api/tools/${encodeURIComponent(name)}/invoke`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      });
      return response.json() as Promise<ApiResult>;
    },
    tool,
    JSON.stringify({ arguments: args }),
  );
}

/** Waits until the page shows a text. */
export function shows(page: Page, text: string): Promise<void> {
  return vi.waitFor(async () => {
    expect(await page.evaluate(() => document.body.innerText)).toContain(text);
  }, patience);
}

/** Clicks a button or link by its words. */
export async function click(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  const selector = `::-p-aria([name="${name}"][role="${role}"])`;
  await page.locator(selector).click();
}
