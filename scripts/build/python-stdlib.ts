/**
 * Python's standard library with byte code for what every start imports: compiling that took most of Python's start. It
 * is split in three: Python starts from the byte code, imports of other modules wait for the rest, and the sources of the
 * byte code, which only tracebacks and `inspect` read, come last.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { PyProxy } from 'pyodide/ffi';
import { lateLoaderFolder, zonesFolder } from '../../workers/python/archive-paths.ts';
import { buildPython } from './build-python.ts';
import type { Made } from './product.ts';
import { pythonSources } from './python-sources.ts';

/** pack_stdlib.py */
interface Packer {
  readonly pack: (
    ...inputs: [
      archive: string,
      loader: string,
      ...zones: [archive: string, text: string, folder: string],
      ...late: [archive: string, folder: string],
    ]
  ) => PyProxy;
}

/** The parts of the archive, which workers/python/write-libraries.ts puts together. */
export interface SplitStdlib {
  /** What a start reads: the offsets of the gap's two ends, 4 bytes each, then the archive without the gap. */
  readonly start: Uint8Array;
  /** The second part of the gap, right before the archive's directory. */
  readonly rest: Uint8Array;
  /** The first part of the gap, right before `rest`. */
  readonly sources: Uint8Array;
}

const loaderFolder = '/home/pyodide/loader';
const zonesPath = '/home/pyodide/tzdata.zip';
const latePath = '/home/pyodide/late.zip';

/** @param late a zip of the loader's late modules */
export async function pythonStdlib(root: string, late: Uint8Array): Promise<Made<SplitStdlib>> {
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
  pyodide.FS.writeFile(latePath, late);
  const { pack } = pyodide.pyimport('pack_stdlib') as Packer;
  const zonesPackage = join(root, 'workers/python/zones_package.py');
  const zonesText = await readFile(zonesPackage, 'utf8');
  const zoneInputs = [zonesPath, zonesText, zonesFolder] as const;
  const packed = pack(archivePath, loaderFolder, ...zoneInputs, latePath, lateLoaderFolder);
  const [archive, ...ends] = packed.toJs() as [Uint8Array, number, number, number];
  return {
    value: split(archive, ...ends),
    sources: [folder + sep, zones, zonesPackage, ...sources],
  };
}

/** Splits the archive. The three numbers are places in it: the ends of the byte code and of its sources, and the directory. */
function split(
  archive: Uint8Array,
  codeEnds: number,
  sourcesEnd: number,
  directoryBegins: number,
): SplitStdlib {
  const gap = new Uint8Array(Uint32Array.of(codeEnds, directoryBegins).buffer);
  return {
    start: Buffer.concat([gap, archive.slice(0, codeEnds), archive.slice(directoryBegins)]),
    rest: archive.slice(sourcesEnd, directoryBegins),
    sources: archive.slice(codeEnds, sourcesEnd),
  };
}
