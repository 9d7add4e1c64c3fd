/** The files that the app fetches, verifies and passes to the sandbox. */
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { loaderPath } from '../../workers/python/archive-paths.ts';
import { bundleClassic, type BuildSettings } from './classic-script.ts';
import { hashedUrl, sha256 } from './digest.ts';
import { packModules } from './pack-modules.ts';
import type { Made } from './product.ts';
import { pyodideFile, pyodideLock, pyodideScript } from './pyodide.ts';
import { pythonSources } from './python-sources.ts';
import { pythonStdlib } from './python-stdlib.ts';

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
  const loader = await pythonLoader(root, (path) => !lateModules.test(path));
  const lateLoader = await pythonLoader(root, (path) => lateModules.test(path));
  const stdlib = await pythonStdlib(root, lateLoader.value);
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
  return {
    name,
    url: hashedUrl(file, bytes),
    sha256: sha256(bytes, 'hex'),
    bytes: bytes.byteLength,
    content: bytes,
  };
}

/**
 * The script of the tool worker: prelude, Pyodide and our worker, in one classic script. The prelude goes first, because
 * Pyodide inspects the global scope as soon as it is evaluated.
 */
async function toolWorker(settings: BuildSettings): Promise<Made<string>> {
  const folder = join(settings.root, 'workers/python');
  const prelude = await bundleClassic(join(folder, 'prelude.ts'), settings);
  const worker = await bundleClassic(join(folder, 'worker.ts'), settings);
  const script = [prelude.value, await pyodideScript(settings.root), worker.value].join('\n;');
  return {
    value: asAscii(script),
    sources: [...prelude.sources, ...worker.sources, pyodideFile(settings.root, 'package.json')],
  };
}

/** Escapes what is not ASCII. A single “…” would make browsers store the script with two bytes per character: 2.6 MB instead of 1.3. */
function asAscii(script: string): string {
  return script.replace(/[\u0080-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The modules of the loader that only files of other frameworks, extensions and programs need: they arrive with the rest of the standard library. */
const lateModules = /^cloche\/(foreign\/|actions|extension_|mock|program)/;

/** Modules of the Python loader, as a zip of compiled modules. */
async function pythonLoader(
  root: string,
  isIncluded: (path: string) => boolean,
): Promise<Made<Uint8Array>> {
  const folder = join(root, 'workers/python/py');
  const modules = Object.entries(await pythonSources(folder)).filter(
    // Run under ordinary Python: see scripts/python-programs.mjs.
    ([path]) => !/^cloche\/(serving|testing)\//.test(path) && isIncluded(path),
  );
  const packed = await packModules(root, Object.fromEntries(modules), loaderPath);
  return { value: packed.value, sources: [folder + sep, ...packed.sources] };
}
