/** `DELETE api/calls/{id}`: ends a running call, whoever made it. */

import { problemResponse } from '../protocol/problem-document.ts';
import { endedCall, unknownCall } from './answer-call.ts';
import { callResponse } from './call-response.ts';
import type { ApiCalls } from './calls.ts';
import type { ApiDeps } from './api-deps.ts';
import { runningText } from './result-pieces.ts';

/** 202: the call ends as `cancelled` unless it has just ended by itself; its result is at `api/calls/{id}`. */
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
