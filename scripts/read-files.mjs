/** Reads JSON files, and lists the files below a folder. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** @param {...string} path of the file, in parts @returns {Promise<unknown>} */
export async function readJson(...path) {
  /** @type {unknown} */
  const parsed = JSON.parse(await readFile(join(...path), 'utf8'));
  return parsed;
}

/** @param {string} folder @returns {Promise<string[]>} sorted paths from the folder, with forward slashes */
export async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
