/**
 * npm run bench:peers [-- --rounds N]: the same steps in Cloche, a plain Pyodide page and PyScript, side by side, each in new profiles.
 * PyScript is installed into a temporary folder; it is no dependency of the project. The figures are added to
 * bench/results.json.
 */

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from '../scripts/browser.mjs';
import { projectFolder } from '../scripts/dist.mjs';
import { requireBuild, run } from '../scripts/run.mjs';
import { serveFolder } from '../scripts/static-server.mjs';
import { echoFiles, spinFiles, writeFolder } from './folders.mjs';
import { quantile } from './measure.mjs';
import { watchPages } from './page-watch.mjs';
import { allStored, spareReady } from './pages.mjs';
import { runEcho, shownAt } from './user.mjs';
import { browserMegabytes } from './processes.mjs';
import { firstResultPlain } from './rows/first-visit.mjs';
import { openSites, pyodideFiles } from './sites.mjs';
import { stopOurs, stopPlain } from './stopping.mjs';

/** @typedef {import('@playwright/test').Page} Page */

const pyscriptVersion = '0.7.31';
const { rounds } = readOptions();
/** @type {[name: string, text: string][]} */
const files = [...echoFiles(), ...spinFiles()];

/**
 * @typedef {object} Peer
 * @property {string} name
 * @property {string} url
 * @property {(page: Page, which?: 'first') => Promise<number>} visit milliseconds to the first result that is shown
 * @property {(page: Page) => Promise<void>} settle until nothing is left to be stored for later visits
 * @property {((page: Page) => Promise<number>) | null} stop milliseconds from a stop to the next result
 */

await requireBuild();
const executablePath = await ensureBrowser();
const sites = await openSites();
const pyscript = await openPyScript(join(sites.temporary, 'pyscript'));
try {
  const folder = await writeFolder(join(sites.temporary, 'peers'), files);
  const peers = await listPeers(folder);
  /** @type {Record<string, Record<string, number[]>>} */
  const times = Object.fromEntries(peers.map(({ name }) => [name, {}]));
  for (let round = 0; round < rounds; round += 1) {
    console.log(`Round ${round + 1} of ${rounds} …`);
    for (const peer of peers)
      for (const [figure, value] of Object.entries(await measure(peer)))
        ((times[peer.name] ??= {})[figure] ??= []).push(value);
  }
  const found = Object.fromEntries(
    peers.map(({ name }) => [
      name,
      Object.fromEntries(
        Object.entries(times[name] ?? {}).map(([figure, all]) => [figure, quantile(all)]),
      ),
    ]),
  );
  console.table(found);
  const file = join(projectFolder, 'bench/results.json');
  /** @type {unknown} */
  const results = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const peersResult = { rounds, pyscript: pyscriptVersion, found };
  await writeFile(
    file,
    `${JSON.stringify({ .../** @type {object} */ (results), peers: peersResult }, null, 2)}\n`,
  );
} finally {
  await Promise.all([sites.close(), pyscript.close()]);
}

/**
 * One profile from the first visit to a restart of the browser.
 * @param {Peer} peer
 * @returns {Promise<Record<string, number>>}
 */
async function measure({ name, url, visit, settle, stop }) {
  const profile = await mkdtemp(join(sites.temporary, 'profile-'));
  let browser = await chromium.launchPersistentContext(profile, launchOptions(executablePath));
  try {
    let inTime = watchPages(browser);
    const page = await browser.newPage();
    const received = await countBytes(browser);
    await page.goto('about:blank');
    const empty = await browserMegabytes();
    const first = await inTime(page, `${name}, first visit`, visit(page, 'first'));
    const megabytes = received() / 1e6;
    await inTime(page, `${name}, until all is stored`, settle(page));
    await page.waitForTimeout(3000);
    const memory = (await browserMegabytes()) - empty;
    const stopped = stop === null ? {} : { stop: await inTime(page, `${name}, stop`, stop(page)) };
    await page.goto('about:blank');
    const second = await inTime(page, `${name}, second visit`, visit(page));
    await page.waitForTimeout(1000);
    await browser.close();
    browser = await chromium.launchPersistentContext(profile, launchOptions(executablePath));
    inTime = watchPages(browser);
    const again = await browser.newPage();
    const restarted = await inTime(again, `${name}, visit after a restart`, visit(again));
    return { first, second, restarted, ...stopped, megabytes, memory };
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }

  /** @param {import('@playwright/test').BrowserContext} context */
  function countBytes(context) {
    let bytes = 0;
    const { origin } = new URL(url);
    context.on('response', (response) => {
      // What the service worker answers, it has fetched itself, which counts.
      if (response.url().startsWith(origin) && !response.fromServiceWorker())
        bytes += Number(response.headers()['content-length'] ?? 0);
    });
    return Promise.resolve(() => bytes);
  }
}

