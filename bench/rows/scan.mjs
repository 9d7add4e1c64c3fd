/** 200 files with 1,000 tools, from the drop to the list, compared with a plain page that reads and imports the same folder. */

import { drop } from '../drop.mjs';
import { manyFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { openFolder, openOurs, openPlain } from '../pages.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function scan({ newPage, sites }) {
  const folder = await writeFolder(`${sites.temporary}/scan`, manyFiles());
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
      const opening = page.evaluate(() => globalThis.plain.open());
      await page.evaluate(() => undefined);
      await drop(page, folder);
      const { tools, ms: time } = await opening;
      const listed = tools.split('"name"').length - 1;
      if (listed !== 1000) throw new Error(`${listed} tools were listed instead of 1,000.`);
      await page.close();
      return time;
    },
  );
  return [{ name: 'scan', unit: 'ms', ...measured, target: 2.2 }];
}
