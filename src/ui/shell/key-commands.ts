/** Maps key presses to commands. */

export type KeyCommand = 'run' | 'leave' | 'search' | 'palette' | 'keys';

/** The relevant part of a keyboard event. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'defaultPrevented'
>;

/** The command of a key press, or null. @param writing whether a text field has the focus */
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

/** The platform's name of the modifier key for commands. */
export function commandKey(platform: string): string {
  return /mac|iphone|ipad/i.test(platform) ? '⌘' : 'Ctrl';
}
