/** Starts Pyodide with Cloche's loader, from its files or from a snapshot. */

import type { PyodideAPI } from 'pyodide';
import type { LibraryFiles, PythonFiles } from '../../src/protocol/python.ts';
import { loadPyodideFrom } from './load-pyodide.ts';
import { release, writeLibraries } from './write-libraries.ts';
import { unpackImage, packImage } from './sparse-image.ts';

export interface StartOptions {
  readonly files: PythonFiles;
  /** Needed only once Python runs. */
  readonly libraries: Promise<LibraryFiles>;
  readonly heapBytes: number;
  readonly snapshot: Blob | null;
}

/**
 * @param onStep called with a description of each step, for the user
 * @throws {Error} if Python does not start, or the snapshot is invalid
 */
export async function startPython(
  { files, libraries, heapBytes, snapshot }: StartOptions,
  onStep: (step: string) => void,
): Promise<PyodideAPI> {
  onStep('Starting Python');
  if (snapshot === null) {
    const pyodide = await loadPyodideFrom(files, heapBytes, {});
    onStep('Loading the tool loader');
    await writeLibraries(pyodide, await libraries);
    return pyodide;
  }
  const image = unpackImage(await snapshot.arrayBuffer(), heapBytes);
  const pyodide = await loadPyodideFrom(files, heapBytes, { _loadSnapshot: image });
  // Pyodide holds a reference to it.
  release(image);
  // A snapshot does not contain files.
  await writeLibraries(pyodide, await libraries);
  pyodide.runPython('from cloche.renewal import renew; renew(); del renew');
  return pyodide;
}

/** Experimental and untyped in Pyodide. */
interface Snapshotting {
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}

/** Pyodide's initial heap; a larger snapshot could not be loaded. */
const firstHeapBytes = 32 * 1024 * 1024;

/**
 * Makes a snapshot: Python’s memory after startup and before any tool code.
 *
 * @throws {Error} if Python holds a JavaScript object, which a snapshot cannot contain
 */
export async function makeSnapshot(files: PythonFiles, libraries: LibraryFiles): Promise<Blob> {
  const pyodide = await loadPyodideFrom(files, firstHeapBytes, { _makeSnapshot: true });
  await writeLibraries(pyodide, libraries);
  // Not pyimport, which would leave a proxy; for the same reason the loader is not connected yet.
  pyodide.runPython('import cloche.main, cloche.renewal, gc; gc.collect()');
  return new Blob(packImage((pyodide as unknown as Snapshotting).makeMemorySnapshot()));
}
