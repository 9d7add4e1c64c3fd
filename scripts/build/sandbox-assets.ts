/** The files that the app fetches, verifies and passes to the sandbox. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleClassic, type BuildSettings } from './classic-script.ts';
import { sha256 } from './digest.ts';
import type { Made } from './product.ts';
import { pyodideFile, pyodideLock } from './pyodide.ts';
import { pythonLoader } from './python-loader.ts';
import { pythonStdlib } from './python-stdlib.ts';
import { toolWorker } from './tool-worker.ts';

export interface SandboxFile {
  name: string;
  /** Path below the app's base, with a piece of the content's hash in it. */
  url: string;
  sha256: string;
  bytes: number;
  content: Uint8Array;
}

export async function sandboxFiles(settings: BuildSettings): Promise<Made<SandboxFile[]>> {
  const { root } = settings;
  const broker = await bundleClassic(join(root, 'workers/frame/broker.ts'), settings);
  const tool = await toolWorker(settings);
  const loader = await pythonLoader(root);
  const stdlib = await pythonStdlib(root);
  return {
    // In download order, two at a time. The files that prepare the frame come first.
    value: [
      sandboxFile('toolWorker', 'tool-worker.js', tool.value),
      sandboxFile('broker', 'broker.js', broker.value),
      sandboxFile(
        'wasm',
        'pyodide.asm.wasm',
        await readFile(pyodideFile(root, 'pyodide.asm.wasm')),
      ),
      sandboxFile('stdlib', 'python-start.bin', stdlib.value.start),
      sandboxFile('lockfile', 'pyodide-lock.json', await pyodideLock(root)),
      sandboxFile('loader', 'loader.zip', loader.value),
      sandboxFile('stdlibRest', 'python-rest.bin', stdlib.value.rest),
      sandboxFile('stdlibSources', 'python-sources.bin', stdlib.value.sources),
    ],
    sources: [...broker.sources, ...tool.sources, ...loader.sources, ...stdlib.sources],
  };
}

function sandboxFile(name: string, file: string, content: string | Uint8Array): SandboxFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const hash = sha256(bytes, 'hex');
  const dot = file.lastIndexOf('.');
  return {
    name,
    url: `assets/${file.slice(0, dot)}-${hash.slice(0, 10)}${file.slice(dot)}`,
    sha256: hash,
    bytes: bytes.byteLength,
    content: bytes,
  };
}