/** @returns {{rounds: number}} 7 rounds unless told otherwise */
function readOptions() {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
  const count = Number(values.rounds);
  if (Number.isInteger(count) && count > 0) return { rounds: count };
  console.error('--rounds takes a whole number from 1.');
  process.exit(1);
}

/**
 * @param {string} folder
 * @returns {Promise<Peer[]>}
 */
function listPeers(folder) {
  const soon = () => Promise.resolve();
  return Promise.resolve([
    {
      name: 'Cloche',
      url: sites.ours,
      visit: async (page, which) => {
        await page.goto(sites.ours, { waitUntil: 'commit' });
        // An upload is stored, so that the folder is there after a restart: a dropped one would ask for permission.
        if (which === 'first')
          await page.locator('input[webkitdirectory]').first().setInputFiles(folder);
        return runEcho(page);
      },
      settle: async (page) => {
        await allStored(page);
        await spareReady(page, 180_000);
      },
      stop: async (page) => (await stopOurs(page, 1))[0] ?? NaN,
    },
    {
      name: 'plain page',
      url: sites.plain,
      visit: (page) => firstResultPlain(page, sites.plain, files),
      settle: soon,
      stop: (page) => stopPlain(page, files),
    },
    pyscriptPeer('PyScript, worker', 'worker.html', true),
    pyscriptPeer('PyScript, main thread', 'main.html', false),
  ]);
}

/**
 * @param {string} name
 * @param {string} file
 * @param {boolean} inWorker what runs in the page's own thread cannot be stopped
 * @returns {Peer}
 */
function pyscriptPeer(name, file, inWorker) {
  const url = pyscript.url + file;
  /** @param {Page} page */
  const visit = async (page) => {
    await page.goto(url, { waitUntil: 'commit' });
    return shownAt(page);
  };
  return {
    name,
    url,
    visit,
    settle: () => Promise.resolve(),
    // A worker of PyScript is stopped with its page: the loop runs, the page is loaded again, and shows the next result.
    stop: inWorker
      ? async (page) => {
          await page.evaluate(() => globalThis.spin());
          await page.waitForTimeout(100);
          const from = Date.now();
          await page.reload({ waitUntil: 'commit' });
          await shownAt(page);
          return Date.now() - from;
        }
      : null,
  };
}

/**
 * PyScript with the same Pyodide, from a server of its own. Its pages import the tool file and show the first result.
 * @param {string} folder
 */
async function openPyScript(folder) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private": true}\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const installed = await run(
    [
      npm,
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `@pyscript/core@${pyscriptVersion}`,
    ],
    { quiet: true },
  );
  if (installed.code !== 0) throw new Error(`PyScript was not installed:\n${installed.output}`);
  const site = join(folder, 'site');
  await cp(join(folder, 'node_modules/@pyscript/core/dist'), join(site, 'pyscript'), {
    recursive: true,
  });
  await mkdir(join(site, 'pyodide'), { recursive: true });
  for (const file of pyodideFiles)
    await cp(join(projectFolder, 'node_modules/pyodide', file), join(site, 'pyodide', file));
  for (const [name, text] of files) await writeFile(join(site, name), text);
  const config = {
    interpreter: '../pyodide/pyodide.mjs',
    files: Object.fromEntries(files.map(([name]) => [`./${name}`, `./${name}`])),
  };
  await writeFile(join(site, 'pyscript.json'), JSON.stringify(config));
  await writeFile(
    join(site, 'main.py'),
    `import json, sys
from pyscript import document
from echo import TOOL_SPECS
handler = TOOL_SPECS[0]["handler"]
document.body.append(json.dumps(handler(**json.loads('{"text": "hello"}'))))
`,
  );
  await writeFile(
    join(site, 'worker.py'),
    `import json
from pyscript import sync
from echo import TOOL_SPECS
import spin
handler = TOOL_SPECS[0]["handler"]
sync.spin = spin.TOOL_SPECS[0]["handler"]
sync.show(json.dumps(handler(**json.loads('{"text": "hello"}'))))
`,
  );
  const head =
    '<!doctype html><meta charset="utf-8" /><script type="module" src="pyscript/core.js"></script>';
  await writeFile(
    join(site, 'main.html'),
    `${head}<body><script type="py" src="main.py" config="pyscript.json"></script></body>`,
  );
  await writeFile(
    join(site, 'worker.html'),
    `${head}<body><script type="module">
import { hooks } from './pyscript/core.js';
hooks.main.onWorker.add((_, { sync }) => {
  sync.show = (text) => document.body.append(text);
  globalThis.spin = () => void sync.spin();
});
</script><script type="py" worker src="worker.py" config="pyscript.json"></script></body>`,
  );
  return serveFolder({ folder: site });
}
