/** Fetches and unpacks Debian packages, without root, even if this machine has no package lists yet. */

import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const seconds = 300;

/**
 * @param names of packages, the same for all architectures
 * @param folder an empty one, for what is fetched
 * @returns the folder that they are unpacked in, all into one tree
 */
export async function unpackDebianPackages(
  names: readonly string[],
  folder: string,
): Promise<string> {
  const archives = join(folder, 'archives');
  const tree = join(folder, 'tree');
  await mkdir(archives, { recursive: true });
  await mkdir(tree, { recursive: true });
  await download(names, archives, folder);
  for (const archive of await readdir(archives)) {
    if (archive.endsWith('.deb'))
      await run('dpkg-deb', ['-x', join(archives, archive), tree], { timeout: seconds * 1000 });
  }
  return tree;
}

async function download(names: readonly string[], archives: string, folder: string): Promise<void> {
  try {
    await apt(['download', ...names], archives);
  } catch (error) {
    if (isMissing(error))
      throw new Error('There is no apt-get here: the test wheels are made from Debian packages.', {
        cause: error,
      });
    const own = await ownLists(folder);
    await apt([...own, 'update'], archives);
    await apt([...own, 'download', ...names], archives);
  }
}

/** Lists and caches in a folder of our own, which anyone may write; the sources and keys are the machine's. */
async function ownLists(folder: string): Promise<string[]> {
  const lists = join(folder, 'lists');
  const cache = join(folder, 'cache');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(cache, 'archives', 'partial'), { recursive: true });
  return ['-o', `Dir::State::lists=${lists}`, '-o', `Dir::Cache=${cache}`];
}

async function apt(args: readonly string[], cwd: string): Promise<void> {
  // As root, apt would fetch as a user who cannot write here.
  const options = ['-q', '-o', 'APT::Sandbox::User=root', '-o', 'Acquire::Retries=3'];
  await run('apt-get', [...options, ...args], { cwd, timeout: seconds * 1000 });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
