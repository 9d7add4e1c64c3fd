/**
 * Python's standard library with byte code for what every start imports: compiling that took most of Python's start. It
 * is split in two, because the byte code is a third of it, and Python starts before the rest has arrived.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PyProxy } from 'pyodide/ffi';
import { zonesFolder } from '../../workers/python/loader-path.ts';
import { buildPython } from './build-python.ts';
import type { Made } from './product.ts';
import { pythonSources } from './python-sources.ts';

/** pack_stdlib.py */
interface Packer {
  readonly pack: (
    ...paths: [archive: string, loader: string, zones: string, folder: string]
  ) => PyProxy;
}

/** workers/python/write-libraries.ts puts the two parts together. */
export interface SplitStdlib {
  /** The archive, compressed with gzip, with zeros in place of what no start reads. */
  readonly start: Uint8Array;
  /** The bytes that replace these zeros. */
  readonly rest: Uint8Array;
}

const loaderFolder = '/home/pyodide/loader';
const zonesPath = '/home/pyodide/tzdata.zip';

export async function pythonStdlib(root: string): Promise<Made<SplitStdlib>> {
  const folder = join(root, 'workers/python/py');
  const { pyodide, sources } = await buildPython(root, 'pack_stdlib');
  for (const [path, text] of Object.entries(await pythonSources(folder))) {
    pyodide.FS.mkdirTree(dirname(`${loaderFolder}/${path}`));
    pyodide.FS.writeFile(`${loaderFolder}/${path}`, text);
  }
  const archivePath = pyodide.runPython(
    'import sys; next(p for p in sys.path if p.endswith(".zip"))',
  ) as string;
  const zones = join(root, 'workers/python/tzdata.zip');
  pyodide.FS.writeFile(zonesPath, await readFile(zones));
  const { pack } = pyodide.pyimport('pack_stdlib') as Packer;
  const packed = pack(archivePath, loaderFolder, zonesPath, zonesFolder);
  const [archive, from, to] = packed.toJs() as [Uint8Array, number, number];
  return { value: await split(archive, from, to), sources: [folder + sep, zones, ...sources] };
}

async function split(archive: Uint8Array, from: number, to: number): Promise<SplitStdlib> {
  const start = archive.slice();
  start.fill(0, from, to);
  return { start: await promisify(gzip)(start, { level: 9 }), rest: archive.slice(from, to) };
}
