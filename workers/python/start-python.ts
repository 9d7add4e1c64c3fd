/** Starts Pyodide with our loader in it: from the files that the page handed over, or where a snapshot left off. */

import type { PyodideAPI } from 'pyodide';
import type { ToolWorkerAssets } from '../../src/protocol/python.ts';
import { loadPyodideFrom } from './load-pyodide.ts';
import { unpackImage } from './sparse-image.ts';
import { writeLoader } from './write-loader.ts';

export interface StartOptions {
  readonly assets: ToolWorkerAssets;
  readonly heapBytes: number;
  readonly snapshot: ArrayBuffer | null;
}

/**
 * @param onStep told what is being done, for the person who waits
 * @throws {Error} also where the snapshot is not what it should be
 */
export async function startPython(
  { assets, heapBytes, snapshot }: StartOptions,
  onStep: (step: string) => void,
): Promise<PyodideAPI> {
  onStep('Starting Python');
  if (snapshot === null) {
    const pyodide = await loadPyodideFrom(assets, heapBytes, {});
    onStep('Loading the tool loader');
    await writeLoader(pyodide, assets);
    return pyodide;
  }
  const image = unpackImage(snapshot, heapBytes);
  const pyodide = await loadPyodideFrom(assets, heapBytes, { _loadSnapshot: image });
  release(image);
  // Files are not part of a memory.
  await writeLoader(pyodide, assets);
  pyodide.runPython('from cloche.renewal import renew; renew(); del renew');
  return pyodide;
}

/** Pyodide holds on to what it was given, which is as large as Python's memory itself. */
function release({ buffer }: Uint8Array<ArrayBuffer>): void {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, [buffer]);
  port1.close();
  port2.close();
}
