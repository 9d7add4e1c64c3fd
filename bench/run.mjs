/** npm run bench: measures the built app against its floors, prints one table, writes bench/results.json. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from '../scripts/browser.mjs';
import { projectFolder } from '../scripts/dist.mjs';
import { run } from '../scripts/run.mjs';
import afterCancel from './rows/after-cancel.mjs';
import call from './rows/call.mjs';
import callOneMegabyte from './rows/call-1mb.mjs';
import cancelStorm from './rows/cancel-storm.mjs';
import firstVisit from './rows/first-visit.mjs';
import httpCall from './rows/http-call.mjs';
import list from './rows/list.mjs';
import memory from './rows/memory.mjs';
import parallel from './rows/parallel.mjs';
import rescan from './rows/rescan.mjs';
import nextVisit from './rows/next-visit.mjs';
import scan from './rows/scan.mjs';
import shell from './rows/shell.mjs';
import transcript from './rows/transcript.mjs';
import turn from './rows/turn.mjs';
import updates from './rows/updates.mjs';
import { openSites } from './sites.mjs';

/** @type {Map<string, import('./row.mjs').Row>} */
const rows = new Map([
  ['first-visit', firstVisit],
  ['after-cancel', afterCancel],
  ['cancel-storm', cancelStorm],
  ['next-visit', nextVisit],
  ['call', call],
  ['call-1mb', callOneMegabyte],
  ['http-call', httpCall],
  ['parallel', parallel],
  ['updates', updates],
  ['scan', scan],
  ['rescan', rescan],
  ['list', list],
  ['transcript', transcript],
  ['turn', turn],
  ['memory', memory],
  ['shell', shell],
]);

const names = process.argv.slice(2);
const unknown = names.filter((name) => !rows.has(name));
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}. Rows: ${[...rows.keys()].join(', ')}.`);
  process.exit(1);
}

const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
if (code !== 0) process.exit(1);
const executablePath = await ensureBrowser();
const sites = await openSites();
/** @type {(import('./row.mjs').Measured & {ratio: number, met: boolean})[]} */
const results = [];
try {
  for (const [name, row] of rows) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`Measuring ${name} …`);
    for (const measured of await measure(row)) {
      const ratio = measured.ours / measured.floor;
      results.push({ ...measured, ratio, met: ratio <= measured.target });
    }
  }
} finally {
  await sites.close();
}
await writeFile(join(projectFolder, 'bench/results.json'), `${JSON.stringify(results, null, 2)}\n`);
console.table(
  results.map(({ name, unit, ours, floor, ratio, target, met }) => ({
    name,
    ours: `${round(ours)} ${unit}`,
    floor: `${round(floor)} ${unit}`,
    ratio: round(ratio),
    target: `≤ ${target}`,
    met: met ? 'met' : 'NOT MET',
  })),
);

/** @param {import('./row.mjs').Row} row */
async function measure(row) {
  const browser = await chromium.launch(launchOptions(executablePath));
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
