/** Answers `POST api/tools/{name}/invoke`: the status at once, and the result as the body when the call has ended. */

import { failure } from '../../runtime/call/results.ts';
import { newCall, type Caller } from '../../runtime/spec/call.ts';
import { errorText } from '../../runtime/spec/error.ts';
import {
  answerEnded,
  unknownCall,
  eventResponse,
  longestAnswerMs,
  resultResponse,
  type Leaving,
} from './call-response.ts';
import { ApiCall, type ApiCalls, type KeyedCall } from './calls.ts';
import { negotiateForm, refuseUnlessJsonBody, type ResultForm } from './http-form.ts';
import type { ApiDeps, ApiRequest, OpenedSession } from './api-deps.ts';
import { unknownTool } from './listing.ts';
import { siteOf } from '../../runtime/protocol/bridge.ts';
import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import { sha256Of } from '../../runtime/spec/bytes.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import { scanObject } from '../../runtime/spec/json-reader.ts';
import { runPaced } from '../../runtime/async/pace.ts';

/** For a call without a session, which there is nothing to release of. */
const noSession: OpenedSession = { at: 'open', release: () => undefined };

/**
 * Waits for a scan in progress; then tool lookup, selection and body size decide the status. The
 * end of the call does not affect the status. After four minutes the body says that the call is
 * still running. A caller that disconnects before that cancels the call.
 */
export async function answerInvoke(
  request: ApiRequest,
  tool: string,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<Response> {
  const refused = refuseUnlessJsonBody(request);
  if (refused !== undefined) return refused;
  const form = negotiateForm(request);
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
        joinCall(answer, cancelDeadline),
      );
    }
    cancelDeadline();
    return answer;
  } catch (error) {
    cancelDeadline();
    throw error;
  }
}

function joinCall(call: ApiCall, onEnd: () => void): Leaving {
  const leave = call.join();
  const leaveAs = (why: 'served' | 'gone') => (): void => {
    leave(why);
    onEnd();
  };
  return { onServed: leaveAs('served'), onGone: leaveAs('gone') };
}

