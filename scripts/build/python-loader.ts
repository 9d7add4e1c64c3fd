/** The Python side of Cloche as a zip of modules that are compiled already, which start in a third of the time. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { loadPyodide } from 'pyodide';
import type { PyProxy } from 'pyodide/ffi';
import { loaderPath } from '../../workers/python/loader-path.ts';
import type { Made } from './product.ts';
import { pyodideFile } from './pyodide.ts';

/** pack_loader.py */
interface Packer {
  readonly pack: (sources: string, archivePath: string) => PyProxy;
}

/** Compiled by the very Pyodide that the sandbox runs: no other Python could be sure to read it. */
export async function pythonLoader(root: string): Promise<Made<Uint8Array>> {
  const folder = join(root, 'workers/python/py');
  const packer = join(root, 'workers/python/pack_loader.py');
  const [sources, script, pyodide] = await Promise.all([
    pythonSources(folder),
    readFile(packer, 'utf8'),
    loadPyodide({ env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' } }),
  ]);
  pyodide.FS.writeFile('/home/pyodide/pack_loader.py', script);
  const { pack } = pyodide.pyimport('pack_loader') as Packer;
  return {
    value: pack(JSON.stringify(sources), loaderPath).toJs() as Uint8Array,
    sources: [folder + sep, packer, pyodideFile(root, 'package.json')],
  };
}

/** Path below the folder → text. */
async function pythonSources(folder: string): Promise<Record<string, string>> {
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
