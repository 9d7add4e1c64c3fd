/** One Firefox for the tests of all files. It has visited the app before, so Python starts from its snapshot. */

import { setTimeout as delay } from 'node:timers/promises';
import puppeteer, { type Page } from 'puppeteer-core';
import type { TestProject } from 'vitest/node';
import { storedSnapshotBytes } from '../../bench/stored-snapshot.mjs';
import { findBrowser } from '../../scripts/browser.mjs';
import { distFolder } from '../../scripts/dist.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';
import { isFull } from '../support/is-full.ts';
import { shareBrowser } from '../support/shared-browser.ts';

export interface RunningFirefox {
  /** Takes one connection at a time. */
  readonly endpoint: string;
  /** Of the browser's first process. */
  readonly pid: number;
  /** Address of the app. */
  readonly url: string;
  /** Whether pages tell the tests of their requests. */
  readonly tellsRequests: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    firefox: RunningFirefox;
  }
}

/** Names that lead to this machine, for grants.test.ts: a test that is tried again takes the next `api…`. */
const hosts = [
  ...Array.from({ length: 20 }, (_, n) => `api${n + 1}`),
  ...Array.from({ length: 7 }, (_, n) => `unknown${n}`),
  'other',
  'elsewhere',
  'second',
].map((name) => `${name}.glass.example`);

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findBrowser('firefox');
  if (executablePath === undefined) throw new Error('No Firefox found: set FIREFOX_PATH.');
  const server = await serveFolder({ folder: distFolder, base: '/', port: 0 });
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: {
      'network.dns.localDomains': hosts.join(','),
      // Only full runs use the optimising compiler of WebAssembly, which took an eighth of the tests' processor time.
      'javascript.options.wasm_optimizingjit': isFull,
    },
  });
  const page = await browser.newPage();
  await page.goto(server.url);
  // Puppeteer's own wait makes a function from text in the page, which the page's policy refuses in older Firefox.
  for (let left = 800; !(await isPrepared(page)); left -= 1) {
    if (left === 0) throw new Error('The first visit took too long.');
    await delay(300);
  }
  await page.close();
  return shareBrowser(project, browser, server, connect);
}

async function isPrepared(page: Page): Promise<boolean> {
  const bytes = await page.evaluate(storedSnapshotBytes);
  const { at } = await page.evaluate(() => globalThis.cloche.status.get().offline);
  return bytes > 0 && at === 'ready';
}

export function connect(browserWSEndpoint: string): ReturnType<typeof puppeteer.connect> {
  // No authority has signed the certificates of the tests.
  const acceptInsecureCerts = true;
  return puppeteer.connect({ protocol: 'webDriverBiDi', browserWSEndpoint, acceptInsecureCerts });
}
