/** The Python side of Cloche as one JSON object: path below workers/python/py → text. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Made } from './product.ts';

export async function pythonSources(root: string): Promise<Made<string>> {
  const folder = join(root, 'workers/python/py');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const texts = await Promise.all(
    files.map(async (file) => [wirePath(folder, file), await readFile(file, 'utf8')]),
  );
  return { value: JSON.stringify(Object.fromEntries(texts)), sources: [folder + sep] };
}

function wirePath(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}
