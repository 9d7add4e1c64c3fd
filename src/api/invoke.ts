/** `POST api/tools/{name}/invoke`: the status at once, the result as the body when the call has ended. */

import { failure } from '../call/results.ts';
import type { ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import { answerEnded, unknownCall } from './answer-call.ts';
import type { ApiRequest } from './api-request.ts';
import { ApiCall, type ApiCalls, type KeyedCall } from './calls.ts';
import { acceptedForm, refuseUnlessJsonBody, type ResultForm } from './content-negotiation.ts';
import type { ApiDeps } from './api-deps.ts';
import { eventResponse, longestAnswerMs, resultResponse, type Leaving } from './call-response.ts';
import { keyTaken, refuseUnlessSelected, stillScanning } from './invoke-refusals.ts';
import { readInvokeRequest, type InvokeRequest } from './invoke-request.ts';
import { unknownTool } from './listing.ts';

/**
 * Lookup, selection and size decide the status, after a scan in progress has ended; how the call ends never does.
 * After four minutes the body says that the call goes on; a caller that goes away before cancels it.
 */
export async function answerInvoke(
  request: ApiRequest,
  tool: string,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<Response> {
  const refused = refuseUnlessJsonBody(request);
  if (refused !== undefined) return refused;
  const form = acceptedForm(request);
  if (form instanceof Response) return form;
  const deadline = new AbortController();
  const cancelDeadline = deps.after(longestAnswerMs, () => deadline.abort());
  try {
    const answer = await callOrRefusal(deadline.signal, request, tool, form, deps, calls);
    if (answer instanceof ApiCall) {
      if (form === 'json') return resultResponse(deadline.signal, answer, deps, cancelDeadline);
      return eventResponse(
        request,
        deadline.signal,
        answer,
        deps,
        waitingFor(answer, cancelDeadline),
      );
    }
    cancelDeadline();
    return answer;
  } catch (error) {
    cancelDeadline();
    throw error;
  }
}

function waitingFor(call: ApiCall, onEnd: () => void): Leaving {
  const leave = call.join();
  const leaving = (why: 'served' | 'gone') => (): void => {
    leave(why);
    onEnd();
  };
  return { onServed: leaving('served'), onGone: leaving('gone') };
}

async function callOrRefusal(
  deadline: AbortSignal,
  request: ApiRequest,
  tool: string,
  form: ResultForm,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<ApiCall | Response> {
  const asked = await readInvokeRequest(request, tool, deps.limits);
  if (asked instanceof Response) return asked;
  try {
    await deps.settled(deadline);
  } catch (error) {
    if (deadline.aborted) return stillScanning();
    throw error;
  }
  // Given up in the meantime: nobody reads this answer.
  request.signal.throwIfAborted();
  const logged = await loggedUnder(asked.key, deps, calls);
  // From here to the start nothing is awaited: two requests with one key must not both start.
  const earlier = asked.key === '' ? undefined : (calls.keyed(asked.key) ?? logged);
  if (earlier !== undefined) {
    if (earlier.fingerprint !== asked.fingerprint) return keyTaken(asked.key);
    const { callId } = earlier;
    const known = calls.find(callId);
    if (known !== undefined && (form === 'json' || known.result === undefined)) return known;
    return (await answerEnded(request, callId, form, deps, calls)) ?? unknownCall(callId);
  }
  if (deps.tool(tool) === undefined) return unknownTool(tool, deps);
  const refused =
    asked.session === '' ? undefined : refuseUnlessSelected(asked.session, tool, deps);
  return refused ?? startCall(asked, tool, deps, calls);
}

/** A call that was made under the key before this page was loaded. */
async function loggedUnder(
  key: string,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<KeyedCall | undefined> {
  if (key === '' || calls.keyed(key) !== undefined) return undefined;
  const { rejoin, id } = (await deps.keyedCall(key))?.call ?? {};
  return rejoin && id !== undefined ? { callId: id, fingerprint: rejoin.fingerprint } : undefined;
}

function startCall(asked: InvokeRequest, tool: string, deps: ApiDeps, calls: ApiCalls): ApiCall {
  const { key, fingerprint } = asked;
  const rejoin = key === '' ? undefined : { key, fingerprint };
  const call: ToolCall = {
    id: deps.newId(),
    tool,
    arguments: asked.arguments,
    caller: 'http',
    sessionId: asked.session,
    sessionKey: '',
    turnId: '',
    agentId: '',
    validate: asked.validate,
    ...(rejoin && { rejoin }),
  };
  const started = new ApiCall(call.id, deps.limits.outputChars, async (signal, onStream) => {
    try {
      const result = await deps.invoke(signal, call, onStream);
      return calls.tellsOfLostState(asked.session) ? { ...result, stateLost: true } : result;
    } catch (error) {
      // A call path never rejects; if it does, whoever was told 200 is owed a result all the same.
      return failure(`Error: ${errorText(error)}`, errorText(error));
    }
  });
  calls.add(started, rejoin);
  return started;
}
