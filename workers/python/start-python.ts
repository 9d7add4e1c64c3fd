/** Starts Pyodide with Cloche's loader, from its files or from a snapshot. */

import type { PyodideAPI } from 'pyodide';
import type { LibraryFiles, PythonFiles } from '../../src/protocol/python.ts';
import { loadPyodideFrom, type RestoreHeap } from './load-pyodide.ts';
import { release } from './release.ts';
import { unpackImage, writeImage } from './sparse-image.ts';
import { writeLibraries } from './write-libraries.ts';

export interface StartOptions {
  readonly module: Promise<WebAssembly.Module>;
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
  { module, files, libraries, heapBytes, snapshot }: StartOptions,
  onStep: (step: string) => void,
): Promise<PyodideAPI> {
  onStep('Starting Python');
  if (snapshot === null) {
    const pyodide = await loadPyodideFrom(module, files, heapBytes, {});
    onStep('Loading the tool loader');
    await writeLibraries(pyodide, await libraries);
    return pyodide;
  }
  const packed = new Uint8Array(await snapshot.arrayBuffer());
  const { bytes, runs } = unpackImage(packed.buffer, heapBytes);
  release(packed);
  const restore: RestoreHeap = (heap, part) => {
    writeImage(heap, part, runs);
  };
  const pyodide = await loadPyodideFrom(
    module,
    files,
    heapBytes,
    { _loadSnapshot: bytes },
    restore,
  );
  // Pyodide holds a reference to it.
  release(bytes);
  // A snapshot does not contain files.
  await writeLibraries(pyodide, await libraries);
  pyodide.runPython('from cloche.renewal import renew; renew(); del renew');
  return pyodide;
}
