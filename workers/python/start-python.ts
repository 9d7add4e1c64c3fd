/** Starts Pyodide from the bytes that the page handed over, and our loader in it. */

import type { loadPyodide as LoadPyodide, PyodideAPI } from 'pyodide';
import type { ToolWorkerAssets } from '../../src/protocol/python.ts';

type CreateModule = NonNullable<
  NonNullable<Parameters<typeof LoadPyodide>[0]>['createPyodideModule']
>;

/** The globals that Pyodide's scripts leave; the build puts them before this one. */
interface PyodideGlobals {
  loadPyodide: typeof LoadPyodide;
  _createPyodideModule: CreateModule;
  /** Read by the heap's growth check, which the build has changed to ask for it. */
  __heapBytes: number;
}

// Nothing is ever fetched from it: what Pyodide asks for below it is answered from the bytes at hand.
const indexURL = 'https://cloche.invalid/';

/** @param onStep told what is being done, for the person who waits */
export async function startPython(
  assets: ToolWorkerAssets,
  heapBytes: number,
  onStep: (step: string) => void,
): Promise<PyodideAPI> {
  const globals = self as unknown as PyodideGlobals;
  globals.__heapBytes = heapBytes;
  onStep('Starting Python');
  const pyodide = await withFetchFrom(
    new Map([
      [
        'pyodide.asm.wasm',
        new Response(assets.wasm, { headers: { 'content-type': 'application/wasm' } }),
      ],
      ['python_stdlib.zip', new Response(assets.stdlib)],
    ]),
    () =>
      globals.loadPyodide({
        indexURL,
        createPyodideModule: globals._createPyodideModule,
        lockFileContents: assets.lockfile,
        // At the end of the input: input() raises EOFError instead of asking anybody.
        stdin: () => null,
        env: { HOME: '/home/pyodide', PYTHONDONTWRITEBYTECODE: '1' },
      }),
  );
  onStep('Loading the tool loader');
  await writeLoader(pyodide, assets);
  return pyodide;
}

async function writeLoader(pyodide: PyodideAPI, assets: ToolWorkerAssets): Promise<void> {
  const { FS } = pyodide;
  const root = '/usr/lib/cloche';
  for (const [path, text] of Object.entries(JSON.parse(assets.loader) as Record<string, string>)) {
    const file = `${root}/${path}`;
    FS.mkdirTree(file.slice(0, file.lastIndexOf('/')));
    FS.writeFile(file, text);
  }
  const zones = `${root}/tzdata.zip`;
  FS.writeFile(zones, new Uint8Array(await assets.timeZones.arrayBuffer()));
  pyodide.runPython(
    `import sys; sys.path[:0] = [${JSON.stringify(root)}]; sys.path.append(${JSON.stringify(zones)})`,
  );
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
      : Promise.reject(new TypeError(`${address} is not at hand`));
  };
  try {
    return await work();
  } finally {
    self.fetch = original;
  }
}
