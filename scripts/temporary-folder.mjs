/** A temporary folder for one run of a program. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a folder that is removed when this process ends: also after an error, Ctrl C, or when it is told to end.
 * @param {string} name of what it is for
 * @returns {Promise<string>} its path
 */
export async function temporaryFolder(name) {
  const folder = await mkdtemp(join(tmpdir(), `cloche-${name}-`));
  process.once('exit', () => {
    // A browser that is ending may still write into its profile.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  // Without a listener, these signals end the process without the event above.
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]))
    process.once(signal, () => process.exit(code));
  return folder;
}
