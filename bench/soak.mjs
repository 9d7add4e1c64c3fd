/**
 * npm run soak [-- --minutes N --seed N]: ten sessions call tools at once, with cancels, timeouts and crashes at random.
 * Beside them, a model works in sessions, programs and plans of another page, a page of another site runs playgrounds, and a
 * file of the folder is edited. Every call must end once, with the right result; memory must return to its level, and storage
 * must level off. Prints a summary and a line that counts passed and failed; fails if something is wrong.
 */

import { cp, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startChromium } from '../scripts/browser.mjs';
import { requireBuild } from '../scripts/run.mjs';
import { openFolder, openOurs } from './pages.mjs';
import { browserMegabytes } from './processes.mjs';
import { openSites } from './sites.mjs';
import { soakInPage } from './soak/in-page.mjs';
import {
  editedFile,
  patience,
  startEdits,
  startModelWork,
  startPlaygroundWork,
} from './soak/others.mjs';

const sessions = 10;
/** How long the sessions work before the level of memory is measured: each loses its interpreter in that time. */
const warmUpMs = 10_000;
/** How much memory may differ at the end: a share of the level, and megabytes. */
const tolerance = { part: 0.2, megabytes: 100 };
/**
 * Share of the cancelled calls after which Python state may be lost, and reported as lost, because the handler ended too
 * late: the sessions keep more interpreters busy than there are cores, and a handler has a second to end.
 */
const maxLossShare = 0.2;

/**
 * How many calls a soak of a minute or more must make; alone on two cores, a soak of a minute makes 1,200 to 1,700. On a busy
 * machine, the sessions go on until they have made that many, but not longer than `maxSpans` times the time asked for.
 */
const minCalls = 500;
const maxSpans = 3;

/** How much the storage of a page may grow after the first quarter, in which it stores the build and its first records; megabytes. */
const storageTolerance = 30;
/** Pause between two rounds of what goes on beside the sessions. */
const pauseMs = 2_000;
/** How often memory and storage are read; milliseconds. */
const readMs = 120_000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('Say npm run soak -- --minutes N --seed N, both as numbers.');
  process.exit(1);
}

