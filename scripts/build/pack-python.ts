/** Python modules packed into a zip, compiled by the very Pyodide that the sandbox runs: no other could be sure to read it. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { loadPyodide } from 'pyodide';
import type { PyProxy } from 'pyodide/ffi';
import { pyodideFile } from './pyodide.ts';

/** pack_loader.py */
interface Packer {
  readonly pack: (sources: string, archivePath: string) => PyProxy;
}

/** @param archivePath where the sandbox has the archive, which tracebacks name */
export async function packPython(
  root: string,
  texts: Readonly<Record<string, string>>,
  archivePath: string,
): Promise<{ value: Uint8Array; sources: string[] }> {
  const packer = join(root, 'workers/python/pack_loader.py');
  const [script, pyodide] = await Promise.all([
    readFile(packer, 'utf8'),
    loadPyodide({ env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' } }),
  ]);
  pyodide.FS.writeFile('/home/pyodide/pack_loader.py', script);
  const { pack } = pyodide.pyimport('pack_loader') as Packer;
  return {
    value: pack(JSON.stringify(texts), archivePath).toJs() as Uint8Array,
    sources: [packer, pyodideFile(root, 'package.json')],
  };
}

/** Of all modules below a folder: path below it → text. */
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
