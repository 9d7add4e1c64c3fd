/** Completes Python's file system: the standard library, the loader and the time zones. */

import type { PyodideAPI } from 'pyodide';
import type { LibraryFiles } from '../../src/protocol/python.ts';
import { loaderPath, zonesFolder } from './loader-path.ts';
import { archivePath, completeStdlib } from './stdlib-archive.ts';

/** Writes the files, and extends `sys.path` by the loader and the time zones, unless a snapshot has done so already. */
export async function writeLibraries(
  pyodide: PyodideAPI,
  { loader, stdlibRest }: LibraryFiles,
): Promise<void> {
  await completeStdlib(pyodide, stdlibRest);
  const bytes = new Uint8Array(await loader.arrayBuffer());
  const { FS } = pyodide;
  FS.mkdirTree('/usr/lib/cloche');
  FS.writeFile(loaderPath, bytes, { canOwn: true });
  pyodide.runPython(`import sys
if ${JSON.stringify(loaderPath)} not in sys.path:
    sys.path[:0] = [${JSON.stringify(loaderPath)}]
    sys.path.append(${JSON.stringify(`${archivePath}/${zonesFolder}`)})`);
}
