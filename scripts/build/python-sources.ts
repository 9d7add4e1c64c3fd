/** The Python modules below a folder. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow } from '../read-files.mjs';

/** @returns path below the folder → text, in the order of the paths */
export async function pythonSources(folder: string): Promise<Record<string, string>> {
  const files = (await filesBelow(folder)).filter((path) => path.endsWith('.py'));
  const texts = await Promise.all(
    files.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const),
  );
  return Object.fromEntries(texts);
}
