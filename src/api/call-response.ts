/** Answers about a call: always 200, since how a call ended is in the body. */

import { mediaTypes, type ResultForm } from './content-negotiation.ts';
import { pacedBody, type Part } from './paced-body.ts';

/** The head is there at once; the body is written as its parts come. */
export function callResponse(
  callId: string,
  form: ResultForm,
  parts: Iterable<Part> | AsyncIterable<Part>,
  onCancel?: () => void,
): Response {
  return new Response(pacedBody(parts, onCancel), {
    headers: {
      'Content-Type': mediaTypes[form],
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Cloche-Call': callId,
    },
  });
}
