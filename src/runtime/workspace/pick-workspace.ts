/** Asks the user for the folder of a workspace. */

import { errorText, ToolError } from '../spec/error.ts';

export function canPickWorkspace(): boolean {
  return picker() !== undefined;
}

/**
 * @returns null if the user cancels
 * @throws {ToolError}
 */
export async function pickWorkspace(): Promise<FileSystemDirectoryHandle | null> {
  try {
    const show = picker();
    if (show === undefined) throw new Error('This browser has no folder picker.');
    return await show.call(globalThis, { mode: 'readwrite', id: 'workspace' });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw new ToolError(
      'not-supported',
      errorText(thrown),
      'Use a folder stored in this browser instead.',
    );
  }
}

// TypeScript's DOM library lacks this type, because only Chromium has the picker.
type Picker = (options: { mode: 'readwrite'; id: string }) => Promise<FileSystemDirectoryHandle>;

function picker(): Picker | undefined {
  const show: unknown = Reflect.get(globalThis, 'showDirectoryPicker');
  return typeof show === 'function' ? (show as Picker) : undefined;
}
