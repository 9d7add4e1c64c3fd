/** One of 200 files edited on disk, until its tools are listed again, compared with a plain page that watches the same folder. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drop } from '../drop.mjs';
import { manyFiles, writeFolder } from '../folders.mjs';
import { medians } from '../measure.mjs';
import { openFolder, openOurs, openPlain, spareReady } from '../pages.mjs';

/** @typedef {import('@playwright/test').Page} Page */

const edits = 25;

/** @param {import('../row.mjs').Bench} bench */
export default async function rescan({ newPage, sites }) {
  const files = manyFiles();
  const folder = await writeFolder(`${sites.temporary}/rescan`, files);
  const plainFolder = await writeFolder(`${sites.temporary}/rescan-plain`, files);
  const ours = await newPage();
  const plain = await newPage();
  await openPlain(plain, sites.plain, files);
  const watching = plain.evaluate(() => globalThis.plain.watch());
  await plain.evaluate(() => undefined);
  await drop(plain, plainFolder);
  await watching;
  await openOurs(ours, sites.ours);
  await openFolder(ours, folder);
  // Users do not edit a file within a second of opening the folder: by then the spare is warm.
  await spareReady(ours, 180_000);
  /** @type {{ours: number[], plain: number[]}} */
  const times = { ours: [], plain: [] };
  for (let edit = 0; edit < edits; edit += 1) {
    await ours.bringToFront();
    times.ours.push(await edited(() => listedOurs(ours, files, edit), folder, files, edit));
    await plain.bringToFront();
    times.plain.push(await edited(() => listedPlain(plain, edit), plainFolder, files, edit));
  }
  return [{ name: 'rescan', unit: 'ms', ...medians(times.ours, times.plain), target: 2.5 }];
}

/**
 * @param {() => Promise<unknown>} listed when the page has the new tools, by the clock
 * @param {string} folder
 * @param {readonly (readonly [name: string, text: string])[]} files
 * @param {number} edit
 * @returns {Promise<number>} milliseconds from before the write to the new tools in the list
 */
async function edited(listed, folder, files, edit) {
  const [name, text] = files[edit % files.length] ?? ['', ''];
  const seen = listed();
  // Until the page listens, and the last change has been dealt with.
  await new Promise((wake) => setTimeout(wake, 500));
  const from = performance.timeOrigin + performance.now();
  await writeFile(
    join(folder, name),
    text.replace('number 0 of its file', `number 0 of its file, ${words(edit)}`),
  );
  return Number(await seen) - from;
}

/** @param {number} edit */
function words(edit) {
  return `edited ${edit} times`;
}

/**
 * @param {Page} page
 * @param {readonly (readonly [name: string, text: string])[]} files
 * @param {number} edit
 */
function listedOurs(page, files, edit) {
  const [name] = files[edit % files.length] ?? [''];
  return page.evaluate(
    ([tool, wanted]) =>
      new Promise((resolve) => {
        const { registry } = globalThis.cloche;
        const stop = registry.observe(() => {
          if (!registry.get(tool)?.description.includes(wanted)) return;
          stop();
          resolve(performance.timeOrigin + performance.now());
        });
      }),
    /** @type {const} */ ([`${name.slice(0, -3)}:compute_0`, words(edit)]),
  );
}

/**
 * @param {Page} page
 * @param {number} edit
 */
function listedPlain(page, edit) {
  return page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        globalThis.plain.listed = (tools) => {
          if (tools.includes(wanted)) resolve(performance.timeOrigin + performance.now());
        };
      }),
    words(edit),
  );
}
