/** The built app in dist/: is it there, is it of these sources, and building it. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
/** CLOCHE_DIST names another folder of the project, for whoever must not be disturbed by the next one to build. */
export const distFolder = resolve(projectFolder, process.env.CLOCHE_DIST ?? 'dist');

const stampName = `${relative(projectFolder, distFolder).replace(/[^\w-]/g, '_')}.json`;
const stampFile = join(projectFolder, 'node_modules/.cache/cloche', stampName);
const sources = [
  'LICENSE',
  'THIRD-PARTY-NOTICES.txt',
  'index.html',
  'package-lock.json',
  'public',
  'scripts/build',
  'src',
  'svelte.config.js',
  'tools-samples',
  'tsconfig.base.json',
  'tsconfig.json',
  'vite.config.ts',
  'workers',
];
const noSource = /\.test\.ts$|\.pyc$|(^|\/)(__pycache__|tests)(\/|$)/;

/**
 * Says whether dist/ was built from the sources as they are now.
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
 * Builds with `make`, which gets the folder to build into; dist/ is replaced only when that went well.
 * @param {(folder: string) => Promise<void>} make
 */
export async function replaceDist(make) {
  // Taken first: what is edited during the build is not in it.
  const built = await fingerprint();
  const folder = join(projectFolder, `.dist-${process.pid}`);
  try {
    await make(folder);
    await rm(distFolder, { recursive: true, force: true });
    await rename(folder, distFolder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await mkdir(join(stampFile, '..'), { recursive: true });
  await writeFile(stampFile, JSON.stringify([built, await builtAt()]));
}

async function builtAt() {
  return (await stat(join(distFolder, 'index.html'))).mtimeMs;
}

// Contents, not dates: a fresh clone or another branch changes dates without changing a file.
async function fingerprint() {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of await filesOf(join(projectFolder, source))) {
      hash.update(`${relative(projectFolder, file)}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} path of a file or folder
 * @returns {Promise<string[]>}
 */
async function filesOf(path) {
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !noSource.test(relative(projectFolder, file)))
    .sort();
}
