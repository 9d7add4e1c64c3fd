/** The Chromium that tests and benchmarks drive: found, or installed where there is none. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { run, tool } from './run.mjs';

const isRoot = process.getuid?.() === 0;

/**
 * How to launch a browser quietly, for Playwright's `launch` and its configuration.
 * @param {string} executablePath
 */
export function launchOptions(executablePath) {
  return {
    executablePath,
    headless: true,
    // Chromium's own sandbox refuses to run for root.
    chromiumSandbox: !isRoot,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}

/**
 * A browser that is already here: the one that CHROMIUM_PATH names, an installed one, or Playwright's.
 * @returns {string | undefined} its path
 */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (!isProgram(named))
      throw new Error(`CHROMIUM_PATH=${named} is no program: unset or mend it.`);
    return named;
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const installed = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [
    ...installed,
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    chromium.executablePath(),
  ].find(isProgram);
}

/**
 * Finds a browser or installs one, and says what it does.
 * @returns {Promise<string>} its path
 */
export async function ensureBrowser() {
  const found = findBrowser();
  if (found !== undefined) return found;
  for (const install of [installPlaywrights, installDebians]) {
    await install();
    const installed = findBrowser();
    if (installed !== undefined && starts(installed)) return installed;
  }
  throw new Error(
    'The browser tests need Chromium: install it, or set CHROMIUM_PATH to a Chromium or Chrome.',
  );
}

async function installPlaywrights() {
  console.log("No Chromium found: installing Playwright's.");
  const program = '@playwright/test/cli.js';
  const { code } = await run(tool(program, 'install', '--no-shell', 'chromium'), {
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' },
  });
  // A downloaded browser may lack the system's libraries.
  if (code !== 0 || !isRoot || starts(chromium.executablePath())) return;
  await run(tool(program, 'install-deps', 'chromium'));
}

async function installDebians() {
  if (!isRoot || !existsSync('/etc/debian_version')) return;
  console.log("No Chromium that starts: installing Debian's.");
  await run(['sh', '-c', 'apt-get update && apt-get install -y chromium'], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} path */
function starts(path) {
  return spawnSync(path, ['--version'], { timeout: 30_000 }).status === 0;
}
