/** Finds, or installs, the ordinary Python that tests compare with. */
import { spawnSync } from 'node:child_process';
import { canInstallPackages, installPackages } from './install-packages.mjs';

/**
 * Looks for a python3 of 3.11 or later, and installs it where that needs no question. Logs that there is none.
 * @returns {Promise<boolean>} whether there is one
 */
export async function ensurePython() {
  if (hasPython()) return true;
  if (canInstallPackages) await installPackages('python3');
  if (hasPython()) return true;
  console.log(
    'There is no python3 3.11 or later, which many tests compare with: they fail, and those of the Python code run only under Pyodide. Install one (on Debian: apt-get install python3).',
  );
  return false;
}

function hasPython() {
  const program = 'import sys; sys.exit(sys.version_info < (3, 11))';
  return spawnSync('python3', ['-c', program], { timeout: 30_000 }).status === 0;
}
