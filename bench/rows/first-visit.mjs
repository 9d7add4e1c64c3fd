/** A fresh profile: from the navigation to the first tool's result on the page, compared with the plain page. */

import { echoFiles, writeFolder } from '../folders.mjs';
import { drop } from '../drop.mjs';
import { alternate } from '../measure.mjs';
import { runEcho, shownAt } from '../user.mjs';

const args = '{"text": "hello"}';

/** @param {import('../row.mjs').Bench} bench */
export default async function firstVisit({ newPage, sites }) {
  const files = echoFiles();
  const folder = await writeFolder(`${sites.temporary}/first-visit`, files);
  const measured = await alternate(
    () => inFreshProfile(newPage, (page) => firstResult(page, sites.ours, folder)),
    () => inFreshProfile(newPage, (page) => firstResultPlain(page, sites.plain, files)),
  );
  return [{ name: 'first-visit', unit: 'ms', ...measured, target: 0.65 }];
}

/**
 * @param {import('../row.mjs').Bench['newPage']} newPage
 * @param {(page: import('@playwright/test').Page) => Promise<number>} visit
 */
export async function inFreshProfile(newPage, visit) {
  const page = await newPage();
  const time = await visit(page);
  // A page's later work must not run beside the next measurement.
  await page.close();
  return time;
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @param {string} folder
 * @returns {Promise<number>} milliseconds
 */
export async function firstResult(page, url, folder) {
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Open folder' }).first().waitFor();
  await drop(page, folder);
  return runEcho(page);
}

/**
 * The same in the plain page.
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @param {readonly (readonly [string, string])[]} files
 * @returns {Promise<number>} milliseconds
 */
export async function firstResultPlain(page, url, files) {
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => 'plain' in globalThis);
  await page.evaluate(async ([all, text]) => {
    await globalThis.plain.ready;
    await globalThis.plain.ask({ op: 'load', root: '/tools', files: all });
    const result = await globalThis.plain.ask({ op: 'call', tool: 'echo:echo', arguments: text });
    document.body.append(result);
  }, /** @type {const} */ ([files, args]));
  return shownAt(page);
}
