/** Maps key presses to commands. */

export type KeyCommand = 'run' | 'leave' | 'search' | 'palette' | 'keys';

/** The part of a keyboard event that matters. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'defaultPrevented'
>;

/** The command of a key press, or null; `writing` where the focus is in a field. */
export function keyCommand(press: KeyPress, writing: boolean): KeyCommand | null {
  if (press.isComposing || press.defaultPrevented || press.altKey) return null;
  const held = press.ctrlKey || press.metaKey;
  if (press.key === 'Enter' && held) return 'run';
  if (press.key === 'Escape' && !held) return 'leave';
  if (press.key.toLowerCase() === 'k' && held) return 'palette';
  if (press.key === '?' && !held && !writing) return 'keys';
  if (press.key === '/' && !held && !writing) return 'search';
  return null;
}

/** The name of the key that commands are given with on this machine. */
export function commandKey(platform: string): string {
  return /mac|iphone|ipad/i.test(platform) ? '⌘' : 'Ctrl';
}
