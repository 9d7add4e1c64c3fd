/** Maps a request's path to a file of the served folder, and to nothing outside it. */
import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** @typedef {{path: string, size: number, version: string}} FoundFile */

/**
 * @param {string} root the served folder, as `realpath` spells it
 * @param {string} pathname as it came in the request, without the base and its slash
 * @returns {Promise<FoundFile | undefined>}
 */
export async function findFile(root, pathname) {
  const wanted = decoded(pathname);
  // Hidden files and parent folders have no address, in any spelling.
  if (wanted === undefined || /[\\\0]|(^|\/)\./.test(wanted)) return undefined;
  const name = wanted === '' || wanted.endsWith('/') ? `${wanted}index.html` : wanted;
  try {
    const path = await realpath(join(root, name));
    if (!path.startsWith(root + sep)) return undefined;
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    const version = `${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}`;
    return { path, size: found.size, version };
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} error */
function isAbsence(error) {
  const absent = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];
  return error instanceof Error && 'code' in error && absent.includes(String(error.code));
}
