/** Loads Pyodide from bytes that the page has sent: from its files, or with a snapshot of memory. */

import type { loadPyodide as LoadPyodide, PyodideAPI } from 'pyodide';
import type { PythonFiles } from '../../src/protocol/python.ts';

type Options = NonNullable<Parameters<typeof LoadPyodide>[0]>;

/** Globals of Pyodide's scripts, which the build puts before this one. */
interface PyodideGlobals {
  loadPyodide: typeof LoadPyodide;
  _createPyodideModule: NonNullable<Options['createPyodideModule']>;
  /** Limit of the heap; the build changes Pyodide's heap growth to read it. */
  __heapBytes: number;
  /** Writes a snapshot into the heap; the build changes Pyodide's restoring to call it. */
  __restoreHeap: RestoreHeap;
}

/** @param part of the given snapshot: without its head */
export type RestoreHeap = (heap: Int8Array, part: Uint8Array) => void;

/** Experimental options of Pyodide. The build pins its version, and tests/snapshot.test.ts fails if they change. */
export interface MemoryOptions {
  /** Records where Python's JavaScript objects come from, which a snapshot requires. */
  readonly _makeSnapshot?: true;
  readonly _loadSnapshot?: Uint8Array;
}

// Never requested: requests below this address are answered from the given bytes.
const indexURL = 'https://cloche.invalid/';

export function loadPyodideFrom(
  python: PythonFiles,
  heapBytes: number,
  memory: MemoryOptions,
  restoreHeap: RestoreHeap = noSnapshot,
): Promise<PyodideAPI> {
  const globals = self as unknown as PyodideGlobals;
  globals.__heapBytes = heapBytes;
  globals.__restoreHeap = restoreHeap;
  const options: Options & MemoryOptions = {
    indexURL,
    createPyodideModule: globals._createPyodideModule,
    lockFileContents: python.lockfile,
    // End of input: input() raises EOFError instead of opening a prompt.
    stdin: () => null,
    env: { HOME: '/home/pyodide', PYTHONDONTWRITEBYTECODE: '1' },
    ...memory,
  };
  const files = new Map([
    [
      'pyodide.asm.wasm',
      new Response(python.wasm, { headers: { 'content-type': 'application/wasm' } }),
    ],
    ['python_stdlib.zip', new Response(python.stdlib)],
  ]);
  return withFetchFrom(files, () => globals.loadPyodide(options));
}

function noSnapshot(): never {
  throw new Error('There is no snapshot to start from.');
}

/** Lets Pyodide fetch these files and nothing else while `work` runs. */
async function withFetchFrom<T>(
  files: ReadonlyMap<string, Response>,
  work: () => Promise<T>,
): Promise<T> {
  const original = self.fetch.bind(self);
  self.fetch = (input) => {
    const address = input instanceof Request ? input.url : String(input);
    const file = files.get(address.slice(indexURL.length));
    return file
      ? Promise.resolve(file)
      : Promise.reject(new TypeError(`${address} is not available`));
  };
  try {
    return await work();
  } finally {
    self.fetch = original;
  }
}
