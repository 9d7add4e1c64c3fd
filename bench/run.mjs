/**
 * npm run bench [-- ROW…] [-- --against FILE]: measures the built app against its floors, prints one table, and writes
 * bench/results.json. With `--against`, it compares the results with those in a file of the same machine.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from '../scripts/browser.mjs';
import { projectFolder } from '../scripts/dist.mjs';
import { requireBuild } from '../scripts/run.mjs';
import { compare } from './compare.mjs';
import afterCancel from './rows/after-cancel.mjs';
import bytes from './rows/bytes.mjs';
import call from './rows/call.mjs';
import callOneMegabyte from './rows/call-1mb.mjs';
import cancelStorm from './rows/cancel-storm.mjs';
import earlyCancel from './rows/early-cancel.mjs';
import firstVisit from './rows/first-visit.mjs';
import firstVisitFirefox from './rows/first-visit-firefox.mjs';
import firstVisitWebKit from './rows/first-visit-webkit.mjs';
import firstVisitSlow from './rows/first-visit-slow.mjs';
import form from './rows/form.mjs';
import httpCall from './rows/http-call.mjs';
import list from './rows/list.mjs';
import mcpCall from './rows/mcp-call.mjs';
import mcpList from './rows/mcp-list.mjs';
import memory from './rows/memory.mjs';
import memoryIdle from './rows/memory-idle.mjs';
import parallel from './rows/parallel.mjs';
import program from './rows/program.mjs';
import rescan from './rows/rescan.mjs';
import nextVisit from './rows/next-visit.mjs';
import nextVisitPackages from './rows/next-visit-packages.mjs';
import scan from './rows/scan.mjs';
import scanForeign from './rows/scan-foreign.mjs';
import shell from './rows/shell.mjs';
import task from './rows/task.mjs';
import transcript from './rows/transcript.mjs';
import turn from './rows/turn.mjs';
import updates from './rows/updates.mjs';
import { openSites } from './sites.mjs';

const resultsFile = join(projectFolder, 'bench/results.json');

/** @type {Map<string, import('./row.mjs').Row>} */
const rows = new Map([
  ['first-visit', firstVisit],
  ['first-visit-firefox', firstVisitFirefox],
  ['first-visit-webkit', firstVisitWebKit],
  ['first-visit-slow', firstVisitSlow],
  ['bytes', bytes],
  ['next-visit', nextVisit],
  ['next-visit-packages', nextVisitPackages],
  ['after-cancel', afterCancel],
  ['early-cancel', earlyCancel],
  ['cancel-storm', cancelStorm],
  ['call', call],
  ['call-1mb', callOneMegabyte],
  ['http-call', httpCall],
  ['mcp-call', mcpCall],
  ['mcp-list', mcpList],
  ['parallel', parallel],
  ['updates', updates],
  ['scan', scan],
  ['scan-foreign', scanForeign],
  ['rescan', rescan],
  ['list', list],
  ['form', form],
  ['transcript', transcript],
  ['turn', turn],
  ['task', task],
  ['program', program],
  ['memory', memory],
  ['memory-idle', memoryIdle],
  ['shell', shell],
]);

const given = process.argv.slice(2);
const option = given.indexOf('--against');
const [, against] = option === -1 ? [] : given.splice(option, 2);
if (option !== -1 && against === undefined) fail('Name a file after --against.');
/** @type {import('./row.mjs').Results | null} read first, because it may be the file that is replaced */
const before = against === undefined ? null : await readResults(against);
const unknown = given.filter((name) => !rows.has(name));
if (unknown.length > 0)
  fail(`There is no row ${unknown.join(', ')}. Rows: ${[...rows.keys()].join(', ')}.`);

await requireBuild();
const executablePath = await ensureBrowser();
const sites = await openSites();
/** @type {import('./row.mjs').Results} */
const results = { machine: thisMachine(), browser: '', date: new Date().toISOString(), rows: [] };
try {
  for (const [name, row] of rows) {
    if (given.length > 0 && !given.includes(name)) continue;
    console.log(`Measuring ${name} …`);
    for (const measured of await measure(row)) {
      const ratio = measured.ours / measured.floor;
      results.rows.push({ ...measured, ratio, met: ratio <= measured.target });
    }
    // After each row, so that an interrupted run is not lost.
    await writeFile(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  await sites.close();
}
console.table(
  results.rows.map(({ name, unit, ours, floor, ratio, spread, target, met }) => ({
    name,
    ours: `${round(ours)} ${unit}`,
    floor: `${round(floor)} ${unit}`,
    ratio: `${round(ratio)} ± ${percent(spread)}`,
    target: `≤ ${target}`,
    met: met ? 'met' : 'NOT MET',
  })),
);
if (before !== null) {
  if (JSON.stringify(before.machine) !== JSON.stringify(results.machine))
    console.log(`Attention: ${String(against)} was measured on another machine.`);
  console.table(
    compare(before.rows, results.rows).map((row) => ({
      name: row.name,
      before: row.before === null ? '' : round(row.before),
      after: row.after === null ? '' : round(row.after),
      change: row.change === null ? '' : percent(row.change),
      verdict: row.verdict ?? 'not compared',
    })),
  );
}

/** @param {import('./row.mjs').Row} row */
async function measure(row) {
  const browser = await chromium.launch(launchOptions(executablePath));
  results.browser = `Chromium ${browser.version()}`;
  try {
    return await row({
      newPage: async () => (await browser.newContext({ baseURL: sites.ours })).newPage(),
      sites,
    });
  } finally {
    await browser.close();
  }
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(3));
}

/** @param {number} part */
function percent(part) {
  return `${(part * 100).toFixed(1)} %`;
}

/**
 * @param {string} file
 * @returns {Promise<import('./row.mjs').Results>}
 */
async function readResults(file) {
  try {
    /** @type {unknown} */
    const found = JSON.parse(await readFile(file, 'utf8'));
    return /** @type {import('./row.mjs').Results} */ (found);
  } catch (error) {
    return fail(`${file} cannot be read: ${String(error)}`);
  }
}

function thisMachine() {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()}`,
  };
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
