/** Returns the focus to the message field after an action. */

import { tick } from 'svelte';

const id = 'session-message';

export const messageFieldId = id;

/** On a phone it would bring up the keyboard: there it is the transcript. */
export function messageField(): HTMLElement | null {
  const coarse = matchMedia('(pointer: coarse)').matches;
  const field = coarse ? null : document.getElementById(id);
  return field ?? document.getElementById(transcriptId);
}

export const transcriptId = 'session-transcript';

/** Gives the field the focus, behind what floats above the page and has it until it is gone. */
export function focusMessageField(): void {
  void tick().then(() => {
    messageField()?.focus({ preventScroll: true });
  });
}
