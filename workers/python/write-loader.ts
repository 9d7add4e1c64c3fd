/** Writes the loader and the time zones into Python's file system. */

import type { PyodideAPI } from 'pyodide';
import type { LibraryFiles } from '../../src/protocol/python.ts';
import { loaderPath } from './loader-path.ts';

const zonesPath = '/usr/lib/cloche/tzdata.zip';

/** Writes the files and extends `sys.path`, unless a snapshot has done so already. */
export async function writeLoader(
  pyodide: PyodideAPI,
  { loader, timeZones }: LibraryFiles,
): Promise<void> {
  const [loaderBytes, zoneBytes] = await Promise.all([
    loader.arrayBuffer(),
    timeZones.arrayBuffer(),
  ]);
  const { FS } = pyodide;
  FS.mkdirTree('/usr/lib/cloche');
  FS.writeFile(loaderPath, new Uint8Array(loaderBytes), { canOwn: true });
  FS.writeFile(zonesPath, new Uint8Array(zoneBytes), { canOwn: true });
  pyodide.runPython(`import sys
if ${JSON.stringify(loaderPath)} not in sys.path:
    sys.path[:0] = [${JSON.stringify(loaderPath)}]
    sys.path.append(${JSON.stringify(zonesPath)})`);
}
