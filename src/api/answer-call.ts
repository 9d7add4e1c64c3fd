/** `GET api/calls/{id}`: how a call ended, or that it goes on. */

import { problemResponse } from '../protocol/problem-document.ts';
import { callResponse } from './call-response.ts';
import type { ApiCalls } from './calls.ts';
import type { ApiEffects } from './effects.ts';
import { resultPieces, runningText } from './result-pieces.ts';

/** What is no longer at hand comes from the call log. */
export async function answerCall(
  id: string,
  effects: ApiEffects,
  calls: ApiCalls,
): Promise<Response> {
  const call = calls.find(id);
  if (call !== undefined && call.result === undefined) {
    return callResponse(id, [[runningText(id)]]);
  }
  const ended =
    call?.result === undefined ? await effects.loggedCall(id) : { result: call.result, cut: false };
  if (ended !== undefined) {
    return callResponse(id, [resultPieces(id, ended.result, ended.cut)]);
  }
  return problemResponse({
    status: 404,
    code: 'unknown-call',
    detail: `There is no call ${id}, neither running nor in the call log.`,
    hint: 'The log keeps the latest calls only; make the call again.',
  });
}
