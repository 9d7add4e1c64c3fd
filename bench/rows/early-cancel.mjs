/** Stop pressed right after the first result of a first visit → result of the next call; the plain page loads Python again. */

import { echoFiles, echoTool, spinFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { callOurs, openFolder, openOurs, openPlain } from '../pages.mjs';
import { stopOurs, stopPlain } from '../stopping.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function earlyCancel({ newPage, sites }) {
  const files = [...echoFiles(), ...spinFiles()];
  const folder = await writeFolder(`${sites.temporary}/early-cancel`, files);
  const measured = await alternate(
    async () => {
      const page = await newPage();
      await openOurs(page, sites.ours);
      await openFolder(page, folder);
      await callOurs(page, { tool: echoTool, args: '{"text": "first"}', count: 1 });
      const [took = NaN] = await stopOurs(page, 1);
      await page.close();
      return took;
    },
    async () => {
      const page = await newPage();
      await openPlain(page, sites.plain, files);
      const took = await stopPlain(page, files);
      await page.close();
      return took;
    },
  );
  return [{ name: 'early-cancel', unit: 'ms', ...measured, target: 0.25 }];
}
