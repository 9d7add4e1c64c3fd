/** Programs for ordinary Python, which go into exports of a folder. */

import { programs } from 'virtual:cloche/python-programs';
import type { FolderFile } from '../../../runtime/spec/folder.ts';

/**
 * Loads a program: `cloche_test` runs saved tests, `cloche_mcp` serves tools over MCP.
 * @returns null if it could not be loaded, for example offline, or if the server has another version
 */
export async function pythonProgram(name: keyof typeof programs): Promise<FolderFile | null> {
  const { url, integrity } = programs[name];
  try {
    const response = await fetch(new URL(url, document.baseURI), { redirect: 'error', integrity });
    if (!response.ok) return null;
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { path: url, size: bytes.byteLength, modifiedAt: Date.now(), bytes };
  } catch {
    return null;
  }
}
