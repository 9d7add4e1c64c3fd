/** One more interpreter in an open page, for one more session: the additional memory of the browser's processes. */

import { echoFiles, echoTool, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { callOurs, openFolder, openOurs, openPlain, spareReady } from '../pages.mjs';
import { browserMegabytes } from '../processes.mjs';

const args = '{"text": "hello"}';

/** @param {import('../row.mjs').Bench} bench */
export default async function memory({ newPage, sites }) {
  const ours = await newPage();
  await openOurs(ours, sites.ours);
  await openFolder(ours, await writeFolder(`${sites.temporary}/memory`, echoFiles()));
  await spareReady(ours, 120_000);
  const plain = await newPage();
  await openPlain(plain, sites.plain);
  await settle();
  let sessions = 0;
  // A session takes the spare, and another spare is made.
  const measured = await alternate(
    () =>
      added(async () => {
        sessions += 1;
        await callOurs(ours, { tool: echoTool, args, count: 1, sessionId: `memory-${sessions}` });
        await ours.waitForTimeout(200);
        await spareReady(ours, 120_000);
      }),
    () => added(() => plain.evaluate(() => globalThis.plain.another())),
  );
  return [{ name: 'memory', unit: 'MB', ...measured, target: 1.15 }];
}

/** @param {() => Promise<unknown>} work starts right after the previous one has settled */
async function added(work) {
  const before = await browserMegabytes();
  await work();
  await settle();
  return (await browserMegabytes()) - before;
}

/**
 * Waits until memory that is needed only during a start is freed. Chromium collects the garbage of a worker that has been idle
 * for 8 s, and takes another 2 s for it.
 */
async function settle() {
  await new Promise((resolve) => setTimeout(resolve, 12_000));
}
