/** Installs Debian packages that a bare container lacks, if this process may do that without asking. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './run.mjs';

const minutes = 60_000;

/** Whether packages can be installed: as root, with apt-get. */
export const canInstallPackages = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/**
 * Installs packages and logs that; apt's output only if it failed. The caller checks whether that helped.
 * @param {...string} names
 */
export async function installPackages(...names) {
  console.log(`Installing ${names.join(' and ')} with apt-get; this can take some minutes …`);
  // A bare container has no package lists. If they cannot be fetched, old ones may be enough.
  if (!listsAreRecent('/var/lib/apt/lists', wantedLists())) await aptGet(3 * minutes, 'update');
  await aptGet(15 * minutes, 'install', '--yes', '--no-install-recommends', ...names);
}

/** The files that apt makes of its sources. @returns empty if apt does not say */
function wantedLists() {
  const options = ['indextargets', '--format', '$(FILENAME)', 'Created-By: Packages'];
  const { status, stdout } = spawnSync('apt-get', options, { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}

/**
 * Returns whether apt has fetched the lists of all its sources within the last hour: one run of the tests may install several
 * packages. In a machine that was made just now, the lists may be those of the main suite, without its updates.
 * @param {string} folder
 * @param {readonly string[]} wanted paths of the lists; apt may have compressed them
 */
export function listsAreRecent(folder, wanted) {
  try {
    // Some containers remove the lists but keep the folders.
    const names = readdirSync(folder);
    const isThere = (/** @type {string} */ path) =>
      names.some((name) => name === basename(path) || name.startsWith(`${basename(path)}.`));
    if (wanted.length === 0 || !wanted.every(isThere)) return false;
    return Date.now() - statSync(join(folder, 'partial')).mtimeMs < 60 * minutes;
  } catch {
    return false;
  }
}

/**
 * Runs apt-get, which must not wait for long.
 * @param {number} limit in milliseconds
 * @param {...string} words
 */
async function aptGet(limit, ...words) {
  const settings = [
    'Acquire::Retries=1',
    'Acquire::http::Timeout=20',
    'DPkg::Lock::Timeout=120',
    // Otherwise apt does not fail if lists cannot be fetched, and the reason is not shown.
    'APT::Update::Error-Mode=any',
  ];
  const options = ['-q', ...settings.flatMap((setting) => ['-o', setting])];
  const { code, output } = await run(['apt-get', ...options, ...words], {
    quiet: true,
    limit,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (code !== 0) console.log(`${output.trimEnd()}\napt-get ${words.join(' ')} failed; see above.`);
}
