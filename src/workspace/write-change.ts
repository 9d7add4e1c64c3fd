/** Writes a change to the folder, unless the folder now has another file than the tool had. */

import { errorText } from '../spec/error.ts';
import { sameContent, type Change } from './change.ts';
import type { WorkspaceDisk } from './disk.ts';
import type { FolderOnDisk } from './folder-on-disk.ts';

export type Written = 'written' | 'asks' | { readonly error: string };

/** Writes a change, and records in `folder` what it finds on disk. Never rejects. */
export async function writeChange(
  change: Change,
  disk: WorkspaceDisk,
  folder: FolderOnDisk,
): Promise<Written> {
  const { path, kind, base, content } = change;
  try {
    if (kind === 'folder-added') {
      await disk.makeFolder(path);
      folder.noteFolder(path, true);
      return 'written';
    }
    if (kind === 'folder-removed') {
      await disk.removeFolder(path);
      folder.noteFolder(path, false);
      return 'written';
    }
    const now = await disk.read(path);
    if (sameContent(now, content)) {
      folder.note(path, now);
      return 'written';
    }
    if (!sameContent(now, base)) {
      folder.note(path, now);
      return 'asks';
    }
    if (content === null) await disk.remove(path);
    folder.note(path, content === null ? null : await disk.write(path, content.bytes));
    return 'written';
  } catch (thrown) {
    return { error: errorMessage(thrown) };
  }
}

/** Describes what happened and what to do about it. */
function errorMessage(thrown: unknown): string {
  const name = thrown instanceof DOMException ? thrown.name : '';
  switch (name) {
    case 'QuotaExceededError':
      return 'The disk or the browser’s storage quota is full. Free up space and write the file again.';
    case 'NotAllowedError':
    case 'SecurityError':
      return 'The browser denied write access. Allow writing, then write the file again.';
    case 'NotFoundError':
      return 'The folder no longer exists. Restore it, or save the file elsewhere.';
    case 'TypeMismatchError':
      return 'A file and a folder have the same name. Rename one on disk, or save the file under another name.';
    case 'NoModificationAllowedError':
    case 'InvalidModificationError':
      return 'Another program or tab is using the file. Close it there and write the file again.';
    default:
      return `${errorText(thrown)} Try again, or save the file elsewhere.`;
  }
}
