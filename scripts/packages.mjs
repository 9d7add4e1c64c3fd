/** Installs Debian packages that a bare container lacks, if this process may do that without asking. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
  if (!listsAreRecent()) await aptGet(3 * minutes, 'update');
  await aptGet(15 * minutes, 'install', '--yes', '--no-install-recommends', ...names);
}

/** Whether apt has fetched its lists within the last hour: one run of the tests may install several packages. */
function listsAreRecent() {
  const folder = '/var/lib/apt/lists';
  try {
    // Some containers remove the lists but keep the folders.
    const hasLists = readdirSync(folder).some((name) => name.includes('_Packages'));
    return hasLists && Date.now() - statSync(join(folder, 'partial')).mtimeMs < 60 * minutes;
  } catch {
    return false;
  }
}

/**
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
