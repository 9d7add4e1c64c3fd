/** Prepares Pyodide's files for the sandbox: classic scripts, and the parts that the app passes as bytes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJson } from '../read-files.mjs';

/** Pyodide's two scripts as one classic script; afterwards `loadPyodide` and `_createPyodideModule` are global. */
export async function pyodideScript(root: string): Promise<string> {
  const [loader, module] = await Promise.all([
    readFile(pyodideFile(root, 'pyodide.js'), 'utf8'),
    readFile(pyodideFile(root, 'pyodide.asm.mjs'), 'utf8'),
  ]);
  const quickLoader = withoutErrors(withoutCopy(loader));
  const withoutMap = quickLoader.replace(/^\/\/# sourceMappingURL=.*$/m, '');
  return strictly(withoutMap) + strictly(asClassic(module));
}

/** The lock file without the distribution's packages, none of which is available in the sandbox. */
export async function pyodideLock(root: string): Promise<string> {
  const lock = await readJson(pyodideFile(root, 'pyodide-lock.json'));
  if (typeof lock !== 'object' || lock === null || !('info' in lock)) {
    throw new Error("pyodide-lock.json has no `info`: look at the new Pyodide's format.");
  }
  return JSON.stringify({ info: lock.info, packages: {} });
}

/** The path of a file of the package `pyodide`. */
export function pyodideFile(root: string, name: string): string {
  return join(root, 'node_modules/pyodide', name);
}

// The archive of the standard library stays in memory only once: Pyodide's file system takes the bytes instead of a copy.
function withoutCopy(loader: string): string {
  return replaceOnce(loader, '.zip`,r)', '.zip`,r,{canOwn:true})');
}

// Removes two places that make an error and catch it. For each error, V8 reads every running function a second time, to know
// its lines: here the whole script.
function withoutErrors(loader: string): string {
  // Pyodide asks whether its worker is a module, which it is not.
  const accepted = replaceOnce(
    loader,
    'return globalThis.importScripts("data:text/javascript,"),!0',
    'return!1',
  );
  // Pyodide exports `loadPyodide`, which is global here.
  return replaceOnce(accepted, 'try{Object.assign(exports,loadPyodide)}catch(_){}', '');
}

/** Makes a classic script of the module, with the changes that the sandbox needs. */
function asClassic(module: string): string {
  // V8 compiles a function in parentheses at once. Otherwise it would read this one, which is nearly the whole script, twice.
  const begun = replaceOnce(
    module,
    'async function _createPyodideModule(',
    'globalThis._createPyodideModule=(async function(',
  );
  // A classic script has no exports.
  const named = replaceOnce(begun, 'export default _createPyodideModule;', ');');
  // The heap asks us before it grows, because the memory that the module creates cannot be given a maximum.
  const limited = replaceOnce(
    named,
    'getHeapMax=()=>4294901760',
    'getHeapMax=()=>self.__heapBytes??4294901760',
  );
  // We restore snapshots ourselves, because every page that is written takes memory, even if only zeros are written. The heap
  // grows first, because Pyodide cannot restore a snapshot that is larger than a new heap.
  const restored = replaceOnce(
    limited,
    'Module.HEAP8.set(t),l',
    't.length>Module.HEAP8.length&&Module.growMemory(t.length),self.__restoreHeap(Module.HEAP8,t),l',
  );
  // Only Node needs shared memory here. Chromium warns of it, and V8 would read the script again for the line of the warning.
  const unshared = replaceOnce(
    restored,
    'new Int32Array(new WebAssembly.Memory({shared:!0,initial:1,maximum:1}).buffer)',
    'new Int32Array(1)',
  );
  // A classic script has no import.meta. The address is used to find files that we hand over anyway.
  return unshared.replaceAll('import.meta.url', 'self.__pyodideScriptURL');
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) {
    throw new Error(
      `Pyodide's script does not contain "${from}" exactly once: look at the new Pyodide's format.`,
    );
  }
  return text.replace(from, () => to);
}

// Both scripts need strict mode, which a directive in the middle of a script cannot turn on.
function strictly(script: string): string {
  return `(function(){"use strict";${script}\n})();\n`;
}
