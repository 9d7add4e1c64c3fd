/** Puts the loader and the time zones where Python finds them. */

import type { PyodideAPI } from 'pyodide';
import type { ToolWorkerAssets } from '../../src/protocol/python.ts';
import { loaderPath } from './loader-path.ts';

const zonesPath = '/usr/lib/cloche/tzdata.zip';

/** Also for a Python from a snapshot, which knows the paths already. */
export async function writeLoader(
  pyodide: PyodideAPI,
  { loader, timeZones }: ToolWorkerAssets,
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
