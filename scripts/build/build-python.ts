/** Starts Pyodide in Node to compile Python modules. Byte code must come from the Python that runs it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import type { PyProxy } from 'pyodide/ffi';

/** Starts Pyodide with a script of workers/python imported. The same input gives the same byte code in each fresh one. */
export async function buildPython(
  root: string,
  script: 'pack_loader' | 'pack_stdlib',
): Promise<{ pyodide: PyodideAPI; packer: PyProxy; sources: string[] }> {
  const file = join(root, 'workers/python', `${script}.py`);
  const [text, pyodide] = await Promise.all([
    readFile(file, 'utf8'),
    loadPyodide({ env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' } }),
  ]);
  pyodide.FS.writeFile(`/home/pyodide/${script}.py`, text);
  const packer = pyodide.pyimport(script) as PyProxy;
  return { pyodide, packer, sources: [file, join(root, 'node_modules/pyodide/package.json')] };
}
