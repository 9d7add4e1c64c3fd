/** Runs Lighthouse on a page that this machine serves, for the benchmarks. */

import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { ensureBrowser, launchOptions } from '../scripts/browser.mjs';

/** Starts a browser that Lighthouse can drive. @param {number} port of its debugging interface */
export async function launchForLighthouse(port) {
  const options = launchOptions(await ensureBrowser());
  return chromium.launch({
    ...options,
    args: [...options.args, `--remote-debugging-port=${port}`],
  });
}

/**
 * Audits a page, and prints the score of each category that is given.
 * @param {string} url
 * @param {number} port
 * @param {Readonly<Record<string, number>>} least score of each category, from 0 to 100
 * @param {{ title?: string, config?: import('lighthouse').Config | undefined }} [more] words before each score; undefined audits a phone
 * @returns {Promise<{ passed: boolean, audits: import('lighthouse').Result['audits'] }>}
 */
export async function audit(url, port, least, { title = '', config } = {}) {
  const flags = { port, onlyCategories: Object.keys(least), output: 'json', logLevel: 'error' };
  const result = await lighthouse(url, /** @type {import('lighthouse').Flags} */ (flags), config);
  if (!result) throw new Error('Lighthouse gave no result.');
  const { audits, categories } = result.lhr;
  let passed = true;
  for (const [name, wanted] of Object.entries(least)) {
    const score = Math.round((categories[name]?.score ?? 0) * 100);
    passed &&= score >= wanted;
    console.log(`${score >= wanted ? '✓' : '✗'} ${title}${name} ${score} (at least ${wanted})`);
  }
  return { passed, audits };
}
