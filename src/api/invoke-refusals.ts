/** Problem documents for calls that are refused before they start. */

import { problemResponse } from '../protocol/problem-document.ts';
import type { ApiDeps } from './api-deps.ts';

/** Returns `undefined` if the session may use the tool. */
export function refuseUnlessSelected(
  session: string,
  tool: string,
  deps: ApiDeps,
): Response | undefined {
  switch (deps.selected(session, tool)) {
    case 'selected':
      return undefined;
    case 'unknown-session':
      return problemResponse({
        status: 404,
        code: 'unknown-session',
        detail: `There is no session ${session}.`,
        hint: 'Omit "session" to call without one.',
      });
    case 'not-selected':
      return problemResponse({
        status: 403,
        code: 'not-selected',
        detail: `The tool ${tool} is not selected in the session ${session}.`,
        hint: 'The selection of a session is locked. Use a session that has the tool, or omit "session".',
      });
  }
}

/** The `Idempotency-Key` was used for a different request. */
export function keyTaken(key: string): Response {
  return problemResponse({
    status: 422,
    code: 'key-taken',
    detail: `The Idempotency-Key ${key} belongs to a call of another tool or with another body.`,
    hint: 'Use a new key for each call. Repeat a key only to rejoin its call.',
  });
}

/** The scan lasted longer than an answer may take. */
export function stillScanning(): Response {
  return problemResponse({
    status: 503,
    code: 'scanning',
    detail: 'The tools folder is still loading after four minutes.',
    hint: 'Check the Cloche page for the cause, and try again.',
    headers: { 'Retry-After': '10' },
  });
}
