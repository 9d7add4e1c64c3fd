/**
 * HTTP responses for a call, as JSON or as server-sent events. A response with the result or the events of a call has
 * the status 200, even if the call has failed: the body says how it ended.
 */

import { wait } from '../../runtime/async/wait.ts';
import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { ApiRequest, ApiDeps } from './api-deps.ts';
import { parsePosition, streamEnd, type ApiCall, type ApiCalls } from './calls.ts';
import { callEvents, yieldEndedEvents, type EndedCall } from './event-parts.ts';
import {
  createPacedBody,
  type Part,
  type ResultForm,
  answerHeaders,
  negotiateForm,
  resultPieces,
  writeRunningText,
} from './http-form.ts';

/**
 * Milliseconds until an answer ends although its call still runs. Browsers stop a service worker
 * whose request lasts five minutes.
 */
export const longestAnswerMs = 4 * 60_000;

const firstByteMs = 100;

export interface Leaving {
  /** Called when the response is complete, whether the call has ended or still runs. */
  readonly onServed: () => void;
  /** Called when the reader disconnects before the response is complete. */
  readonly onGone: () => void;
}

/** Returns a response with its headers ready at once; the body is written as its parts arrive. */
function callResponse(
  callId: string,
  form: ResultForm,
  parts: Iterable<Part> | AsyncIterable<Part>,
  onCancel?: () => void,
): Response {
  return new Response(createPacedBody(parts, onCancel), {
    headers: { ...answerHeaders(form), 'Cloche-Call': callId },
  });
}

/**
 * Answers with the result as JSON, or with "running" if `deadline` fires first. A caller that disconnects before that
 * cancels the call, unless other callers wait for it.
 *
 * @param onEnd called when this response no longer waits for the call, and again if the reader disconnects while it
 * receives the result
 */
export function resultResponse(
  deadline: AbortSignal,
  call: ApiCall,
  deps: Pick<ApiDeps, 'after'>,
  onEnd: () => void,
): Response {
  const firstByteDeadline = new AbortController();
  const cancelFirstByte = deps.after(firstByteMs, () => firstByteDeadline.abort());
  const leave = call.join();
  const end = (why: 'served' | 'gone'): void => {
    cancelFirstByte();
    leave(why);
    onEnd();
  };
  return callResponse(call.id, 'json', parts(call, firstByteDeadline.signal, deadline, end), () => {
    end('gone');
  });
}

/** Streams the call's events, starting after the reader's `Last-Event-ID` if the request has one. */
export function eventResponse(
  request: ApiRequest,
  deadline: AbortSignal,
  call: ApiCall,
  deps: Pick<ApiDeps, 'after'>,
  { onServed, onGone }: Leaving,
): Response {
  const gone = new AbortController();
  const stop = AbortSignal.any([deadline, gone.signal]);
  const from = parsePosition(request.headers.get('Last-Event-ID'));
  return callResponse(call.id, 'events', callEvents(stop, call, from, deps, onServed), () => {
    onGone();
    gone.abort();
  });
}

/** Events of an ended call. Answers 204 to an `EventSource` that reconnects after the last event, which stops it. */
function endedEventResponse(request: ApiRequest, ended: EndedCall): Response {
  const last = request.headers.get('Last-Event-ID');
  if (last === streamEnd) return new Response(null, { status: 204 });
  return callResponse(ended.id, 'events', yieldEndedEvents(ended, parsePosition(last)));
}

async function* parts(
  call: ApiCall,
  firstByteDeadline: AbortSignal,
  deadline: AbortSignal,
  end: (why: 'served') => void,
): AsyncGenerator<Part> {
  let result = await resultBefore(firstByteDeadline, call);
  if (result === undefined) {
    // Firefox shows a response's headers only once the body's first bytes arrive. White space before JSON is allowed.
    yield ['\n'];
    result = await resultBefore(deadline, call);
  }
  end('served');
  yield result === undefined ? [writeRunningText(call.id)] : resultPieces(call.id, result);
}

function resultBefore(signal: AbortSignal, call: ApiCall): Promise<ToolResult | undefined> {
  return wait(signal, call.ended).catch((thrown: unknown) => {
    if (signal.aborted) return undefined;
    throw thrown;
  });
}

/** Answers `GET api/calls/{id}`: the result of an ended call, the state of a running one, or its events. */
export async function answerCall(
  request: ApiRequest,
  id: string,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<Response> {
  const form = negotiateForm(request);
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
  if (
    deps.path.running.some((running) => running.id === id) ||
    (call !== undefined && call.result === undefined)
  )
    return callResponse(id, 'json', [[writeRunningText(id)]]);
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
  deps: Pick<ApiDeps, 'log'>,
  calls: ApiCalls,
): Promise<EndedCall | undefined> {
  const result = calls.find(id)?.result;
  if (result !== undefined) return { id, result, cut: false };
  const logged = (await deps.log()).get(id);
  return logged && { id, result: logged.result, cut: logged.cut };
}

/**
 * Answers 202 if the call was running. It then ends as `cancelled`, unless it ended by itself in the same moment; its
 * result is at `api/calls/{id}`.
 */
export async function answerCancel(id: string, deps: ApiDeps, calls: ApiCalls): Promise<Response> {
  if (deps.path.cancel(id)) {
    const { headers, body } = callResponse(id, 'json', [[writeRunningText(id)]]);
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
