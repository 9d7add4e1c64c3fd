/** 10,000 tools: the list is shown, scrolled and filtered by typing; the longest block of the page's main thread. */

import { manyFiles, writeFolder } from '../folders.mjs';
import { openFolder, openOurs } from '../pages.mjs';
import { longestBlock } from '../longest-block.mjs';
import { medians } from '../measure.mjs';

const rounds = 7;

/** @param {import('../row.mjs').Bench} bench */
export default async function list({ newPage, sites }) {
  const folder = await writeFolder(`${sites.temporary}/list`, manyFiles(200, 50));
  const page = await newPage();
  await openOurs(page, sites.ours);
  await openFolder(page, folder);
  const tools = await page.evaluate(() => globalThis.cloche.registry.list().length);
  if (tools !== 10_000) throw new Error(`${tools} tools were listed instead of 10,000.`);
  const search = page.getByRole('searchbox', { name: 'Search tools' });
  /** @type {number[]} */
  const blocks = [];
  for (let round = 0; round < rounds; round += 1) {
    blocks.push(
      await longestBlock(page, async () => {
        await search.pressSequentially('compute_4', { delay: 30 });
        await search.fill('');
        await page.locator('[data-row]').first().hover();
        for (let turn = 0; turn < 10; turn += 1) await page.mouse.wheel(0, 4_000);
        await page.waitForTimeout(200);
      }),
    );
  }
  return [{ name: 'list', unit: 'ms', ...medians(blocks, 50), target: 0.4 }];
}
