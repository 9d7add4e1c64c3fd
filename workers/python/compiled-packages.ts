/**
 * Packages as byte code: one interpreter compiles them without running their code, and others write the files into
 * Python's file system, which takes them a tenth of the time.
 */

import type { PyodideAPI } from 'pyodide';
import { CopyFs, type EmscriptenFs, type FsNode } from './copy-fs.ts';
import { targetFolders } from './packages.ts';

const root = targetFolders.site;
const lengthBytes = 4;

/** Path below the folder of packages, milliseconds of its last change, and length in bytes. */
type Entry = readonly [path: string, modifiedAt: number, bytes: number];

/**
 * Compiles everything that has been installed. Python compares byte code with the time and size of its source, so a tool
 * that changes a package gets its change.
 * @returns the length of a list of files, the list as JSON, and the files
 */
export function compilePackages(pyodide: PyodideAPI): Blob {
  pyodide.runPython(`
import compileall, py_compile
compileall.compile_dir(${JSON.stringify(root)}, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP)
`);
  const fs = copyFs(pyodide);
  const entries: Entry[] = [];
  const contents: Uint8Array<ArrayBuffer>[] = [];
  const add = (folder: FsNode, above: string): void => {
    for (const [name, node] of fs.childrenOf(folder)) {
      const path = `${above}${name}`;
      if (fs.kindOf(node) === 'folder') add(node, `${path}/`);
      else if (fs.kindOf(node) === 'file') {
        const bytes = new Uint8Array(fs.bytesOf(node));
        entries.push([path, node.mtime, bytes.byteLength]);
        contents.push(bytes);
      }
    }
  };
  const installed = fs.folderAt(root);
  if (installed !== null) add(installed, '');
  const list = new TextEncoder().encode(JSON.stringify(entries));
  return new Blob([Uint32Array.of(list.byteLength), list, ...contents]);
}

/** Writes what {@link compilePackages} has returned. @throws {Error} if it is not that */
export function writeCompiled(pyodide: PyodideAPI, packed: ArrayBuffer): void {
  const [length = 0] = new Uint32Array(packed, 0, 1);
  const list = new TextDecoder().decode(new Uint8Array(packed, lengthBytes, length));
  const fs = copyFs(pyodide);
  const made = new Set<string>();
  let at = lengthBytes + length;
  for (const [path, modifiedAt, bytes] of readEntries(list)) {
    const file = `${root}/${path}`;
    const folder = file.slice(0, file.lastIndexOf('/'));
    if (!made.has(folder)) fs.makeFolder(folder);
    made.add(folder);
    fs.writeFile(file, new Uint8Array(packed, at, bytes), modifiedAt);
    at += bytes;
  }
  pyodide.runPython('import importlib; importlib.invalidate_caches()');
}

function copyFs({ FS }: PyodideAPI): CopyFs {
  // Pyodide's types do not declare the nodes of the in-memory file system.
  return new CopyFs(FS as unknown as EmscriptenFs);
}

function readEntries(list: string): Entry[] {
  const entries: unknown = JSON.parse(list);
  if (!Array.isArray(entries)) throw new Error('not a list of files');
  return entries.map((entry: unknown) => {
    const [path, modifiedAt, bytes] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof path !== 'string' || typeof modifiedAt !== 'number' || typeof bytes !== 'number')
      throw new Error('not a list of files');
    return [path, modifiedAt, bytes];
  });
}