async function callOrRefusal(
  deadline: AbortSignal,
  request: ApiRequest,
  tool: string,
  form: ResultForm,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<ApiCall | Response> {
  const invocation = await readInvokeRequest(request, tool, deps.limits);
  if (invocation instanceof Response) return invocation;
  try {
    await deps.settled(deadline);
  } catch (error) {
    if (deadline.aborted) return stillScanning();
    throw error;
  }
  // The caller has disconnected in the meantime, and does not read this answer.
  request.signal.throwIfAborted();
  const logged = await findLoggedCall(invocation.key, deps, calls);
  const session =
    invocation.session === '' ? noSession : await deps.openSession(invocation.session);
  const answer = await rejoinOrStart(
    request,
    tool,
    form,
    { invocation, logged, session },
    deps,
    calls,
  );
  if (session.at === 'open') {
    if (answer instanceof ApiCall) void answer.ended.then(session.release);
    else session.release();
  }
  return answer;
}

interface Prepared {
  readonly invocation: InvokeRequest;
  /** A call made under this key before the page was loaded. */
  readonly logged: KeyedCall | undefined;
  readonly session: OpenedSession;
}

/** No `await` between the check of the key and the start: of two requests with one key, only one may start a call. */
async function rejoinOrStart(
  request: ApiRequest,
  tool: string,
  form: ResultForm,
  { invocation, logged, session }: Prepared,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<ApiCall | Response> {
  // @mutant a key rejoins its call => invocation.key === '' ? undefined : (calls.keyed(invocation.key) ?? logged) ->
  //   logged && undefined [src/app/api/rejoin.test.ts]
  const earlier = invocation.key === '' ? undefined : (calls.keyed(invocation.key) ?? logged);
  if (earlier !== undefined) {
    // @mutant a key is for one request => never [src/app/api/rejoin.test.ts]
    if (earlier.fingerprint !== invocation.fingerprint) return keyTakenResponse(invocation.key);
    const { callId } = earlier;
    const known = calls.find(callId);
    if (known !== undefined && (form === 'json' || known.result === undefined)) return known;
    return (await answerEnded(request, callId, form, deps, calls)) ?? unknownCall(callId);
  }
  if (deps.tool(tool) === undefined) return unknownTool(tool, deps);
  const refused =
    // @mutant a session calls what was selected in it => === '' -> !== undefined [src/app/api/invoke-refusals.test.ts
    //   src/app/api/invoke.test.ts]
    invocation.session === ''
      ? undefined
      : refuseUnlessSelected(session, invocation.session, tool, deps);
  // @mutant requests beyond the number of calls at once => removed
  if (refused === undefined && deps.path.isFull) return tooManyCalls();
  // @mutant a program's call is asked about => 'http' -> 'user'
  return refused ?? startCall('http', invocation, tool, siteOf(request), deps, calls);
}

/** Finds a call made under this key before the page was loaded. */
async function findLoggedCall(
  key: string,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<KeyedCall | undefined> {
  if (key === '' || calls.keyed(key) !== undefined) return undefined;
  const { rejoin, id } = (await deps.log()).keyed(key)?.call ?? {};
  return rejoin && id !== undefined ? { callId: id, fingerprint: rejoin.fingerprint } : undefined;
}

export function startCall(
  caller: Caller,
  invocation: InvokeRequest,
  tool: string,
  site: string | null,
  deps: ApiDeps,
  calls: ApiCalls,
): ApiCall {
  const { key, fingerprint } = invocation;
  const rejoin = key === '' ? undefined : { key, fingerprint };
  const call = newCall(caller, tool, invocation.arguments, {
    id: deps.newId(),
    sessionId: invocation.session,
    validate: invocation.validate,
    ...(site !== null && { site }),
    ...(rejoin && { rejoin }),
  });
  const started = new ApiCall(call, deps.limits.outputChars, async (signal, onStream) => {
    try {
      const result = await deps.path.call(signal, call, { onStream });
      return calls.takeLossReport(invocation.session) ? { ...result, stateLost: true } : result;
    } catch (error) {
      // Invoking should never reject. If it does, the caller, who already has status 200, still gets a result.
      return failure(`Error: ${errorText(error)}`, errorText(error));
    }
  });
  calls.add(started, rejoin);
  return started;
}

/** Returns `undefined` if the session may use the tool. */
function refuseUnlessSelected(
  opened: OpenedSession,
  session: string,
  tool: string,
  deps: ApiDeps,
): Response | undefined {
  if (opened.at === 'unknown')
    return problemResponse({
      status: 404,
      code: 'unknown-session',
      detail: `There is no session ${session}.`,
      hint: 'GET api/sessions lists the sessions. Omit "session" to call without one.',
    });
  if (opened.at === 'other-folder')
    return problemResponse({
      status: 409,
      code: 'other-folder',
      detail: `The session ${session} belongs to the folder ${opened.folder}, which is not open here.`,
      hint: 'Open that folder in a Cloche page, and name it with ?folder= in the address.',
    });
  if (deps.isSelected(session, tool)) return undefined;
  return problemResponse({
    status: 403,
    code: 'not-selected',
    detail: `The tool ${tool} is not selected in the session ${session}.`,
    hint: 'The selection of a session is locked. Use a session that has the tool, or omit "session".',
  });
}

function tooManyCalls(): Response {
  return problemResponse({
    status: 429,
    code: 'too-many-calls',
    detail: 'Too many calls are running or waiting.',
    hint: 'Wait until some have ended, and repeat the request.',
    headers: { 'Retry-After': '1' },
  });
}

/** The `Idempotency-Key` was used for a different request. */
function keyTakenResponse(key: string): Response {
  return problemResponse({
    status: 422,
    code: 'key-taken',
    detail: `The Idempotency-Key ${key} was used for a call to another tool or with another body.`,
    hint: 'Use a new key for each call. Repeat a key only to rejoin its call.',
  });
}

/** The scan lasted longer than an answer may take. */
function stillScanning(): Response {
  return problemResponse({
    status: 503,
    code: 'scanning',
    detail: 'The tools folder is still loading after four minutes.',
    hint: 'Check the Cloche page for the cause, and try again.',
    headers: { 'Retry-After': '10' },
  });
}

export interface InvokeRequest {
  /** JSON text of an object, exactly as the caller wrote it. */
  readonly arguments: JsonText;
  /** Session id; empty if none was given. */
  readonly session: string;
  readonly validate: boolean;
  /** The `Idempotency-Key`; empty if none was given. */
  readonly key: string;
  /** Equal for all requests with the same key; empty without a key. */
  readonly fingerprint: string;
}

const decodedBytes = 1024 * 1024;
const example = 'Send an object such as {"arguments": {"location": "Oslo"}}.';

/** Resolves to a problem response if the request is invalid. Ignores unknown members of the body. */
async function readInvokeRequest(
  request: ApiRequest,
  tool: string,
  { valueChars }: ApiDeps['limits'],
): Promise<InvokeRequest | Response> {
  const key = request.headers.get('Idempotency-Key') ?? '';
  if (key.length > 255)
    return badRequest('The Idempotency-Key is longer than 255 characters.', 'Use a UUID.');
  const bytes = new Uint8Array(await request.arrayBuffer());
  // @mutant the size limit of a request => never [src/app/api/invoke-refusals.test.ts src/app/api/create-api.test.ts]
  if (bytes.byteLength > valueChars) return tooLarge(bytes.byteLength, valueChars);
  try {
    const members = await runPaced(scanObject(await runPaced(decodeInSteps(bytes))));
    const read = readMembers(members);
    if (read instanceof Response) return read;
    const site = siteOf(request);
    if (site !== null && read.session !== '') return sessionOfOthers();
    if (key === '') return { ...read, key, fingerprint: '' };
    return {
      ...read,
      // Two origins never share a call.
      key: site === null ? key : `${site} ${key}`,
      fingerprint: `${tool}\n${await sha256Of(bytes)}`,
    };
  } catch (error) {
    if (error instanceof SyntaxError)
      return badRequest(`The body is not a JSON object: ${error.message}.`, example);
    if (error instanceof TypeError)
      return badRequest('The body is not UTF-8.', 'Encode the JSON text as UTF-8.');
    throw error;
  }
}

function readMembers(
  members: ReadonlyMap<string, JsonText>,
): Pick<InvokeRequest, 'arguments' | 'session' | 'validate'> | Response {
  const text = members.get('arguments') ?? '{}';
  if (!text.startsWith('{')) return badRequest('"arguments" is not a JSON object.', example);
  const session = parseMember(members.get('session')) ?? '';
  if (typeof session !== 'string')
    return badRequest('"session" is not a string.', 'Pass the id of a session, or omit it.');
  const validate = parseMember(members.get('validate')) ?? true;
  if (typeof validate !== 'boolean')
    return badRequest('"validate" is not a boolean.', 'Omit it to validate the arguments.');
  return { arguments: text, session, validate };
}

function parseMember(text: JsonText | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

/** Decodes UTF-8 in steps. @throws {TypeError} if it is none */
export function* decodeInSteps(bytes: Uint8Array): Generator<undefined, string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (let at = 0; at < bytes.byteLength; at += decodedBytes) {
    text += decoder.decode(bytes.subarray(at, at + decodedBytes), { stream: true });
    yield undefined;
  }
  return text + decoder.decode();
}

function sessionOfOthers(): Response {
  return problemResponse({
    status: 403,
    code: 'own-origin-only',
    detail: 'Pages of other origins cannot call tools in a session.',
    hint: 'Omit "session".',
  });
}

function badRequest(detail: string, hint: string): Response {
  return problemResponse({ status: 400, code: 'bad-request', detail, hint });
}

function tooLarge(bytes: number, limit: number): Response {
  return problemResponse({
    status: 413,
    code: 'too-large',
    detail: `The body is ${bytes} bytes, more than the limit of ${limit} for one value.`,
    hint: 'Send less data, or put it in a file in the tools folder.',
  });
}
