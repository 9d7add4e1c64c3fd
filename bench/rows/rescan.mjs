/** One of 200 files edited on disk, until its tools are listed again, compared with our own scan of all files. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manyFiles, writeFolder } from '../folders.mjs';
import { quantile } from '../measure.mjs';
import { openFolder, openOurs, spareReady } from '../pages.mjs';

const pairs = 5;
const edits = 7;

/** @param {import('../row.mjs').Bench} bench */
export default async function rescan({ newPage, sites }) {
  const files = manyFiles();
  const folder = await writeFolder(`${sites.temporary}/rescan`, files);
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const floor = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const page = await newPage();
    await openOurs(page, sites.ours);
    floor.push(await openFolder(page, folder));
    // Users do not edit a file within a second of opening the folder: by then the spare is warm.
    await spareReady(page, 180_000);
    for (let edit = 0; edit < edits; edit += 1)
      ours.push(await edited(page, folder, files, pair * edits + edit));
    await page.close();
  }
  return [
    { name: 'rescan', unit: 'ms', ours: quantile(ours), floor: quantile(floor), target: 0.05 },
  ];
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} folder
 * @param {readonly (readonly [name: string, text: string])[]} files
 * @param {number} edit
 * @returns {Promise<number>} milliseconds from before the write to the new tools in the list
 */
async function edited(page, folder, files, edit) {
  const [name, text] = files[edit % files.length] ?? ['', ''];
  const words = `edited ${edit} times`;
  const listed = page.evaluate(
    ([tool, wanted]) =>
      new Promise((resolve) => {
        const { registry } = globalThis.cloche;
        const stop = registry.observe(() => {
          if (!registry.get(tool)?.description.includes(wanted)) return;
          stop();
          resolve(performance.timeOrigin + performance.now());
        });
      }),
    /** @type {const} */ ([`${name.slice(0, -3)}:compute_0`, words]),
  );
  // The page listens before the file changes.
  await page.evaluate(() => undefined);
  const from = Date.now();
  await writeFile(
    join(folder, name),
    text.replace('number 0 of its file', `number 0 of its file, ${words}`),
  );
  return Number(await listed) - from;
}
