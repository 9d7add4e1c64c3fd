/** Installs wheels before any file of the folder is there, and runs the resolver that chooses them. */

import type { PyodideAPI } from 'pyodide';
import type { PyProxy } from 'pyodide/ffi';
import type { ResolveRequest } from '../../src/runtime/protocol/packages.ts';
import type { Wheel } from '../../src/runtime/spec/wheel.ts';
import { resolverPath } from './archive-paths.ts';

/** The private API that micropip installs with. Pyodide's version is pinned, and tests/packages fail if it changes. */
interface Installer {
  readonly _api: {
    install(bytes: Uint8Array, filename: string, folder: string): Promise<void>;
  };
}

export const targetFolders: Readonly<Record<Wheel['target'], string>> = {
  site: '/lib/python3.14/site-packages',
  dynlib: '/usr/lib',
};

/** Installs wheels in the given order, since a library must precede those linked with it. @throws {Error} names the wheel */
export async function installWheels(pyodide: PyodideAPI, wheels: readonly Wheel[]): Promise<void> {
  const { _api: api } = pyodide as PyodideAPI & Installer;
  for (const { filename, target, content } of wheels) {
    pyodide.FS.mkdirTree(targetFolders[target]);
    const bytes = new Uint8Array(await content.arrayBuffer());
    try {
      await api.install(bytes, filename, targetFolders[target]);
    } catch (thrown) {
      // The last line of Python's traceback is the error.
      const why = thrown instanceof Error ? thrown.message.trim().split('\n').at(-1) : '';
      throw new Error(`${filename} could not be installed: ${why ?? ''}`, { cause: thrown });
    }
  }
}

interface Resolver extends PyProxy {
  resolve(request: string): string;
}

let resolver: Resolver | undefined;

/** @param archive a zip of the resolver's modules; null if an earlier request has sent it. @returns JSON text of the answer */
export async function resolvePackages(
  pyodide: PyodideAPI,
  archive: Blob | null,
  request: ResolveRequest,
): Promise<string> {
  if (archive !== null) {
    pyodide.FS.writeFile(resolverPath, new Uint8Array(await archive.arrayBuffer()));
    pyodide.runPython(`import sys; sys.path.insert(0, "${resolverPath}")`);
  }
  resolver ??= pyodide.pyimport('cloche_resolver') as Resolver;
  return resolver.resolve(JSON.stringify(request));
}
