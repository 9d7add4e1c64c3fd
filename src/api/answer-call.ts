/** Answers `GET api/calls/{id}`: the result of an ended call, the state of a running one, or its events. */

import { problemResponse } from '../protocol/problem-document.ts';
import type { ApiRequest } from './api-deps.ts';
import {
  callResponse,
  endedEventResponse,
  eventResponse,
  longestAnswerMs,
  type EndedCall,
} from './call-response.ts';
import type { ApiCalls } from './calls.ts';
import { acceptedForm, type ResultForm } from './result-form.ts';
import type { ApiDeps } from './api-deps.ts';
import { resultPieces, runningText } from './result-pieces.ts';

export async function answerCall(
  request: ApiRequest,
  id: string,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<Response> {
  const form = acceptedForm(request);
  if (form instanceof Response) return form;
  const call = calls.find(id);
  if (call !== undefined && call.result === undefined && form === 'events') {
    const deadline = new AbortController();
    const cancelDeadline = deps.after(longestAnswerMs, () => deadline.abort());
    // A reader of events counts neither as a caller that needs the result nor, when it disconnects, as one that
    // cancels.
    const leaving = { onServed: cancelDeadline, onGone: cancelDeadline };
    return eventResponse(request, deadline.signal, call, deps, leaving);
  }
  if (deps.isRunning(id) || (call !== undefined && call.result === undefined))
    return callResponse(id, 'json', [[runningText(id)]]);
  return (await answerEnded(request, id, form, deps, calls)) ?? unknownCall(id);
}

/** Resolves to `undefined` if neither memory nor the call log has a result for this id. */
export async function answerEnded(
  request: ApiRequest,
  id: string,
  form: ResultForm,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<Response | undefined> {
  const ended = await endedCall(id, deps, calls);
  if (ended === undefined) return undefined;
  return form === 'events'
    ? endedEventResponse(request, ended)
    : callResponse(id, form, [resultPieces(id, ended.result, ended.cut)]);
}

export function unknownCall(id: string): Response {
  return problemResponse({
    status: 404,
    code: 'unknown-call',
    detail: `There is no call ${id}, running or in the call log.`,
    hint: 'The log stores only the latest calls. Make the call again.',
  });
}

/** Resolves to `undefined` if the call is unknown or still running. */
async function endedCall(
  id: string,
  deps: Pick<ApiDeps, 'loggedCall'>,
  calls: ApiCalls,
): Promise<EndedCall | undefined> {
  const result = calls.find(id)?.result;
  if (result !== undefined) return { id, result, cut: false };
  const logged = await deps.loggedCall(id);
  return logged && { id, result: logged.result, cut: logged.cut };
}

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
