/** Answers about a call: always 200, since how a call ended is in the body. */

import { pacedBody } from './paced-body.ts';

/** The head is there at once; the body is written when `pieces` are. */
export function callResponse(
  callId: string,
  pieces: () => Promise<Iterable<string>>,
  onCancel?: () => void,
): Response {
  return new Response(pacedBody(pieces, onCancel), {
    headers: {
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Cloche-Call': callId,
    },
  });
}