await requireBuild();
const browser = await startChromium();
const sites = await openSites();
try {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  const folder = `${sites.temporary}/soak`;
  await cp(new URL('soak/soak.py', import.meta.url), `${folder}/soak.py`);
  await writeFile(`${folder}/edited.py`, editedFile(0));
  const folderOfModel = `${sites.temporary}/model/soak`;
  await cp(new URL('soak/soak.py', import.meta.url), `${folderOfModel}/soak.py`);
  await openOurs(page, sites.ours);
  await openFolder(page, folder);
  // Pages in windows of their own are drawn all the time, as if each were in view.
  const models = await browser.newContext({ baseURL: sites.ours });
  const playgrounds = await browser.newContext();
  for (const one of [models, playgrounds]) one.setDefaultTimeout(patience);
  const others = [
    await startModelWork(await models.newPage(), { url: sites.ours, folder: folderOfModel }),
    await startPlaygroundWork(await playgrounds.newPage(), sites.ours),
    startEdits(page, folder),
  ];
  console.log(
    `Seed ${String(seed)}. ${String(sessions)} sessions at work for ${String(minutes)} min …`,
  );
  const warm = await page.evaluate(soakInPage, { sessions, ms: warmUpMs, seed, killsFirst: true });
  /** @type {string[]} */
  const wrong = [];
  const rounds = await everyRound(
    others,
    () => [0, 1, 2],
    () => false,
    wrong,
  );
  const before = await level(page);
  const enough = Math.round(minCalls * Math.min(minutes, 1));
  const reports = [warm];
  const callsMade = () => reports.reduce((sum, { calls }) => sum + calls, 0);
  const work = async () => {
    for (let span = 1; span <= maxSpans && (span === 1 || callsMade() < enough); span += 1)
      reports.push(
        await page.evaluate(soakInPage, {
          sessions,
          seed: seed + span,
          killsFirst: false,
          ms: Math.max(minutes * 60_000 - warmUpMs, warmUpMs),
        }),
      );
  };
  let isOver = false;
  const readings = readAll(page, () => isOver);
  const [, more] = await Promise.all([
    work().finally(() => (isOver = true)),
    everyRound(
      others,
      () => counting(3),
      () => isOver,
      wrong,
    ),
  ]);
  for (const { name, end } of others)
    await end().catch((/** @type {unknown} */ thrown) => wrong.push(`${name}: ${String(thrown)}`));
  const after = await level(page);
  wrong.push(...reports.flatMap((report) => report.wrong));
  const max = before * (1 + tolerance.part) + tolerance.megabytes;
  if (after > max)
    wrong.push(
      `memory went from ${megabytes(before)} to ${megabytes(after)}, more than ${megabytes(max)}`,
    );
  const stored = await readings;
  const settled = stored[Math.ceil(stored.length / 4)];
  const last = stored.at(-1);
  if (settled !== undefined && last !== undefined && last - settled > storageTolerance)
    wrong.push(`storage went from ${megabytes(settled)} to ${megabytes(last)}`);
  const losses = reports.reduce((sum, report) => sum + report.losses, 0);
  /** @type {Record<string, number>} */
  const endings = {};
  for (const [name, count] of reports.flatMap((report) => Object.entries(report.endings)))
    endings[name] = (endings[name] ?? 0) + count;
  if (losses > Math.max(1, (endings.cancelled ?? 0) * maxLossShare))
    wrong.push(`Python state was lost ${String(losses)} times after a cancel alone`);
  const calls = callsMade();
  if (calls < enough)
    wrong.push(
      `${String(calls)} calls were made, fewer than ${String(enough)}: this machine is too busy for a soak`,
    );
  console.table({ calls, ...endings });
  for (const { name } of others)
    console.log(`Rounds of ${name}: ${String((rounds[name] ?? 0) + (more[name] ?? 0))}.`);
  console.log(
    `Longest call: ${String(Math.round(Math.max(...reports.map(({ longestMs }) => longestMs))))} ms.`,
  );
  console.log(`State lost after a cancel alone: ${String(losses)} times.`);
  console.log(`Memory: ${megabytes(before)} before, ${megabytes(after)} after.`);
  console.log(`Storage: ${stored.map((one) => megabytes(one)).join(', ')}.`);
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

/**
 * Repeats each work until it is over. A round that fails is reported, and ends its work.
 * @param {readonly import('./soak/others.mjs').Work[]} works
 * @param {() => Iterable<number>} numbers those of the rounds
 * @param {() => boolean} isOver
 * @param {string[]} wrong what was not as it must be
 * @returns {Promise<Record<string, number>>} rounds by name
 */
async function everyRound(works, numbers, isOver, wrong) {
  /** @type {Record<string, number>} */
  const rounds = {};
  await Promise.all(
    works.map(async ({ name, round }) => {
      for (const n of numbers()) {
        if (isOver()) return;
        try {
          await round(n);
          rounds[name] = (rounds[name] ?? 0) + 1;
        } catch (thrown) {
          wrong.push(`${name}, round ${String(n)}: ${String(thrown)}`);
          return;
        }
        await new Promise((wake) => setTimeout(wake, pauseMs));
      }
    }),
  );
  return rounds;
}

/** @param {number} from */
function* counting(from) {
  for (let n = from; ; n += 1) yield n;
}

/**
 * Reads memory and storage now and then, and prints them.
 * @param {import('@playwright/test').Page} page
 * @param {() => boolean} isOver
 * @returns {Promise<number[]>} megabytes of storage
 */
async function readAll(page, isOver) {
  const from = performance.now();
  const read = [];
  while (!isOver()) {
    const { usage = 0 } = await page.evaluate(() => navigator.storage.estimate());
    read.push(usage / 1e6);
    const passed = Math.round((performance.now() - from) / 60_000);
    const memory = await browserMegabytes();
    console.log(
      `After ${String(passed)} min: ${megabytes(memory)} of memory, ${megabytes(usage / 1e6)} stored.`,
    );
    for (let waited = 0; waited < readMs && !isOver(); waited += 1_000)
      await new Promise((wake) => setTimeout(wake, 1_000));
  }
  return read;
}

/** @param {number} value */
function megabytes(value) {
  return `${String(Math.round(value))} MB`;
}
