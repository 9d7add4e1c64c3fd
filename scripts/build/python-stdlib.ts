/** Python's standard library with byte code for what every start imports: compiling that took most of Python's start. */
import { dirname, join, sep } from 'node:path';
import type { PyProxy } from 'pyodide/ffi';
import { buildPython } from './build-python.ts';
import type { Made } from './product.ts';
import { pythonSources } from './python-sources.ts';

/** pack_stdlib.py */
interface Packer {
  readonly pack: (archivePath: string, loaderPath: string) => PyProxy;
}

const loaderFolder = '/home/pyodide/loader';

export async function pythonStdlib(root: string): Promise<Made<Uint8Array>> {
  const folder = join(root, 'workers/python/py');
  const { pyodide, sources } = await buildPython(root, 'pack_stdlib');
  for (const [path, text] of Object.entries(await pythonSources(folder))) {
    pyodide.FS.mkdirTree(dirname(`${loaderFolder}/${path}`));
    pyodide.FS.writeFile(`${loaderFolder}/${path}`, text);
  }
  const archivePath = pyodide.runPython(
    'import sys; next(p for p in sys.path if p.endswith(".zip"))',
  ) as string;
  const { pack } = pyodide.pyimport('pack_stdlib') as Packer;
  return {
    value: pack(archivePath, loaderFolder).toJs() as Uint8Array,
    sources: [folder + sep, ...sources],
  };
}
