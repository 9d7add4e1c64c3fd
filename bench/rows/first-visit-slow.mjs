/** The first visit over a slow connection, 20 Mbit/s and 40 ms, from servers that compress as hosts do. */

import { echoFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { distFolder } from '../../scripts/dist.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';
import { openSlowLine } from '../slow-line.mjs';
import { firstResult, firstResultPlain, inFreshProfile } from './first-visit.mjs';

const line = { megabits: 20, roundTripMs: 40 };

/** @param {import('../row.mjs').Bench} bench */
export default async function firstVisitSlow({ newPage, sites }) {
  const files = echoFiles();
  const folder = await writeFolder(`${sites.temporary}/first-visit-slow`, files);
  const ours = await slowSite(distFolder);
  const plain = await slowSite(sites.plainFolder);
  const visitOurs = () => inFreshProfile(newPage, (page) => firstResult(page, ours.url, folder));
  const visitPlain = () =>
    inFreshProfile(newPage, (page) => firstResultPlain(page, plain.url, files));
  try {
    // The servers compress at the first visit, and keep what they have compressed.
    await visitOurs();
    await visitPlain();
    const measured = await alternate(visitOurs, visitPlain);
    return [{ name: 'first-visit-slow', unit: 'ms', ...measured, target: 0.7 }];
  } finally {
    await Promise.all([ours.close(), plain.close()]);
  }
}

/** @param {string} folder */
async function slowSite(folder) {
  const server = await serveFolder({ folder, compressWasm: true });
  const slow = await openSlowLine(server.url, line);
  return {
    url: slow.url,
    close: async () => {
      await slow.close();
      await server.close();
    },
  };
}
