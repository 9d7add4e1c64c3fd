/** 200 files with 1,000 tools, from the drop to the list, compared with plain Pyodide importing the same files. */

import { manyFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { openFolder, openOurs, openPlain } from '../pages.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function scan({ newPage, sites }) {
  const files = manyFiles();
  const folder = await writeFolder(`${sites.temporary}/scan`, files);
  const measured = await alternate(
    async () => {
      const page = await newPage();
      await openOurs(page, sites.ours);
      const time = await openFolder(page, folder);
      const tools = await page.evaluate(() => globalThis.cloche.registry.list().length);
      if (tools !== 1000) throw new Error(`${tools} tools were listed instead of 1,000.`);
      await page.close();
      return time;
    },
    async () => {
      const page = await newPage();
      await openPlain(page, sites.plain);
      const time = await page.evaluate(async (all) => {
        const from = performance.now();
        const listed = await globalThis.plain.ask({ op: 'load', root: '/tools', files: all });
        const tools = listed.split('"name"').length - 1;
        if (tools !== 1000) throw new Error(`${tools} tools were listed instead of 1,000.`);
        return performance.now() - from;
      }, files);
      await page.close();
      return time;
    },
  );
  return [{ name: 'scan', unit: 'ms', ...measured, target: 1.5 }];
}
