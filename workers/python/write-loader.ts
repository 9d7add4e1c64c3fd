/** Puts the loader and the time zones where Python finds them. */

import type { PyodideAPI } from 'pyodide';
import type { ToolWorkerAssets } from '../../src/protocol/python.ts';

const root = '/usr/lib/cloche';
const zones = `${root}/tzdata.zip`;

/** Also for a Python from a snapshot, which knows the path already. */
export async function writeLoader(
  pyodide: PyodideAPI,
  { loader, timeZones }: ToolWorkerAssets,
): Promise<void> {
  const { FS } = pyodide;
  const made = new Set<string>();
  for (const [path, text] of Object.entries(JSON.parse(loader) as Record<string, string>)) {
    const file = `${root}/${path}`;
    const folder = file.slice(0, file.lastIndexOf('/'));
    if (!made.has(folder)) FS.mkdirTree(folder);
    made.add(folder);
    FS.writeFile(file, text);
  }
  FS.writeFile(zones, new Uint8Array(await timeZones.arrayBuffer()), { canOwn: true });
  pyodide.runPython(`import sys
if ${JSON.stringify(root)} not in sys.path:
    sys.path[:0] = [${JSON.stringify(root)}]
    sys.path.append(${JSON.stringify(zones)})`);
}
