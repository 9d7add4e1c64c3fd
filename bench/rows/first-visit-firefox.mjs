/** The first visit in the real Firefox, which Playwright cannot drive. If none is found, the row is left out. */

import puppeteer from 'puppeteer-core';
import { findBrowser } from '../../scripts/browser.mjs';
import { echoFiles } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { runEcho, shownAt } from '../user.mjs';

/** @typedef {import('puppeteer-core').Page} Page */

const args = '{"text": "hello"}';
/** Milliseconds to wait after Firefox has started, so that its own startup work does not slow the visit. */
const settleMs = 2_000;

/** @param {import('../row.mjs').Bench} bench */
export default async function firstVisitFirefox({ sites }) {
  const executablePath = findBrowser('firefox');
  if (executablePath === undefined) {
    console.log('No Firefox found: set FIREFOX_PATH to measure first-visit-firefox.');
    return [];
  }
  const files = echoFiles();
  let browser = '';
  /** @param {string} version for example firefox/153.0 */
  const onVersion = (version) => {
    browser = `Firefox ${version.replace(/^.*\//, '')}`;
  };
  /** @param {(page: Page) => Promise<number>} visit */
  const inNewProfile = (visit) => visitInNewProfile(executablePath, onVersion, visit);
  const measured = await alternate(
    () => inNewProfile((page) => firstResult(page, sites.ours, files)),
    () => inNewProfile((page) => firstResultPlain(page, sites.plain, files)),
  );
  return [{ name: 'first-visit-firefox', unit: 'ms', browser, ...measured, target: 0.7 }];
}

/**
 * @param {string} executablePath
 * @param {(version: string) => void} onVersion
 * @param {(page: Page) => Promise<number>} visit
 * @returns {Promise<number>} milliseconds
 */
async function visitInNewProfile(executablePath, onVersion, visit) {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
  try {
    onVersion(await browser.version());
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    return await visit(page);
  } finally {
    await browser.close();
  }
}

/**
 * @param {Page} page
 * @param {string} url
 * @param {readonly (readonly [string, string])[]} files
 * @returns {Promise<number>} milliseconds
 */
async function firstResult(page, url, files) {
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await page.evaluate(async (all) => {
    // Firefox has no folder picker, so the page offers no “Open folder”.
    const isListening = () =>
      [...document.querySelectorAll('button')].some((each) =>
        each.textContent.includes('Upload folder'),
      );
    while (!isListening()) await new Promise((resolve) => setTimeout(resolve, 10));
    // The drop is simulated, since BiDi cannot drag from outside the browser.
    const dataTransfer = new DataTransfer();
    for (const [name, text] of all) dataTransfer.items.add(new File([text], name));
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(drop);
  }, files);
  return runEcho(asPlaywright(page));
}

/**
 * The same visit in the plain page.
 * @param {Page} page
 * @param {string} url
 * @param {readonly (readonly [string, string])[]} files
 * @returns {Promise<number>} milliseconds
 */
async function firstResultPlain(page, url, files) {
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await page.evaluate(
    async (all, text) => {
      while (!('plain' in globalThis)) await new Promise((resolve) => setTimeout(resolve, 10));
      const { plain } = globalThis;
      await plain.ready;
      await plain.ask({ op: 'load', root: '/tools', files: all });
      document.body.append(await plain.ask({ op: 'call', tool: 'echo:echo', arguments: text }));
    },
    files,
    args,
  );
  return shownAt(asPlaywright(page));
}

/**
 * The steps in user.mjs only call `evaluate` with one argument, which both libraries support.
 * @param {Page} page
 * @returns {import('@playwright/test').Page}
 */
function asPlaywright(page) {
  return /** @type {import('@playwright/test').Page} */ (/** @type {unknown} */ (page));
}
