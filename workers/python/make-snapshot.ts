/** Makes a snapshot: Python's memory after startup and before any tool code. */

import type { LibraryFiles, PythonFiles } from '../../src/protocol/python.ts';
import { loadPyodideFrom } from './load-pyodide.ts';
import { packImage } from './sparse-image.ts';
import { writeLibraries } from './write-libraries.ts';

/** Experimental and untyped in Pyodide. */
interface Snapshotting {
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}

/** Pyodide's initial heap; a larger snapshot could not be loaded. */
const firstHeapBytes = 32 * 1024 * 1024;

/** @throws {Error} if Python holds a JavaScript object, which a snapshot cannot contain */
export async function makeSnapshot(
  module: Promise<WebAssembly.Module>,
  files: PythonFiles,
  libraries: LibraryFiles,
): Promise<Blob> {
  const pyodide = await loadPyodideFrom(module, files, firstHeapBytes, { _makeSnapshot: true });
  await writeLibraries(pyodide, libraries);
  // Not pyimport, which would leave a proxy; for the same reason the loader is not connected yet.
  pyodide.runPython('import cloche.main, cloche.renewal, gc; gc.collect()');
  return new Blob(packImage((pyodide as unknown as Snapshotting).makeMemorySnapshot()));
}
