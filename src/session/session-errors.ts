/** Errors of stored sessions, and the messages about them. */

import { errorText, ToolError } from '../spec/error.ts';
import type { Damage } from './log/log-contents.ts';

/** @returns null where nothing is damaged */
export function damageMessage(damage: Damage | null): string | null {
  if (damage === null) return null;
  const which = `Entry ${damage.at + 1} of this session’s log is damaged: ${damage.wrong}`;
  return `${which} What comes before it is here; the rest was put aside, not deleted.`;
}

export function sessionNotFound(damage: Damage | null): ToolError {
  if (damage !== null) return new ToolError('storage', `Its log is damaged: ${damage.wrong}`);
  const hint = 'It may have been removed in another tab.';
  return new ToolError('not-found', 'This session is not there any more.', hint);
}

export function readFailure(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return new ToolError('storage', `The session cannot be read: ${errorText(thrown)}`);
}

export const removedElsewhere =
  'This session was deleted in another tab: what is added here is not kept. Undo that there, or export it.';

export const memoryOnly =
  'This session is not kept any more, since storage failed. It goes on here until the tab is closed; export it to keep it.';

export function storageFailure(thrown: unknown): string {
  const isFull = thrown instanceof DOMException && thrown.name === 'QuotaExceededError';
  const why = isFull ? 'The browser’s storage is full.' : errorText(thrown);
  return `This session is not kept any more: ${why} It goes on here until the tab is closed; export it to keep it.`;
}

/** The message does not fit into one entry of the log. */
export function messageTooLong(): ToolError {
  return new ToolError(
    'limit',
    'This message is too long to be kept.',
    'Take pictures out of it, or send it in parts.',
  );
}

/** Another tab writes the session, so this one must not. */
export function notWriter(): ToolError {
  return new ToolError(
    'storage',
    'Another tab writes this session.',
    'Go on there, or take the session over here.',
  );
}
