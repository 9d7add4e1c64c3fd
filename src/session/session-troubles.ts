/** What can be wrong with a stored session, and how a person is told. */

import { errorText, ToolError } from '../spec/error.ts';
import type { Damage } from './read-log.ts';

/** Null: nothing is. */
export function damaged(damage: Damage | null): string | null {
  if (damage === null) return null;
  const which = `Entry ${damage.at + 1} of this session’s log is damaged: ${damage.wrong}`;
  return `${which} What comes before it is here; the rest was put aside, not deleted.`;
}

/** Nothing of a session can be read. */
export function nothingStored(damage: Damage | null): ToolError {
  if (damage !== null) return new ToolError('storage', `Its log is damaged: ${damage.wrong}`);
  const hint = 'It may have been removed in another tab.';
  return new ToolError('not-found', 'This session is not there any more.', hint);
}

/** The store does not answer. */
export function unreadable(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return new ToolError('storage', `The session cannot be read: ${errorText(thrown)}`);
}

/** While it is open all the same. */
export const removedElsewhere =
  'This session was deleted in another tab: what is added here is not kept. Undo that there, or export it.';

/** As long as storage has failed. */
export const onlyHere =
  'This session is not kept any more, since storage failed. It goes on here until the tab is closed; export it to keep it.';

/** The store takes nothing any more. */
export function notKept(thrown: unknown): string {
  const isFull = thrown instanceof DOMException && thrown.name === 'QuotaExceededError';
  const why = isFull ? 'The browser’s storage is full.' : errorText(thrown);
  return `This session is not kept any more: ${why} It goes on here until the tab is closed; export it to keep it.`;
}

/** More than an entry of the log may have. */
export function tooLong(): ToolError {
  return new ToolError(
    'limit',
    'This message is too long to be kept.',
    'Take pictures out of it, or send it in parts.',
  );
}

export function followed(): ToolError {
  return new ToolError(
    'storage',
    'Another tab writes this session.',
    'Go on there, or take the session over here.',
  );
}
