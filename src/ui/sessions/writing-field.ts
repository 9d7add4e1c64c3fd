/** Where a person goes on when a press of theirs is done: the field in which they write. */

import { tick } from 'svelte';

const id = 'session-message';

export const writingFieldId = id;

/** On a phone it would bring up the keyboard: there it is the transcript. */
export function writingField(): HTMLElement | null {
  const coarse = matchMedia('(pointer: coarse)').matches;
  const field = coarse ? null : document.getElementById(id);
  return field ?? document.getElementById(transcriptId);
}

export const transcriptId = 'session-transcript';

/** Gives the field the focus, behind what floats above the page and has it until it is gone. */
export function goOnWriting(): void {
  void tick().then(() => {
    writingField()?.focus({ preventScroll: true });
  });
}
