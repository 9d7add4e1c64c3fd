/**
 * npm run soak [minutes] [seed]: ten sessions at work at once, with cancels, timeouts and crashes at random. Every call
 * must end once, with the right result, and memory must return to its level after the first seconds. Prints a summary
 * and a line that counts passed and failed; fails if something is wrong.
 */

import { fileURLToPath } from 'node:url';
import { startChromium } from '../scripts/browser.mjs';
import { run } from '../scripts/run.mjs';
import { openFolder, openOurs } from './pages.mjs';
import { browserMegabytes } from './processes.mjs';
import { openSites } from './sites.mjs';
import { soakInPage } from './soak/in-page.mjs';

const sessions = 10;
/** How long the sessions work before the level of memory is measured: each loses its interpreter in that time. */
const warmUpMs = 10_000;
/** How much memory may differ at the end: a share of the level, and megabytes. */
const tolerance = { part: 0.2, megabytes: 100 };
/** How many of a hundred calls may find Python state lost, and reported as lost, because a cancelled handler ended too late. */
const lossesPerHundred = 0.2;

const minutes = Number(process.argv[2] ?? 10);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 1e9));
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('Say npm run soak [minutes] [seed], both as numbers.');
  process.exit(1);
}

const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
if (code !== 0) process.exit(1);
const browser = await startChromium();
const sites = await openSites();
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  await openOurs(page, sites.ours);
  await openFolder(page, fileURLToPath(new URL('soak', import.meta.url)));
  console.log(
    `Seed ${String(seed)}. ${String(sessions)} sessions at work for ${String(minutes)} min …`,
  );
  const warm = await page.evaluate(soakInPage, { sessions, ms: warmUpMs, seed, killsFirst: true });
  const before = await level(page);
  const report = await page.evaluate(soakInPage, {
    sessions,
    seed: seed + 1,
    killsFirst: false,
    ms: Math.max(minutes * 60_000 - warmUpMs, warmUpMs),
  });
  const after = await level(page);
  const wrong = [...warm.wrong, ...report.wrong];
  const max = before * (1 + tolerance.part) + tolerance.megabytes;
  if (after > max)
    wrong.push(
      `memory went from ${megabytes(before)} to ${megabytes(after)}, more than ${megabytes(max)}`,
    );
  const losses = warm.losses + report.losses;
  if (losses > Math.max(1, ((warm.calls + report.calls) * lossesPerHundred) / 100))
    wrong.push(`Python state was lost ${String(losses)} times after a cancel alone`);
  const endings = { ...warm.endings };
  for (const [name, count] of Object.entries(report.endings))
    endings[name] = (endings[name] ?? 0) + count;
  const calls = warm.calls + report.calls;
  console.table({ calls, ...endings });
  console.log(
    `Longest call: ${String(Math.round(Math.max(warm.longestMs, report.longestMs)))} ms.`,
  );
  console.log(`State lost after a cancel alone: ${String(losses)} times.`);
  console.log(`Memory: ${megabytes(before)} before, ${megabytes(after)} after.`);
  for (const line of wrong.slice(0, 50)) console.error(`✗ ${line}`);
  console.log(
    wrong.length === 0
      ? '✓ Every call ended once, as it had to.'
      : `✗ ${String(wrong.length)} faults.`,
  );
  console.log(wrong.length === 0 ? 'soak: 1 passed, 0 failed' : 'soak: 0 passed, 1 failed');
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await browser.close();
  await sites.close();
}

/**
 * Memory of the idle browser after garbage collection, once it changes no more: interpreters that were ended take a
 * moment to go.
 * @param {import('@playwright/test').Page} page
 */
async function level(page) {
  const client = await page.context().newCDPSession(page);
  let last = Infinity;
  for (let n = 0; n < 10; n += 1) {
    await client.send('HeapProfiler.collectGarbage');
    await page.waitForTimeout(1_000);
    const now = await browserMegabytes();
    const isSettled = now > last * 0.98;
    last = now;
    if (isSettled) break;
  }
  await client.detach();
  return last;
}

/** @param {number} value */
function megabytes(value) {
  return `${String(Math.round(value))} MB`;
}
