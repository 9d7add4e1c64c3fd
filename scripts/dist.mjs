/** The built app in dist/: checks whether it exists and is up to date, and builds it. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from './read-files.mjs';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const { CLOCHE_DIST: named = '' } = process.env;
/** CLOCHE_DIST names another folder, so that parallel builds do not interfere; empty is not set. */
export const distFolder = resolve(projectFolder, named === '' ? 'dist' : named);

const stampName = `${relative(projectFolder, distFolder).replace(/[^\w-]/g, '_')}.json`;
const stampFile = join(projectFolder, 'node_modules/.cache/cloche', stampName);
const sources = [
  'LICENSE',
  'docs',
  'index.html',
  'package-lock.json',
  'public',
  'scripts/app-packages.mjs',
  'scripts/build',
  'scripts/bundled-parts.mjs',
  'scripts/compress-files.mjs',
  'scripts/notices.mjs',
  'scripts/read-files.mjs',
  'src',
  'svelte.config.js',
  'tools-samples',
  'tsconfig.base.json',
  'tsconfig.json',
  'vite.config.ts',
  'workers',
];
/** A build contains all of `builtNames`; a folder that also contains one of `sourceNames` is not a build. */
const builtNames = ['assets', 'index.html', 'sw.js', 'third-party-notices.txt'];
const sourceNames = ['.git', 'node_modules', 'package.json', 'src'];
const noSource = /\.test\.ts$|\.pyc$|(^|\/)(__pycache__|tests)(\/|$)/;

/**
 * Returns whether dist/ was built from the current sources.
 * @returns {Promise<boolean>}
 */
export async function distIsFresh() {
  try {
    const stamp = await readFile(stampFile, 'utf8');
    return stamp === JSON.stringify([await fingerprint(), await builtAt()]);
  } catch {
    return false;
  }
}

/**
 * Builds with `make`, which gets the target folder; dist/ is replaced only if that succeeds.
 * @param {(folder: string) => Promise<void>} make
 */
export async function replaceDist(make) {
  // Computed first, because edits during the build are not part of it.
  const built = await fingerprint();
  const folder = join(projectFolder, `.dist-${process.pid}`);
  const old = `${folder}-old`;
  await refuseForeign(distFolder);
  try {
    await make(folder);
    // Moved away first, so that an interrupted removal does not leave an incomplete build.
    await refuseForeign(distFolder);
    if (existsSync(distFolder)) await rename(distFolder, old);
    await rename(folder, distFolder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
  await mkdir(join(stampFile, '..'), { recursive: true });
  await writeFile(stampFile, JSON.stringify([built, await builtAt()]));
}

/**
 * Throws if a folder contains anything but an earlier build, because the whole folder will be removed.
 * @param {string} folder
 */
export async function refuseForeign(folder) {
  /** @type {string[]} */
  let names;
  try {
    names = await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  if (names.length === 0) return;
  const isBuild = builtNames.every((name) => names.includes(name));
  if (isBuild && !sourceNames.some((name) => names.includes(name))) return;
  throw new Error(
    `${folder} is not an earlier build, and a build would remove it. Move it, or name another folder in CLOCHE_DIST.`,
  );
}

async function builtAt() {
  return (await stat(join(distFolder, 'index.html'))).mtimeMs;
}

// Contents, not dates: a fresh clone or another branch changes dates without changing a file.
/**
 * @param {readonly string[]} [paths] relative to the project
 * @param {RegExp} [ignored]
 */
export async function fingerprint(paths = sources, ignored = noSource) {
  const hash = createHash('sha256');
  for (const source of paths) {
    for (const file of await filesOf(join(projectFolder, source), ignored)) {
      hash.update(`${relative(projectFolder, file)}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} path of a file or folder
 * @param {RegExp} ignored
 * @returns {Promise<string[]>}
 */
async function filesOf(path, ignored) {
  if ((await stat(path)).isFile()) return [path];
  return (await filesBelow(path))
    .map((file) => join(path, file))
    .filter((file) => !ignored.test(relative(projectFolder, file)));
}
