/** Reads the keys of shortcuts. */

import { ToolError } from '../../runtime/spec/error.ts';

export interface ShortcutKey {
  /** A letter in lower case, or a digit. */
  readonly key: string;
  readonly shift: boolean;
}

/** Letters that, with Ctrl, edit texts or belong to the browser; and those that do so together with Shift. */
const reserved = 'acflnprtvwxyz';
const reservedWithShift = 'cijnprtvwz';

/** @throws {ToolError} if text fields or browsers need the key, such as `ctrl+c` */
export function checkFree(text: string): void {
  const { key, shift } = readShortcut(text);
  if ((shift ? reservedWithShift : reserved).includes(key))
    throw new ToolError(
      'bad-input',
      `${text.slice(0, 50)} belongs to text fields or to the browser. Choose another key, for example ctrl+shift+g.`,
    );
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
