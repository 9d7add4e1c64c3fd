/** The Python modules below a folder. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** @returns path below the folder → text, in the order of the paths */
export async function pythonSources(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const texts = await Promise.all(
    files.map(async (file) => [wirePath(folder, file), await readFile(file, 'utf8')] as const),
  );
  return Object.fromEntries(texts);
}

function wirePath(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}
