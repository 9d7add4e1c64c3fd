/** Where a person goes on when a press of theirs is done: the field in which they write. */

const id = 'session-message';

export const writingFieldId = id;

/** On a phone it would bring up the keyboard: there it is the transcript. */
export function writingField(): HTMLElement | null {
  const coarse = matchMedia('(pointer: coarse)').matches;
  const field = coarse ? null : document.getElementById(id);
  return field ?? document.getElementById(transcriptId);
}

export const transcriptId = 'session-transcript';
