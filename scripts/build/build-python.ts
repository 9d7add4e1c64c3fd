/** Starts Pyodide in Node to compile Python modules. Byte code must come from the Python that runs it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPyodide, type PyodideAPI } from 'pyodide';

/** Starts Pyodide with a script of workers/python that can be imported. In a fresh one, the same input gives the same byte code. */
export async function buildPython(
  root: string,
  script: 'pack_loader' | 'pack_stdlib',
): Promise<{ pyodide: PyodideAPI; sources: string[] }> {
  const file = join(root, 'workers/python', `${script}.py`);
  const [text, pyodide] = await Promise.all([
    readFile(file, 'utf8'),
    loadPyodide({ env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' } }),
  ]);
  pyodide.FS.writeFile(`/home/pyodide/${script}.py`, text);
  return { pyodide, sources: [file, join(root, 'node_modules/pyodide/package.json')] };
}
