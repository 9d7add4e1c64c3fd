/** 1,000,000 updates from one call: the longest block of the page's main thread. */

import { pourFiles, pourTool, writeFolder } from '../folders.mjs';
import { longestBlock } from '../longest-block.mjs';
import { medians } from '../measure.mjs';
import { callOurs, openFolder, openOurs } from '../pages.mjs';

const rounds = 7;
const args = JSON.stringify({ count: 1_000_000 });

/** @param {import('../row.mjs').Bench} bench */
export default async function updates({ newPage, sites }) {
  const page = await newPage();
  await openOurs(page, sites.ours);
  await openFolder(page, await writeFolder(`${sites.temporary}/updates`, pourFiles()));
  // The page shows the call while it runs, as it does for a user.
  await page.goto(`${sites.ours}#/tools/${pourTool}`);
  /** @type {number[]} */
  const blocks = [];
  for (let round = 0; round < rounds; round += 1)
    blocks.push(
      await longestBlock(page, async () => {
        await callOurs(page, { tool: pourTool, args, count: 1 });
      }),
    );
  return [{ name: 'updates', unit: 'ms', ...medians(blocks, 50), target: 0.3 }];
}
