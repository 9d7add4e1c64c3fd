/** The first visit in the real Firefox, which Playwright cannot drive. If none is found, the row is left out. */

import puppeteer from 'puppeteer-core';
import { findBrowser } from '../../scripts/browser.mjs';
import { firstResult, firstResultPlain } from '../dropped-visit.mjs';
import { echoFiles } from '../folders.mjs';
import { alternate } from '../measure.mjs';

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
  /** @param {(page: import('../dropped-visit.mjs').DrivenPage) => Promise<number>} visit */
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
 * @param {(page: import('../dropped-visit.mjs').DrivenPage) => Promise<number>} visit
 * @returns {Promise<number>} milliseconds
 */
async function visitInNewProfile(executablePath, onVersion, visit) {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
  try {
    onVersion(await browser.version());
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    return await visit({
      goto: (url) => page.goto(url, { waitUntil: 'domcontentloaded' }),
      evaluate: (body, ...given) => page.evaluate(body, ...given),
    });
  } finally {
    await browser.close();
  }
}
