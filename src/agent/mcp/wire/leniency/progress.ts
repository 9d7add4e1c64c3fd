/** Reads notices of progress whose numbers are sent as text, or whose other members are of another type. */

import type { Fields } from '../../../../runtime/spec/guards.ts';
import { isMissing, isText, omitMember, showValue, type Note } from './reading.ts';

const method = 'notifications/progress';
const numeral = /^\s*[+-]?(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})\s*$/;

/** @returns the params themselves if they are valid, or if they name no progress */
export function readProgress(params: Fields, note: Note): Fields {
  const { progress, total, message } = params;
  const isProgress = typeof progress === 'number';
  const isTotal = total === undefined || typeof total === 'number';
  const isMessage = message === undefined || isText(message);
  if (isProgress && isTotal && isMessage) return params;
  let read = params;
  if (!isProgress) {
    const number = numberIn(progress);
    // The message is worth reading without the number.
    if (number === null && !isText(message)) return params;
    note(`${method}: progress is not a number: read as ${number ?? 0}.`);
    read = { ...read, progress: number ?? 0 };
  }
  if (!isTotal) {
    const number = numberIn(total);
    note(
      `${method}: total is ${total === null ? 'null' : 'not a number'}: ${number === null ? 'ignored' : `read as ${number}`}.`,
    );
    read = number === null ? omitMember(read, 'total') : { ...read, total: number };
  }
  if (!isMessage) {
    note(
      `${method}: message is ${message === null ? 'null' : 'not a string'}: ${isMissing(message) ? 'ignored' : 'read as text'}.`,
    );
    read = isMissing(message)
      ? omitMember(read, 'message')
      : { ...read, message: showValue(message) };
  }
  return read;
}

/** The number in a text; null if there is none. */
function numberIn(value: unknown): number | null {
  return isText(value) && numeral.test(value) ? Number(value) : null;
}
