/** Writes the loader into Python's file system. */

import type { PyodideAPI } from 'pyodide';
import type { LibraryFiles } from '../../src/protocol/python.ts';
import { loaderPath, zonesFolder } from './loader-path.ts';
import { archivePath } from './stdlib-archive.ts';

/** Writes the file, and adds it and the time zones to `sys.path`, unless a snapshot has done so already. */
export async function writeLoader(pyodide: PyodideAPI, { loader }: LibraryFiles): Promise<void> {
  const bytes = new Uint8Array(await loader.arrayBuffer());
  const { FS } = pyodide;
  FS.mkdirTree('/usr/lib/cloche');
  FS.writeFile(loaderPath, bytes, { canOwn: true });
  pyodide.runPython(`import sys
if ${JSON.stringify(loaderPath)} not in sys.path:
    sys.path[:0] = [${JSON.stringify(loaderPath)}]
    sys.path.append(${JSON.stringify(`${archivePath}/${zonesFolder}`)})`);
}
