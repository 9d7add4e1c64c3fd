/** Checks in dist/ that the tool worker's script is ASCII. One other character would double what it takes in memory. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { distFolder } from './dist.mjs';

const files = await readdir(distFolder, { recursive: true });
const scripts = files.filter((file) => /(^|[\\/])tool-worker-\w+\.js$/.test(file));
if (scripts.length !== 1)
  throw new Error(`There are ${scripts.length} scripts of the tool worker.`);
for (const script of scripts) {
  const other = (await readFile(join(distFolder, script))).findIndex((byte) => byte > 127);
  if (other !== -1) throw new Error(`${script} is not ASCII at byte ${other}.`);
}
