/** Finds an installed Chrome, Chromium or Edge. */

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The properties of the machine that the search depends on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isProgram: (path: string) => boolean;
}

/** The oldest version that Cloche supports. */
export const oldestVersion = 150;

const names = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const windowsPrograms = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

export const thisMachine: Machine = {
  platform: process.platform,
  env: process.env,
  isProgram(path) {
    try {
      accessSync(path, constants.X_OK);
      // A folder passes the check above, too.
      return statSync(path).isFile();
    } catch {
      return false;
    }
  },
};

/** @throws {Error} that says how to get a browser */
export function findBrowser(machine: Machine): string {
  const { env, isProgram } = machine;
  // On Windows, `set NAME="value"` makes the quotes a part of the value.
  const named = (env.CLOCHE_BROWSER ?? '').replace(/^"(.*)"$/, '$1');
  if (named !== '') {
    if (isProgram(named)) return named;
    throw new Error(`CLOCHE_BROWSER=${named} is not a program: correct it or unset it.`);
  }
  const found = places(machine).find(isProgram);
  if (found === undefined)
    throw new Error(
      'Cloche runs tools in a browser, and found no Chrome, Chromium or Edge. ' +
        `Install one (${installHint(machine.platform)}), or set CLOCHE_BROWSER to its program.`,
    );
  return found;
}

function places({ platform, env }: Machine): readonly string[] {
  if (platform === 'win32')
    // To a 32-bit Node, PROGRAMFILES is the folder of 32-bit programs.
    return ['PROGRAMFILES', 'PROGRAMW6432', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
      const folder = env[name];
      return folder === undefined ? [] : windowsPrograms.map((program) => `${folder}\\${program}`);
    });
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const inPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  if (platform !== 'darwin') return inPath;
  const homes = ['', env.HOME ?? ''].map((home) => `${home}/Applications`);
  const apps = homes.flatMap((home) =>
    macApps.map((app) => `${home}/${app}.app/Contents/MacOS/${app}`),
  );
  return [...apps, ...inPath];
}

function installHint(platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return 'brew install --cask google-chrome';
    case 'win32':
      return 'winget install Google.Chrome';
    default:
      return 'on Debian and Ubuntu: sudo apt install chromium';
  }
}
