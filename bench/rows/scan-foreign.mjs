/** 100 files of other frameworks, from the drop to the list, compared with the same tools as TOOL_SPECS files. */

import { foreignFiles, manyFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { openFolder, openOurs } from '../pages.mjs';

const files = 100;
const tools = 5;

/** @param {import('../row.mjs').Bench} bench */
export default async function scanForeign({ newPage, sites }) {
  const foreign = await writeFolder(`${sites.temporary}/foreign`, foreignFiles(files, tools));
  const specs = await writeFolder(`${sites.temporary}/same-specs`, manyFiles(files, tools));
  /** @param {string} folder */
  const opened = async (folder) => {
    const page = await newPage();
    await openOurs(page, sites.ours);
    const time = await openFolder(page, folder);
    const listed = await page.evaluate(() => globalThis.cloche.registry.list().length);
    if (listed !== files * tools) throw new Error(`${listed} tools of ${folder} were listed.`);
    await page.close();
    return time;
  };
  const measured = await alternate(
    () => opened(foreign),
    () => opened(specs),
  );
  return [{ name: 'scan-foreign', unit: 'ms', ...measured, target: 1.5 }];
}
