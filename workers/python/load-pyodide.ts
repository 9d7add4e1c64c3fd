/** Pyodide from the bytes that the page handed over: from its files, or from a memory that an earlier one has left. */

import type { loadPyodide as LoadPyodide, PyodideAPI } from 'pyodide';
import type { ToolWorkerAssets } from '../../src/protocol/python.ts';

type Options = NonNullable<Parameters<typeof LoadPyodide>[0]>;

/** The globals that Pyodide's scripts leave; the build puts them before this one. */
interface PyodideGlobals {
  loadPyodide: typeof LoadPyodide;
  _createPyodideModule: NonNullable<Options['createPyodideModule']>;
  /** Read by the heap's growth check, which the build has changed to ask for it. */
  __heapBytes: number;
}

/** What Pyodide calls experimental; the build pins the version, and tests/snapshot.test.ts would tell of a change. */
export interface MemoryOptions {
  /** Has it note where Python's JavaScript objects come from, which a snapshot needs. */
  readonly _makeSnapshot?: true;
  readonly _loadSnapshot?: Uint8Array;
}

// Nothing is ever fetched from it: what Pyodide asks for below it is answered from the bytes at hand.
const indexURL = 'https://cloche.invalid/';

export function loadPyodideFrom(
  assets: ToolWorkerAssets,
  heapBytes: number,
  memory: MemoryOptions,
): Promise<PyodideAPI> {
  const globals = self as unknown as PyodideGlobals;
  globals.__heapBytes = heapBytes;
  const options: Options & MemoryOptions = {
    indexURL,
    createPyodideModule: globals._createPyodideModule,
    lockFileContents: assets.lockfile,
    // At the end of the input: input() raises EOFError instead of asking anybody.
    stdin: () => null,
    env: { HOME: '/home/pyodide', PYTHONDONTWRITEBYTECODE: '1' },
    ...memory,
  };
  const files = new Map([
    [
      'pyodide.asm.wasm',
      new Response(assets.wasm, { headers: { 'content-type': 'application/wasm' } }),
    ],
    ['python_stdlib.zip', new Response(assets.stdlib)],
  ]);
  return withFetchFrom(files, () => globals.loadPyodide(options));
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
