/**
 * npm run bench:playgrounds: a page of another origin with ten playgrounds. Lighthouse audits it on a phone; fails below 95 for
 * performance or 100 for accessibility. Then the memory of the browser: without playgrounds, with ten, and with one that has run.
 */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { distFolder, projectFolder } from '../scripts/dist.mjs';
import { requireBuild } from '../scripts/run.mjs';
import { serveFolder } from '../scripts/static-server.mjs';
import { audit, launchForLighthouse } from './audit.mjs';
import { browserMegabytes } from './processes.mjs';

const least = { performance: 95, accessibility: 100 };
const port = 9323;
const settleMs = 8_000;

await requireBuild();

const source = await readFile(`${projectFolder}/tests/support/counting.py`, 'utf8');
const app = await serveFolder({ folder: distFolder });
const docs = createServer(({ url }, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(pageOf(url === '/ten' ? 10 : 0));
});
await new Promise((resolve) => {
  docs.listen(0, '127.0.0.1', () => {
    resolve(undefined);
  });
});
const address = docs.address();
if (address === null || typeof address === 'string') throw new Error('The server has no port.');
const site = `http://127.0.0.1:${address.port}`;

const browser = await launchForLighthouse(port);
let failed;
try {
  const { passed, audits } = await audit(`${site}/ten`, port, least);
  failed = !passed;
  for (const name of ['first-contentful-paint', 'cumulative-layout-shift', 'total-blocking-time'])
    console.log(`  ${name}: ${audits[name]?.displayValue ?? ''}`);

  const page = await browser.newPage();
  await page.goto(`${site}/none`);
  const without = await settled();
  await page.goto(`${site}/ten`);
  for (const tag of await page.locator('cloche-playground').all())
    await tag.scrollIntoViewIfNeeded();
  const shown = await settled();
  const frame = page.locator('cloche-playground iframe').first().contentFrame();
  await frame.getByRole('button', { name: 'Run' }).press('Enter');
  await frame.getByText('"to": 3').waitFor({ timeout: 120_000 });
  const ran = await settled();
  console.log(
    `Memory of the browser: ${without.toFixed()} MB without playgrounds, ` +
      `${(shown - without).toFixed()} MB more with ten, ${(ran - shown).toFixed()} MB more after one has run.`,
  );
} finally {
  await browser.close();
  await app.close();
  docs.close();
}
process.exit(failed ? 1 : 0);

async function settled() {
  await pause(settleMs);
  return browserMegabytes();
}

/** @param {number} count of playgrounds */
function pageOf(count) {
  const text = source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const tag = `<cloche-playground tool="count" arguments='{"to": 3}'><pre><code>${text}</code></pre></cloche-playground>`;
  const examples = Array.from(
    { length: count },
    (_, n) => `<h2>Example ${n + 1}</h2><p>What it does.</p>${tag}`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><meta name="description" content="Docs" /><title>Docs</title><link rel="icon" href="data:," /><script async src="${app.url}cloche-playground.js"></script><body><h1>Docs</h1>${examples.join('')}</body></html>`;
}
