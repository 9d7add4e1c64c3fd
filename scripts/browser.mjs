/** Finds, or installs, the browsers that tests and benchmarks use. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { canInstallPackages, installPackages } from './install-packages.mjs';
import { run, tool } from './run.mjs';
import { startWebKit } from './webkit.mjs';

/** @typedef {{version: string, trouble?: string}} Version */
/**
 * @typedef {object} Browser
 * @property {string} title
 * @property {string} variable of the environment, which names a program to take
 * @property {readonly string[]} names of its program in PATH
 * @property {readonly string[]} places of its program elsewhere
 * @property {string} debian its package
 * @property {number | string} oldest the oldest version that Cloche supports: docs/tour.md says it too, index.html those of Chromium and Firefox
 * @property {(path: string) => Promise<string | undefined>} [trouble] why it cannot be driven
 * @property {(path: string) => Promise<Version>} [version] where `--version` does not say it
 */

/** @satisfies {Record<string, Browser>} */
export const browsers = {
  chromium: {
    title: 'Chromium',
    variable: 'CHROMIUM_PATH',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    places: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      chromium.executablePath(),
    ],
    debian: 'chromium',
    oldest: 150,
    trouble: chromiumTrouble,
  },
  firefox: {
    title: 'Firefox',
    variable: 'FIREFOX_PATH',
    names: ['firefox-esr', 'firefox'],
    places: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
    debian: 'firefox-esr',
    oldest: 140,
  },
  webkit: {
    title: 'WebKitGTK',
    variable: 'WEBKIT_DRIVER_PATH',
    names: ['WebKitWebDriver'],
    places: ['/usr/lib/webkit2gtk-4.1/WebKitWebDriver'],
    debian: 'webkit2gtk-driver xvfb',
    oldest: '2.50',
    version: webkitVersion,
  },
};

/** @typedef {keyof typeof browsers} BrowserName */

/** Features of Chromium that are turned off. */
const featuresOff = [
  // Pages of the address bar, which took half of the processor time of a new window.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // The features that Playwright turns off: Chromium reads only the last argument of this kind, so ours replaces that of Playwright.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/**
 * Options that launch Chromium quietly, for Playwright's `launch` and its configuration.
 * @param {string} executablePath
 * @param {...string} more arguments
 */
export function launchOptions(executablePath, ...more) {
  const disable = '--disable-features=';
  const turnedOff = more
    .filter((argument) => argument.startsWith(disable))
    .map((argument) => argument.slice(disable.length));
  return {
    executablePath,
    headless: true,
    // Chromium's own sandbox does not run for root, and in many containers for any user.
    chromiumSandbox: process.getuid?.() !== 0 && process.env.CHROMIUM_SANDBOX !== 'off',
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more.filter((argument) => !argument.startsWith(disable)),
      `${disable}${[...featuresOff, ...turnedOff].join(',')}`,
    ],
    ...localeFor(process.env),
  };
}

/**
 * The environment of the browser, where it has no locale with UTF-8: Chromium on Linux would read names of files with other
 * letters than ASCII as empty.
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} [platform]
 * @returns {{env?: NodeJS.ProcessEnv}}
 */
export function localeFor(env, platform = process.platform) {
  const { LC_ALL = '', LC_CTYPE = '', LANG = '' } = env;
  if (platform !== 'linux' || /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG)) return {};
  return { env: { ...env, LC_ALL: 'C.UTF-8' } };
}

/**
 * An available browser: the one named in the environment, an installed one, or Playwright's.
 * @param {BrowserName} [name]
 * @returns {string | undefined} its path
 */
export function findBrowser(name = 'chromium') {
  return programs(browsers[name])[0];
}

/**
 * Finds a browser that starts, or installs one, and logs what it does.
 * @param {BrowserName} [name]
 * @returns {Promise<string>} its path
 */
export async function ensureBrowser(name = 'chromium') {
  /** @type {Browser} */
  const browser = browsers[name];
  const found = await firstThatStarts(browser);
  if (found !== undefined) return found;
  const { title, variable, debian } = browser;
  const named = process.env[variable] ?? '';
  if (named !== '') throw new Error(`${variable}=${named} cannot be used: unset it or correct it.`);
  const installs = [() => installDebians(browser)];
  // Playwright's Firefox is patched: the tests need an ordinary one.
  if (name === 'chromium') installs.unshift(installPlaywrights);
  for (const install of installs) {
    await install();
    const installed = await firstThatStarts(browser);
    if (installed !== undefined) return installed;
  }
  throw new Error(
    `The browser tests need ${title} ${browser.oldest} or newer, which is not installed and could not be installed. ` +
      `Install it (on Debian, as root: apt-get update && apt-get install ${debian}), or set ${variable} to its program.`,
  );
}

