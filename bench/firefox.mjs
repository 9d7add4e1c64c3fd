/** npm run bench:firefox: the first visit in the real Firefox, compared with the plain page; each visit in a new profile. */

import puppeteer from 'puppeteer-core';
import { findBrowser } from '../scripts/browser.mjs';
import { run } from '../scripts/run.mjs';
import { echoFiles } from './folders.mjs';
import { alternate } from './measure.mjs';
import { runEcho, shownAt } from './person.mjs';
import { openSites } from './sites.mjs';

/** @typedef {import('puppeteer-core').Page} Page */

const executablePath = findBrowser('firefox') ?? '';
if (executablePath === '') throw new Error('No Firefox found: set FIREFOX_PATH.');
const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
if (code !== 0) process.exit(code);

const files = echoFiles();
const args = '{"text": "hello"}';
const sites = await openSites();
try {
  const { ours, floor, spread } = await alternate(
    () => inNewProfile(firstResult),
    () => inNewProfile(firstResultPlain),
  );
  const percent = (spread * 100).toFixed(1);
  console.log(
    `First visit in Firefox: ${ours.toFixed(0)} ms, plain page ${floor.toFixed(0)} ms, ` +
      `ratio ${(ours / floor).toFixed(3)} ± ${percent} %`,
  );
} finally {
  await sites.close();
}

/**
 * @param {(page: Page) => Promise<number>} visit
 * @returns {Promise<number>} milliseconds
 */
async function inNewProfile(visit) {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    return await visit(page);
  } finally {
    await browser.close();
  }
}

/** @param {Page} page */
async function firstResult(page) {
  await page.goto(sites.ours, { waitUntil: 'domcontentloaded' });
  await page.evaluate(async (all) => {
    const isListening = () =>
      [...document.querySelectorAll('button')].some((each) =>
        each.textContent.includes('Open folder'),
      );
    while (!isListening()) await new Promise((resolve) => setTimeout(resolve, 10));
    const dataTransfer = new DataTransfer();
    for (const [name, text] of all) dataTransfer.items.add(new File([text], name));
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(drop);
  }, files);
  return runEcho(asPlaywright(page));
}

/** @param {Page} page */
async function firstResultPlain(page) {
  await page.goto(sites.plain, { waitUntil: 'domcontentloaded' });
  await page.evaluate(
    async (all, text) => {
      while (!('plain' in globalThis)) await new Promise((resolve) => setTimeout(resolve, 10));
      await globalThis.plain.ready;
      await globalThis.plain.ask({ op: 'load', root: '/tools', files: all });
      document.body.append(
        await globalThis.plain.ask({ op: 'call', tool: 'echo:echo', arguments: text }),
      );
    },
    files,
    args,
  );
  return shownAt(asPlaywright(page));
}

/**
 * The steps only call `evaluate` with one argument, which both libraries have.
 * @param {Page} page
 * @returns {import('@playwright/test').Page}
 */
function asPlaywright(page) {
  return /** @type {import('@playwright/test').Page} */ (/** @type {unknown} */ (page));
}
