/** The text of an attached file, as a model gets it. */

import type { UserPart } from './model.ts';

/** Returns the text of a part, introduced by its name if it is an attached file. */
export function attachedText({ text, name }: Extract<UserPart, { type: 'text' }>): string {
  return name === undefined ? text : `Attached file ${name}:\n\n${text}`;
}
