/** `cloche/runtime` in the real Firefox, in a page of another origin, under the policy that docs/runtime.md names. */

import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startRuntimeSite, type RuntimeSite } from '../support/runtime-site.ts';
import { refusals, refused, shownByPage, shownLines } from '../support/runtime-use.ts';
import { startWeb, type Web } from '../support/web.ts';
import { cannotWait, hasStackSwitching, isFull, press, useFirefox } from './firefox.ts';

const firefox = useFirefox();
const patience = { timeout: 90_000, interval: 100 };
// A host name that leads to this machine.
const host = 'elsewhere';

let web: Web;
let site: RuntimeSite;
let page: Page;
let waits: boolean;
beforeAll(async () => {
  web = await startWeb();
  site = await startRuntimeSite(web.origin(host));
  page = await firefox().page.browser().newPage();
  waits = await hasStackSwitching(firefox().page);
});
afterAll(async () => {
  await page.close();
  await site.close();
  await web.close();
});

function text(): Promise<string> {
  return page.evaluate(() => document.querySelector('pre')?.innerText ?? '');
}

function frames(): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('iframe').length);
}

test('the page of the document lists, streams, requests, stops and disposes, with assets of another origin', async () => {
  await page.goto(site.page('other'));
  await vi.waitFor(async () => {
    expect(await text()).toContain('Press “Stop”.');
  }, patience);
  expect(await frames()).toBeGreaterThan(0);
  await press(page, 'button');
  await vi.waitFor(async () => {
    expect(await text()).toContain('Done.');
  }, patience);
  // A plain function asks for the response.
  const refusal: unknown[] = [
    expect.stringContaining(`Response: RuntimeError: ${cannotWait}`),
    expect.stringMatching(/^Raised in demo\.py, line \d+, in get\.$/),
  ];
  expect(shownLines(await text())).toEqual(
    shownByPage.flatMap((line): unknown =>
      line.startsWith('Response') && !waits ? refusal : line,
    ),
  );
  expect(await frames()).toBe(0);
  expect(web.log.map(({ url }) => url)).toEqual(waits ? ['/status?code=200'] : []);
});

// The code that refuses is the same in every browser.
if (isFull)
  test('refusals say what is wrong and what to do', async () => {
    await page.goto(site.module);
    await vi.waitFor(async () => {
      expect(await page.title()).toBe('ready');
    }, patience);
    const given = { assets: site.assets, api: web.origin(host) };
    expect(await page.evaluate(refusals, given)).toEqual(refused(given.assets, given.api, waits));
  });
