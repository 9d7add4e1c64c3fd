/** What a first visit fetches until its first result, compressed as hosts do, compared with the plain page. */

import { distFolder } from '../../scripts/dist.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';
import { echoFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { firstResult, firstResultPlain } from './first-visit.mjs';

/** The bytes hardly vary. */
const pairs = 3;

/** @param {import('../row.mjs').Bench} bench */
export default async function bytes({ newPage, sites }) {
  const files = echoFiles();
  const folder = await writeFolder(`${sites.temporary}/bytes`, files);
  const ours = await serveFolder({ folder: distFolder, compressWasm: true });
  const plain = await serveFolder({ folder: sites.plainFolder, compressWasm: true });
  try {
    const measured = await alternate(
      () => fetched(newPage, ours.url, (page) => firstResult(page, ours.url, folder)),
      () => fetched(newPage, plain.url, (page) => firstResultPlain(page, plain.url, files)),
      pairs,
    );
    return [{ name: 'bytes', unit: 'MB', ...measured, target: 1 }];
  } finally {
    await Promise.all([ours.close(), plain.close()]);
  }
}

/**
 * Megabytes of all responses that have begun by the time of the first result.
 * @param {import('../row.mjs').Bench['newPage']} newPage
 * @param {string} url
 * @param {(page: import('@playwright/test').Page) => Promise<unknown>} visit
 */
async function fetched(newPage, url, visit) {
  const page = await newPage();
  let sum = 0;
  page.context().on('response', (response) => {
    // What the service worker answers, it has fetched itself, which counts.
    if (response.url().startsWith(url) && !response.fromServiceWorker())
      sum += Number(response.headers()['content-length'] ?? 0);
  });
  await visit(page);
  const megabytes = sum / 1e6;
  // Chromium crashes if a context is closed just after its page has begun to observe a folder.
  await page.close();
  return megabytes;
}
