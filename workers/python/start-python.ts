/** Starts Pyodide with Cloche's loader, from its files or from a snapshot. */

import type { PyodideAPI } from 'pyodide';
import type { LibraryFiles, PythonFiles } from '../../src/runtime/protocol/python.ts';
import { loadPyodideFrom, type RestoreHeap } from './load-pyodide.ts';
import { onlyHead, packImage, readImage, writeImage } from './sparse-image.ts';
import { release } from './release.ts';
import { completeStdlib, writeLoader } from './write-libraries.ts';

export interface StartOptions {
  readonly module: Promise<WebAssembly.Module>;
  readonly files: PythonFiles;
  readonly heapBytes: number;
  readonly snapshot: Blob | null;
}

/**
 * @param onStep called with a description of each step, for the user
 * @throws {Error} if Python does not start, or the snapshot is invalid
 */
export async function startPython(
  { module, files, heapBytes, snapshot }: StartOptions,
  onStep: (step: string) => void,
): Promise<PyodideAPI> {
  onStep('Starting Python');
  if (snapshot === null) {
    const pyodide = await loadPyodideFrom(module, files, heapBytes, {});
    onStep('Loading the tool loader');
    await writeLoader(pyodide, files.loader);
    pyodide.runPython('import cloche.main');
    return pyodide;
  }
  const packed = new Uint8Array(await snapshot.arrayBuffer());
  const image = readImage(packed.buffer, heapBytes);
  const bytes = onlyHead(image);
  const restore: RestoreHeap = (heap, part) => {
    writeImage(heap, part, image.runs);
    release(packed);
  };
  const pyodide = await loadPyodideFrom(
    module,
    files,
    heapBytes,
    { _loadSnapshot: bytes },
    restore,
  );
  // Pyodide holds a reference to the bytes.
  release(bytes);
  // A snapshot does not contain files.
  await writeLoader(pyodide, files.loader);
  pyodide.runPython('from cloche.renewal import renew; renew(); del renew');
  return pyodide;
}

/** Experimental and untyped in Pyodide. */
interface Snapshotting {
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}

/** Limit of the heap of a snapshot. Pyodide's initial heap has 30 MB. */
const snapshotHeapBytes = 64 * 1024 * 1024;

/**
 * Makes a snapshot: Python’s memory after startup and before any tool code.
 *
 * @param forPackages whether to import what packages import of the standard library, too
 * @throws {Error} if Python holds a JavaScript object, which a snapshot cannot contain
 */
export async function makeSnapshot(
  module: Promise<WebAssembly.Module>,
  files: PythonFiles,
  libraries: LibraryFiles,
  forPackages: boolean,
): Promise<Blob> {
  const pyodide = await loadPyodideFrom(module, files, snapshotHeapBytes, { _makeSnapshot: true });
  await writeLoader(pyodide, files.loader);
  await completeStdlib(pyodide, libraries.stdlibRest, 0);
  // `pyimport` would leave a proxy; for the same reason the loader is not connected yet.
  if (forPackages) pyodide.runPython('import cloche.package_imports');
  pyodide.runPython('import cloche.main, cloche.renewal, gc; gc.collect()');
  return new Blob(packImage((pyodide as unknown as Snapshotting).makeMemorySnapshot()));
}
