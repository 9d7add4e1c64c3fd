/** Answers `DELETE api/calls/{id}`: cancels a running call of any caller. */

import { problemResponse } from '../protocol/problem-document.ts';
import { endedCall, unknownCall } from './answer-call.ts';
import { callResponse } from './call-response.ts';
import type { ApiCalls } from './calls.ts';
import type { ApiDeps } from './api-deps.ts';
import { runningText } from './result-pieces.ts';

/**
 * Answers 202 if the call was running. It then ends as `cancelled`, unless it ended by itself in the same moment; its
 * result is at `api/calls/{id}`.
 */
export async function answerCancel(id: string, deps: ApiDeps, calls: ApiCalls): Promise<Response> {
  if (deps.cancel(id)) {
    const { headers, body } = callResponse(id, 'json', [[runningText(id)]]);
    return new Response(body, { status: 202, headers });
  }
  if ((await endedCall(id, deps, calls)) === undefined) return unknownCall(id);
  return problemResponse({
    status: 409,
    code: 'call-ended',
    detail: `The call ${id} has already ended.`,
    hint: `Its result is at api/calls/${id}.`,
  });
}
