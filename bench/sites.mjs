/** The two measured sites: the built app, and the plain page with Pyodide. */

import { copyFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { distFolder, projectFolder } from '../scripts/dist.mjs';
import { serveFolder } from '../scripts/static-server.mjs';
import { temporaryFolder } from '../scripts/temporary-folder.mjs';

export const pyodideFiles = [
  'pyodide.mjs',
  'pyodide.asm.mjs',
  'pyodide.asm.wasm',
  'python_stdlib.zip',
  'pyodide-lock.json',
];

/** @returns {Promise<{ours: string, plain: string, plainFolder: string, temporary: string, close: () => Promise<void>}>} */
export async function openSites() {
  const temporary = await temporaryFolder('bench');
  const plainFolder = join(temporary, 'plain');
  await cp(join(projectFolder, 'bench/plain'), plainFolder, { recursive: true });
  for (const file of pyodideFiles)
    await copyFile(join(projectFolder, 'node_modules/pyodide', file), join(plainFolder, file));
  const ours = await serveFolder({ folder: distFolder });
  const plain = await serveFolder({ folder: plainFolder });
  return {
    ours: ours.url,
    plain: plain.url,
    plainFolder,
    temporary,
    close: async () => {
      await Promise.all([ours.close(), plain.close()]);
    },
  };
}
