/** Python modules as a zip of compiled ones, which start in a third of the time. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPyodide } from 'pyodide';
import type { PyProxy } from 'pyodide/ffi';
import type { Made } from './product.ts';
import { pyodideFile } from './pyodide.ts';

/** pack_loader.py */
interface Packer {
  readonly pack: (sources: string, archivePath: string) => PyProxy;
}

/**
 * Compiled by the same Pyodide that the sandbox runs, because byte code works only in the Python that wrote it.
 * @param modules path below the archive → text
 * @param archivePath where the sandbox's Python will find it
 */
export async function packModules(
  root: string,
  modules: Readonly<Record<string, string>>,
  archivePath: string,
): Promise<Made<Uint8Array>> {
  const packer = join(root, 'workers/python/pack_loader.py');
  const [script, pyodide] = await Promise.all([
    readFile(packer, 'utf8'),
    loadPyodide({ env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' } }),
  ]);
  pyodide.FS.writeFile('/home/pyodide/pack_loader.py', script);
  const { pack } = pyodide.pyimport('pack_loader') as Packer;
  return {
    value: pack(JSON.stringify(modules), archivePath).toJs() as Uint8Array,
    sources: [packer, pyodideFile(root, 'package.json')],
  };
}
