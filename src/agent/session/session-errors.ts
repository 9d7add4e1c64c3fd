/** Errors of stored sessions, and the messages about them. */

import { errorText, ToolError } from '../../runtime/spec/error.ts';
import type { Damage } from './log/log-contents.ts';

/** @returns null if nothing is damaged */
export function damageMessage(damage: Damage | null): string | null {
  if (damage === null) return null;
  const which = `Entry ${damage.at + 1} of this session’s log is damaged: ${damage.wrong}`;
  return `${which} The entries before it are shown. The rest was set aside, not deleted.`;
}

export function sessionNotFound(damage: Damage | null): ToolError {
  if (damage !== null) return new ToolError('storage', `Its log is damaged: ${damage.wrong}`);
  const hint = 'It may have been removed in another tab.';
  return new ToolError('not-found', 'This session no longer exists.', hint);
}

export function readFailure(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return new ToolError('storage', `Could not read the session: ${errorText(thrown)}`);
}

export const removedInOtherTab =
  'This session was deleted in another tab. Changes here are not saved. Undo the deletion there, or export the session.';

export const notSavedMessage =
  'This session can no longer be saved, because the storage failed. It continues here until you close the tab. Export it to keep it.';

export function storageFailure(thrown: unknown): string {
  const isFull = thrown instanceof DOMException && thrown.name === 'QuotaExceededError';
  const why = isFull ? 'The browser’s storage is full.' : errorText(thrown);
  return `This session can no longer be saved: ${why} It continues here until you close the tab. Export it to keep it.`;
}

/** The error for a message that does not fit into one entry of the log. */
export function messageTooLong(): ToolError {
  return new ToolError(
    'limit',
    'This message is too long to save.',
    'Remove images, or send it in parts.',
  );
}

/** The error for writing a session that another tab writes. */
export function notWriter(): ToolError {
  return new ToolError(
    'storage',
    'This session is in use in another tab.',
    'Continue there, or choose “Use here”.',
  );
}
