/** A later visit in the same profile: from the navigation to the first tool's result, compared with the plain page with a warm cache. */

import { echoFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { allStored } from '../pages.mjs';
import { runEcho } from '../person.mjs';
import { firstResultPlain } from './first-visit.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function nextVisit({ newPage, sites }) {
  const files = echoFiles();
  const folder = await writeFolder(`${sites.temporary}/next-visit`, files);
  const ours = await newPage();
  const plain = await newPage();
  await ours.goto(sites.ours);
  await ours.locator('input[webkitdirectory]').first().setInputFiles(folder);
  await runEcho(ours);
  await allStored(ours);
  await nextResult(ours, sites.ours);
  await firstResultPlain(plain, sites.plain, files);
  const measured = await alternate(
    () => nextResult(ours, sites.ours),
    () => firstResultPlain(plain, sites.plain, files),
  );
  return [{ name: 'next-visit', unit: 'ms', ...measured, target: 0.3 }];
}

/**
 * The copy of the folder that was uploaded last time opens by itself.
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 */
async function nextResult(page, url) {
  // Another visit, not another place in the same page.
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  return runEcho(page);
}
