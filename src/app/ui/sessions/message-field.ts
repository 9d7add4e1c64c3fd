/** Returns the focus to the message field after an action. */

import { tick } from 'svelte';

const id = 'session-message';

export const messageFieldId = id;

/**
 * Returns the message field. On a phone its focus would open the keyboard, so the transcript is
 * returned instead.
 */
export function messageField(): HTMLElement | null {
  const coarse = matchMedia('(pointer: coarse)').matches;
  const field = coarse ? null : document.getElementById(id);
  return field ?? document.getElementById(transcriptId);
}

export const transcriptId = 'session-transcript';

/** Focuses the field after an overlay that has the focus has closed. */
export function focusMessageField(): void {
  void tick().then(() => messageField()?.focus({ preventScroll: true }));
}

/**
 * Attachment that focuses the field when a session is opened.
 * @param wanted false on a phone, where it would bring up the keyboard
 */
export function focusWhen(wanted: () => boolean): (field: HTMLElement) => () => void {
  return (field) => {
    // The focus waits until the page is drawn: it forces a layout of the whole page, which the
    // transcript would then change.
    const timer = setTimeout(() => {
      if (wanted()) field.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  };
}
