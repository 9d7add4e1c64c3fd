/** Packages in this interpreter: wheels installed before anything of a folder is there, and the resolver that chooses them. */

import type { PyodideAPI } from 'pyodide';
import type { PyProxy } from 'pyodide/ffi';
import type { ResolveRequest } from '../../src/protocol/packages.ts';
import type { Wheel } from '../../src/spec/wheel.ts';
import { resolverPath } from './resolver-path.ts';

/** What micropip installs with: not public, and pinned with Pyodide; tests/packages would tell of a change. */
interface Installer {
  readonly _api: {
    install(bytes: Uint8Array, filename: string, folder: string): Promise<void>;
  };
}

const places: Readonly<Record<Wheel['target'], string>> = {
  site: '/lib/python3.14/site-packages',
  dynlib: '/usr/lib',
};

/** One after the other: a library goes before what is linked with it. */
export async function installWheels(pyodide: PyodideAPI, wheels: readonly Wheel[]): Promise<void> {
  const { _api: api } = pyodide as PyodideAPI & Installer;
  for (const { filename, target, content } of wheels) {
    pyodide.FS.mkdirTree(places[target]);
    const bytes = new Uint8Array(await content.arrayBuffer());
    try {
      await api.install(bytes, filename, places[target]);
    } catch (thrown) {
      // Python's traceback ends with what went wrong.
      const why = thrown instanceof Error ? thrown.message.trim().split('\n').at(-1) : '';
      throw new Error(`${filename} could not be installed: ${why ?? ''}`, { cause: thrown });
    }
  }
}

interface Resolver extends PyProxy {
  resolve(request: string): string;
}

let resolver: Resolver | undefined;

/** @param archive the resolver's modules; null where an earlier question has brought them */
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
