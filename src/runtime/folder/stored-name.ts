/** Finds files and folders on disk by the composed names that the page uses. */

import { composeName } from '../spec/composed-name.ts';
import { isMissing } from './file-handles.ts';

/**
 * Returns the name that a file or folder has on disk. macOS may have stored it decomposed, and other systems do not
 * find such a file by its composed name. Returns the same name if there is no such file or folder.
 */
export async function findStoredName(
  folder: FileSystemDirectoryHandle,
  name: string,
  kind: FileSystemHandle['kind'],
): Promise<string> {
  // An ASCII name has only one Unicode form.
  if (/^[ -~]*$/.test(name)) return name;
  try {
    if (kind === 'file') await folder.getFileHandle(name);
    else await folder.getDirectoryHandle(name);
    return name;
  } catch (thrown) {
    if (!isMissing(thrown)) return name;
  }
  for await (const child of folder.values())
    if (child.kind === kind && composeName(child.name) === name) return child.name;
  return name;
}