/**
 * Starts the Chromium that is found first. If it does not start or is too old, looks for another one, or installs one.
 * @returns {Promise<import('@playwright/test').Browser>}
 */
export async function startChromium() {
  const path = findBrowser();
  const browser =
    path === undefined
      ? undefined
      : await chromium.launch(launchOptions(path)).catch(() => undefined);
  if (browser && ageTrouble(browsers.chromium, browser.version()) === undefined) return browser;
  await browser?.close();
  return chromium.launch(launchOptions(await ensureBrowser()));
}

/**
 * Lists where a browser may be.
 * @param {Browser} browser
 * @returns {string[]} the programs that there are, best first
 */
function programs({ variable, names, places }) {
  const named = process.env[variable] ?? '';
  if (named !== '') {
    if (!isProgram(named))
      throw new Error(`${variable}=${named} is not a program: unset it or correct it.`);
    return [named];
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const inPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...inPath, ...places].filter(isProgram);
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

/** Finds a browser that is new enough and starts, and says why others are not used. @param {Browser} browser */
async function firstThatStarts(browser) {
  for (const path of programs(browser)) {
    const { version, trouble: broken } = (await browser.version?.(path)) ?? versionOf(path);
    const trouble = broken ?? ageTrouble(browser, version) ?? (await browser.trouble?.(path));
    if (trouble === undefined) {
      console.log(`Using ${version} (${path}).`);
      return path;
    }
    console.log(`${path} cannot be used: ${trouble}`);
  }
  return undefined;
}

/**
 * Starts a browser to read its version. A downloaded browser may lack system libraries; a packaged one may only refer
 * to another package.
 * @param {string} path
 * @returns {Version}
 */
function versionOf(path) {
  const options = /** @type {const} */ ({ timeout: 60_000, encoding: 'utf8' });
  const { status, stdout, stderr, error } = spawnSync(path, ['--version'], options);
  if (error) return { version: '', trouble: error.message };
  const version = stdout.trim();
  return status === 0 ? { version } : { version, trouble: stderr.trim() || 'it says nothing.' };
}

/**
 * @param {Pick<Browser, 'title' | 'oldest' | 'debian'>} browser
 * @param {string} version such as `Chromium 156.0.8078.108 built on Debian`
 * @returns {string | undefined} why it is too old
 */
export function ageTrouble({ title, oldest, debian }, version) {
  // The major versions of WebKitGTK are 2.48, 2.50 and so on.
  const major = Number(/(\d+\.\d)/.exec(version)?.[1]);
  // A build that does not state its version is tried.
  return major < Number(oldest)
    ? `${version} is too old: Cloche supports ${title} ${oldest} and newer. Update it (on Debian, as root: apt-get update && apt-get install ${debian}).`
    : undefined;
}

/** Says why Chromium does not start; first tries it without its own sandbox. @param {string} path */
async function chromiumTrouble(path) {
  const trouble = await launchTrouble(path);
  if (trouble === undefined || !launchOptions(path).chromiumSandbox) return trouble;
  process.env.CHROMIUM_SANDBOX = 'off';
  if ((await launchTrouble(path)) === undefined) {
    console.log("Chromium's own sandbox does not work here: CHROMIUM_SANDBOX=off for this run.");
    return undefined;
  }
  delete process.env.CHROMIUM_SANDBOX;
  return trouble;
}

/** @param {string} path */
async function launchTrouble(path) {
  try {
    const browser = await chromium.launch({ ...launchOptions(path), timeout: 60_000 });
    await browser.close();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Downloads Playwright's Chromium, with the libraries that it needs. */
async function installPlaywrights() {
  console.log("No Chromium found: downloading Playwright's …");
  const program = '@playwright/test/cli.js';
  const { code } = await run(tool(program, 'install', '--no-shell', 'chromium'), {
    limit: 600_000,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' },
  });
  if (code !== 0) console.log("Playwright's Chromium cannot be had from here; see above.");
  else if (canInstallPackages && versionOf(chromium.executablePath()).trouble !== undefined)
    await run(tool(program, 'install-deps', 'chromium'), { limit: 900_000 });
}

/** The driver does not say its version, but that of the browser that it has started. @param {string} path @returns {Promise<Version>} */
async function webkitVersion(path) {
  try {
    const webkit = await startWebKit(path);
    await webkit.close();
    return { version: webkit.version };
  } catch (thrown) {
    return { version: '', trouble: String(thrown) };
  }
}

/** @param {Browser} browser */
async function installDebians({ debian }) {
  // Browsers only recommend fonts, but the tests need text to be laid out.
  if (canInstallPackages) await installPackages(...debian.split(' '), 'fonts-liberation');
}
