/** Loads Pyodide from what the page and the broker have sent: from its files, or with a snapshot of memory. */

import type { loadPyodide as LoadPyodide, PyodideAPI } from 'pyodide';
import type { PythonFiles } from '../../src/runtime/protocol/python.ts';
import { withGap } from './write-libraries.ts';

type Options = NonNullable<Parameters<typeof LoadPyodide>[0]>;

/** Globals of Pyodide's scripts, which the build puts before this one. */
interface PyodideGlobals {
  loadPyodide: typeof LoadPyodide;
  _createPyodideModule: NonNullable<Options['createPyodideModule']>;
  /** Limit of the heap; the build changes Pyodide's heap growth to read it. */
  __heapBytes: number;
  /** Writes a snapshot into the heap; the build makes Pyodide call it. */
  __restoreHeap: RestoreHeap;
}

/** @param part the snapshot that Pyodide was given, without its head */
export type RestoreHeap = (heap: Int8Array, part: Uint8Array) => void;

/** Experimental options of Pyodide. The build pins its version, and tests/snapshot.test.ts fails if they change. */
export interface MemoryOptions {
  /** Records where Python's JavaScript objects come from, which a snapshot requires. */
  readonly _makeSnapshot?: true;
  readonly _loadSnapshot?: Uint8Array;
}

// No request is sent to this address: requests below it are answered from the given bytes.
const indexURL = 'https://cloche.invalid/';

/**
 * Loads Pyodide without a network request.
 * @param module the compiled pyodide.asm.wasm
 * @param memory empty, or the options to make a snapshot or to start from one
 * @param restoreHeap writes the rest of the snapshot into the heap
 */
export function loadPyodideFrom(
  module: Promise<WebAssembly.Module>,
  { stdlib, lockfile }: PythonFiles,
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
    lockFileContents: lockfile,
    // `null` is the end of input: input() raises EOFError instead of opening a prompt.
    stdin: () => null,
    env: { HOME: '/home/pyodide', PYTHONDONTWRITEBYTECODE: '1' },
    ...memory,
  };
  const files = new Map([
    // Pyodide requests this file, but does not read it.
    ['pyodide.asm.wasm', Promise.resolve(new Response())],
    ['python_stdlib.zip', archiveFrom(stdlib)],
  ]);
  return withModule(module, () => withFetchFrom(files, () => globals.loadPyodide(options)));
}

/**
 * Returns only the members of a response that Pyodide reads. A real one would copy the archive, and
 * keep the copy for a long time.
 */
async function archiveFrom(stdlib: Blob): Promise<Response> {
  const { buffer } = withGap(await stdlib.arrayBuffer());
  return { ok: true, arrayBuffer: () => Promise.resolve(buffer) } as Response;
}

/** While `work` runs, makes Pyodide instantiate this module instead of compiling one. */
async function withModule<T>(
  module: Promise<WebAssembly.Module>,
  work: () => Promise<T>,
): Promise<T> {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const compiled = await module;
    return { module: compiled, instance: await WebAssembly.instantiate(compiled, imports) };
  };
  try {
    return await work();
  } finally {
    WebAssembly.instantiateStreaming = instantiateStreaming;
  }
}

function noSnapshot(): never {
  throw new Error('There is no snapshot to start from.');
}

/** Lets Pyodide fetch these files and nothing else while `work` runs. */
async function withFetchFrom<T>(
  files: ReadonlyMap<string, Promise<Response>>,
  work: () => Promise<T>,
): Promise<T> {
  const original = self.fetch.bind(self);
  self.fetch = (input) => {
    const address = input instanceof Request ? input.url : String(input);
    const file = files.get(address.slice(indexURL.length));
    return file ?? Promise.reject(new TypeError(`${address} is not available`));
  };
  try {
    return await work();
  } finally {
    self.fetch = original;
  }
}
