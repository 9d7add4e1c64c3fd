/** A later visit in the same profile: from the navigation to the first tool's result, compared with the plain page with a warm cache. */

import { echoFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { allStored } from '../pages.mjs';
import { runEcho } from '../user.mjs';
import { firstResultPlain } from './first-visit.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function nextVisit({ newPage, sites }) {
  const files = echoFiles();
  const ours = await newPage();
  const plain = await newPage();
  await firstVisit(ours, sites.ours, await writeFolder(`${sites.temporary}/next-visit`, files));
  await nextResult(ours, sites.ours);
  await firstResultPlain(plain, sites.plain, files);
  const measured = await alternate(
    () => nextResult(ours, sites.ours),
    () => firstResultPlain(plain, sites.plain, files),
  );
  return [{ name: 'next-visit', unit: 'ms', ...measured, target: 0.25 }];
}

/**
 * Uploads a folder, and waits until everything is stored for the next visit.
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @param {string} folder
 */
export async function firstVisit(page, url, folder) {
  await page.goto(url);
  await page.locator('input[webkitdirectory]').first().setInputFiles(folder);
  await runEcho(page);
  await allStored(page);
}

/**
 * The copy of the folder that was uploaded last time opens by itself.
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 */
export async function nextResult(page, url) {
  // Another visit, not another place in the same page.
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  return runEcho(page);
}
