/** Reads the keys of shortcuts. */

import { ToolError } from '../spec/error.ts';

export interface ShortcutKey {
  /** A letter in lower case, or a digit. */
  readonly key: string;
  readonly shift: boolean;
}

/** Reads `ctrl+g` or `ctrl+shift+g`, in any order and case. On a Mac, ⌘ works as well. @throws {ToolError} */
export function readShortcut(text: string): ShortcutKey {
  const parts = text.toLowerCase().split('+');
  const [key, ...more] = parts.filter((part) => part !== 'ctrl' && part !== 'shift');
  if (key !== undefined && more.length === 0 && /^[a-z0-9]$/.test(key) && parts.includes('ctrl'))
    return { key, shift: parts.includes('shift') };
  throw new ToolError(
    'bad-input',
    `The shortcut “${text.slice(0, 50)}” is not Ctrl, perhaps Shift, and a letter or digit. Write for example “ctrl+shift+g”.`,
  );
}
