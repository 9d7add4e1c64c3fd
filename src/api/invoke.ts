/** `POST api/tools/{name}/invoke`: the status at once, the result as the body when the call has ended. */

import { failure } from '../call/results.ts';
import type { ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import { answerCall } from './answer-call.ts';
import type { ApiRequest } from './api-request.ts';
import { ApiCall, type ApiCalls } from './calls.ts';
import { refuseUnlessJsonAccepted, refuseUnlessJsonBody } from './content-negotiation.ts';
import type { ApiEffects } from './effects.ts';
import { keyTaken, refuseUnlessSelected, stillScanning } from './invoke-refusals.ts';
import { readInvokeRequest, type InvokeRequest } from './invoke-request.ts';
import { unknownTool } from './listing.ts';
import { resultResponse } from './result-response.ts';

// Browsers end a service worker whose request lasts five minutes.
const longestAnswerMs = 4 * 60_000;

/**
 * Lookup, selection and size decide the status, after a scan in progress has ended; how the call ends never does.
 * After four minutes the body says that the call goes on; a caller that goes away before cancels it.
 */
export async function answerInvoke(
  request: ApiRequest,
  tool: string,
  effects: ApiEffects,
  calls: ApiCalls,
): Promise<Response> {
  const refused = refuseUnlessJsonBody(request) ?? refuseUnlessJsonAccepted(request);
  if (refused !== undefined) return refused;
  const deadline = new AbortController();
  const cancelDeadline = effects.after(longestAnswerMs, () => deadline.abort());
  try {
    const answer = await callOrRefusal(deadline.signal, request, tool, effects, calls);
    if (answer instanceof ApiCall) {
      return resultResponse(deadline.signal, answer, effects, cancelDeadline);
    }
    cancelDeadline();
    return answer;
  } catch (error) {
    cancelDeadline();
    throw error;
  }
}

async function callOrRefusal(
  deadline: AbortSignal,
  request: ApiRequest,
  tool: string,
  effects: ApiEffects,
  calls: ApiCalls,
): Promise<ApiCall | Response> {
  const asked = await readInvokeRequest(request, tool, effects.limits);
  if (asked instanceof Response) return asked;
  try {
    await effects.settled(deadline);
  } catch (error) {
    if (deadline.aborted) return stillScanning();
    throw error;
  }
  // Given up in the meantime: nobody reads this answer.
  request.signal.throwIfAborted();
  // From here to the start nothing is awaited: two requests with one key must not both start.
  const earlier = asked.key === '' ? undefined : calls.keyed(asked.key);
  if (earlier !== undefined) {
    if (earlier.fingerprint !== asked.fingerprint) return keyTaken(asked.key);
    return calls.find(earlier.callId) ?? answerCall(earlier.callId, effects, calls);
  }
  if (effects.tool(tool) === undefined) return unknownTool(tool, effects);
  const refused =
    asked.session === '' ? undefined : refuseUnlessSelected(asked.session, tool, effects);
  return refused ?? startCall(asked, tool, effects, calls);
}

function startCall(
  asked: InvokeRequest,
  tool: string,
  effects: ApiEffects,
  calls: ApiCalls,
): ApiCall {
  const call: ToolCall = {
    id: effects.newId(),
    tool,
    arguments: asked.arguments,
    caller: 'http',
    sessionId: asked.session,
    sessionKey: '',
    turnId: '',
    agentId: '',
    validate: asked.validate,
  };
  const started = new ApiCall(call.id, async (signal) => {
    try {
      const result = await effects.invoke(signal, call);
      return calls.tellsOfLostState(asked.session) ? { ...result, stateLost: true } : result;
    } catch (error) {
      // A call path never rejects; if it does, whoever was told 200 is owed a result all the same.
      return failure(`Error: ${errorText(error)}`, errorText(error));
    }
  });
  calls.add(started, asked.key === '' ? undefined : asked.key, asked.fingerprint);
  return started;
}
