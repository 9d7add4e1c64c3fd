/**
 * One more interpreter: the memory that the browser's processes take more, against one more plain worker.
 * Ours is measured with the page around it, which a second session would not have: an upper bound.
 */

import { openOurs, openPlain } from '../pages.mjs';
import { alternate } from '../measure.mjs';
import { browserMegabytes } from '../processes.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function memory({ newPage, sites }) {
  const first = await newPage();
  await openOurs(first, sites.ours);
  const { ours, floor } = await alternate(
    () => added(newPage, (page) => openOurs(page, sites.ours)),
    () => added(newPage, (page) => openPlain(page, sites.plain)),
  );
  return [{ name: 'memory', unit: 'MB', ours, floor, target: 1.5 }];
}

/**
 * @param {import('../row.mjs').Bench['newPage']} newPage
 * @param {(page: import('@playwright/test').Page) => Promise<void>} open
 */
async function added(newPage, open) {
  const before = await browserMegabytes();
  const page = await newPage();
  await open(page);
  await page.waitForTimeout(3_000);
  const after = await browserMegabytes();
  await page.context().close();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return after - before;
}
