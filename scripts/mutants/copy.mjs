/** Creates a copy of the working tree, in which a file can be patched and its tests run. */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../dist.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';

/** @typedef {import('./types.ts').Mutant} Mutant */

/** Copies the working tree. @returns {Promise<string>} its folder */
export async function copyTree() {
  const listed = spawnSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: projectFolder,
    encoding: 'utf8',
  });
  if (listed.status !== 0) throw new Error(`git cannot list the files: ${listed.stderr}`);
  const folder = await temporaryFolder('mutants');
  for (const path of listed.stdout.split('\0').filter(Boolean)) {
    // git lists a deleted file until the deletion is committed.
    await cp(join(projectFolder, path), join(folder, path)).catch(ignoreAbsence);
  }
  await linkModules(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/**
 * Only the packages: each tree has its own caches and stamp of the last build.
 * @param {string} from
 * @param {string} to
 */
async function linkModules(from, to) {
  await mkdir(to);
  for (const name of await readdir(from))
    if (!name.startsWith('.')) await symlink(join(from, name), join(to, name));
}

/**
 * Why the patch does not fit the file; null if it does.
 * @param {Mutant} mutant
 * @returns {Promise<string | null>}
 */
export async function anchorFault({ file, find, replace }) {
  const text = await readFile(join(projectFolder, file), 'utf8').catch(() => null);
  if (text === null) return `${file} is not there`;
  const count = text.split(find).length - 1;
  if (count !== 1) return `its text is ${count} times in ${file}, not once`;
  return find === replace ? 'it changes nothing' : null;
}

/**
 * Applies a mutant to the copy, and takes it back after some work.
 * @template T
 * @param {string} folder
 * @param {Mutant} mutant
 * @param {() => Promise<T>} work done while the patch is applied
 */
export async function whilePatched(folder, { file, find, replace }, work) {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  await writeFile(
    path,
    text.replace(find, () => replace),
  );
  try {
    return await work();
  } finally {
    await writeFile(path, text);
  }
}

/** @param {unknown} error */
function ignoreAbsence(error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
