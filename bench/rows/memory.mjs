/**
 * One more interpreter: the memory that the browser's processes take more, against one more plain worker.
 * Ours is measured with the page around it, which a second session would not have: an upper bound.
 */

import { readdir, readFile } from 'node:fs/promises';
import { openOurs, openPlain } from '../pages.mjs';
import { alternate } from '../measure.mjs';

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

/** Proportional set size of all processes below this one: shared pages count once. Linux only. */
async function browserMegabytes() {
  let kilobytes = 0;
  for (const id of await descendants(process.pid)) {
    const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  if (kilobytes === 0) throw new Error('This system does not tell the memory of processes.');
  return kilobytes / 1024;
}

/** @param {number} ancestor */
async function descendants(ancestor) {
  /** @type {Map<number, number>} */
  const parents = new Map();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const parent = /\) \S (\d+)/.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(entry), Number(parent));
  }
  return [...parents.keys()].filter((id) => {
    let at = parents.get(id);
    while (at !== undefined && at !== ancestor) at = parents.get(at);
    return at === ancestor;
  });
}
