/** Python modules as a zip of compiled ones, which start in a third of the time. */
import type { PyProxy } from 'pyodide/ffi';
import { buildPython } from './build-python.ts';
import type { Made } from './product.ts';

/** pack_loader.py */
interface Packer {
  readonly pack: (sources: string, archivePath: string) => PyProxy;
}

/**
 * @param modules path below the archive → text
 * @param archivePath where the sandbox's Python will find it
 */
export async function packModules(
  root: string,
  modules: Readonly<Record<string, string>>,
  archivePath: string,
): Promise<Made<Uint8Array>> {
  const { pyodide, sources } = await buildPython(root, 'pack_loader');
  const { pack } = pyodide.pyimport('pack_loader') as Packer;
  return { value: pack(JSON.stringify(modules), archivePath).toJs() as Uint8Array, sources };
}
