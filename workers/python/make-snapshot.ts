/** Python's memory, taken before any tool code has come near it, for Pythons that start later. */

import type { ToolWorkerAssets } from '../../src/protocol/python.ts';
import { loadPyodideFrom } from './load-pyodide.ts';
import { packImage } from './sparse-image.ts';
import { writeLoader } from './write-loader.ts';

/** Part of Pyodide's experimental side, whose types are vaguer than what it gives. */
interface Snapshotting {
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}

/** The heap that Pyodide begins with: a memory that has outgrown it could not be put into another. */
const firstHeapBytes = 32 * 1024 * 1024;

/** @throws {Error} where Python holds an object of the host, which no other could be given */
export async function makeSnapshot(assets: ToolWorkerAssets): Promise<Blob> {
  const pyodide = await loadPyodideFrom(assets, firstHeapBytes, { _makeSnapshot: true });
  await writeLoader(pyodide, assets);
  // Not by pyimport, which would leave a proxy behind; and nothing is connected yet, for the same reason.
  pyodide.runPython('import cloche.main, cloche.renewal, gc; gc.collect()');
  return new Blob(packImage((pyodide as unknown as Snapshotting).makeMemorySnapshot()));
}
