/** Reads HTTP responses of servers that break the rules of the transport, before the client does. */

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { asFields, isObject, parseJson, type Fields } from '../../../../runtime/spec/guards.ts';
import { EventReader, looksLikeEvents } from './events.ts';
import {
  boundDepth,
  internalError,
  isAnswer,
  isMessage,
  isResponse,
  readBareResult,
  readMessage,
} from './message.ts';
import {
  isList,
  readPendingRequest,
  requestIn,
  showValue,
  Unreadable,
  type Note,
  type PendingRequest,
  type ReadMessages,
} from './reading.ts';
import { Subscription } from './subscription.ts';

export interface ResponseDeps {
  readonly note: Note;
  /** Called with each response as it was sent, and with its id as it was read. */
  readonly received: (text: string, id: unknown) => void;
}

const methodNotFound = -32601;

/**
 * Returns the response in a form that the client can read.
 * @param sent the method and the body of the request
 */
export async function readResponse(
  response: Response,
  sent: { readonly method?: string | undefined; readonly body?: unknown },
  deps: ResponseDeps,
): Promise<Response> {
  if (sent.method === 'GET') return readStreamOfServer(response, deps);
  if (sent.method !== 'POST') return response;
  const request = readPendingRequest(sent.body);
  if (request === null) return readAccepted(response, sent.body, deps.note);
  if (!response.ok) return readRefusal(response, request, deps.note);
  if (isEventStream(response)) return readEvents(response, request, deps);
  const { start, body } = await beginningOf(response.body);
  const whole = new Response(body, response);
  if (looksLikeEvents(start)) {
    deps.note(
      `${request.method}: events were sent with ${typeOf(response)}, not text/event-stream.`,
    );
    return readEvents(whole, request, deps);
  }
  return readAnswer(whole, request, deps);
}

/** Returns the error for a request whose stream has ended. If the request was answered, the client ignores the error. */
export function createEndedError(sent: unknown): JSONRPCMessage | null {
  const request = requestIn(sent);
  return request === null ? null : errorFor(request, 'ended the stream without a response to');
}

/** @param how what the server has done instead of answering */
function errorFor({ id, method }: PendingRequest, how: string): JSONRPCMessage {
  const message = `The server ${how} ${method}, which is a fault of the server. It may have done what it was asked for.`;
  return { jsonrpc: '2.0', id, error: { code: internalError, message } };
}

/** Reads the answer to a notification or a response, which has no content. The client opens the stream of the server only after the status 202. */
async function readAccepted(response: Response, body: unknown, note: Note): Promise<Response> {
  if (!response.ok) return response;
  // An event stream may stay open until the connection ends.
  if (isEventStream(response)) await response.body?.cancel();
  else await response.text().catch(() => '');
  if (response.status !== 202) {
    const { method } = asFields(parseJson(body));
    note(
      `${showValue(method ?? 'A response', 100)}: answered with the status ${response.status}, not 202.`,
    );
  }
  return new Response(null, { status: 202, headers: response.headers });
}

async function readRefusal(
  response: Response,
  request: PendingRequest,
  note: Note,
): Promise<Response> {
  const { status } = response;
  // Servers of earlier revisions may fail at the method that only the latest one knows.
  if (request.method === 'server/discover' && status >= 500) {
    await response.text();
    note(`${request.method}: answered with the status ${status}, not with an error of JSON-RPC.`);
    const error = { code: methodNotFound, message: `Status ${status}` };
    return jsonResponse(response, { jsonrpc: '2.0', id: request.id, error });
  }
  if (status !== 400) return response;
  const text = await response.text();
  const value = parseJson(text);
  const bounded = boundDepth(value, request.method, note);
  if (!isObject(bounded) || !isObject(bounded.error) || 'result' in bounded)
    return new Response(text, response);
  // A server does not know the id of a message that it refuses to read. The official servers send null.
  const named = (bounded.id ?? null) === null ? { ...bounded, id: request.id } : bounded;
  const read = readMessage(named, request, note);
  return new Response(read === value ? text : JSON.stringify(read), response);
}

/** Reads the stream in which the server sends its own requests and notifications. */
async function readStreamOfServer(response: Response, deps: ResponseDeps): Promise<Response> {
  if (!response.ok) return response;
  if (isEventStream(response)) return readEvents(response, null, deps);
  const { start, body } = await beginningOf(response.body);
  const type = typeOf(response);
  if (looksLikeEvents(start)) {
    deps.note(`GET: events were sent with ${type}, not text/event-stream.`);
    return readEvents(new Response(body, response), null, deps);
  }
  await body?.cancel();
  deps.note(`GET: answered with ${type}, not with text/event-stream or the status 405.`);
  // Without this status, the client would ask again and again.
  return new Response(null, { status: 405 });
}

/** Reads the only stream of the transport of 2024-11-05. @param requestOf finds the request that a message answers */
export function readOldStream(
  response: Response,
  requestOf: (message: unknown) => PendingRequest | null,
  deps: ResponseDeps,
): Response {
  return response.ok && isEventStream(response)
    ? readEvents(response, null, deps, requestOf)
    : response;
}

function readEvents(
  response: Response,
  request: PendingRequest | null,
  deps: ResponseDeps,
  requestOf: (message: unknown) => PendingRequest | null = () => request,
): Response {
  const isSubscription = request?.method === 'subscriptions/listen';
  const subscription = isSubscription ? new Subscription(request, deps.note) : null;
  const events = new EventReader((text) => {
    const read = messagesOf(text, requestOf, deps, { isWhole: false });
    return subscription === null || read === null ? read : subscription.read(read);
  }, deps.note);
  const reading = new TransformStream<string, string>({
    start: (controller) => subscription?.start((text) => controller.enqueue(text)),
    transform: (text, controller) => controller.enqueue(events.add(text)),
    flush: (controller) => {
      subscription?.end();
      controller.enqueue(events.end());
    },
  });
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/event-stream');
  const body = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(reading)
    .pipeThrough(new TextEncoderStream());
  return new Response(body ?? null, { status, statusText, headers });
}

/** Reads an answer that is one message, or several. */
async function readAnswer(
  response: Response,
  request: PendingRequest,
  deps: ResponseDeps,
): Promise<Response> {
  const { method } = request;
  const { status } = response;
  const type = typeOf(response);
  const text = textOf(new Uint8Array(await response.arrayBuffer()), response);
  const failed = (how: string): Response => jsonResponse(response, errorFor(request, how));
  if (text.trim() === '')
    return failed(
      status === 202
        ? 'accepted but did not answer'
        : `sent the status ${status} and nothing else in answer to`,
    );
  const read = messagesOf(text, () => request, deps, { isWhole: true });
  const messages = read?.messages.filter(isMessage) ?? [];
  if (read === null || messages.length === 0)
    return failed(
      `sent ${read === null ? type : 'JSON'} that is not a JSON-RPC message in answer to`,
    );
  if (status !== 200 || type !== 'application/json')
    deps.note(`${method}: JSON was sent with ${type} and the status ${status}.`);
  const answers = messages.some((message) => isAnswer(message, request));
  if (answers && read.isSame) return jsonResponse(response, text);
  if (!answers)
    messages.push(errorFor(request, `sent ${otherThan(messages, request)} in answer to`));
  return jsonResponse(response, messages.length === 1 ? messages[0] : messages);
}

/** @param body the text of JSON, or the value */
function jsonResponse({ headers }: Response, body: unknown): Response {
  const read = new Headers(headers);
  read.set('content-type', 'application/json');
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { headers: read });
}

function otherThan(messages: readonly Fields[], { id }: PendingRequest): string {
  const other = messages.find(isResponse);
  if (other === undefined) return 'messages, but no response,';
  return `the response to another request (with the id ${showValue(other.id, 40)}, not ${showValue(id, 40)})`;
}

/**
 * Returns the messages in a text: one, a list of them, or one in each line. A message that cannot be read becomes an error
 * for its request.
 * @param requestOf finds the request that a message answers
 * @param options.isWhole whether the text is a whole body
 * @returns null if the text is not JSON
 */
function messagesOf(
  text: string,
  requestOf: (message: unknown) => PendingRequest | null,
  { note, received }: ResponseDeps,
  { isWhole }: { isWhole: boolean },
): ReadMessages | null {
  const values = valuesOf(text);
  if (values === null) return null;
  const isOne = values.length === 1 && !text.trimStart().startsWith('[');
  const messages = values.map((value) => {
    const request = requestOf(value);
    const bounded = boundDepth(value, request?.method ?? 'A message', note);
    try {
      const whole = isWhole && request !== null ? readBareResult(bounded, request, note) : bounded;
      const message = readMessage(whole, request, note);
      if (isMessage(message) && isResponse(message))
        received(isOne && whole === value ? text : JSON.stringify(whole), message.id);
      return message;
    } catch (thrown) {
      if (!(thrown instanceof Unreadable) || request === null) return bounded;
      return errorFor(request, thrown.message);
    }
  });
  return { messages, isSame: isOne && messages[0] === values[0] };
}

function valuesOf(text: string): readonly unknown[] | null {
  const value = parseJson(text);
  if (value !== undefined) return isList(value) ? value : [value];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.slice(0, maxLines).map(parseJson);
  return values.length > 1 && values.every(isObject) ? values : null;
}

/** Limit of messages of a body that has one in each line. */
const maxLines = 1_000;

/** Reads the first characters of a body. The returned body begins with them again. */
async function beginningOf(
  body: ReadableStream<Uint8Array> | null,
): Promise<{ readonly start: string; readonly body: ReadableStream<Uint8Array> | null }> {
  if (body === null) return { start: '', body };
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let start = '';
  while (start.length < enoughChars) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    start = (start + decoder.decode(value, { stream: true })).trimStart();
  }
  const whole = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const piece = pieces.shift() ?? (await reader.read()).value;
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { start, body: whole };
}

/** This many characters show whether a text begins like an event. */
const enoughChars = 6;

/** Decodes JSON as UTF-8. If the bytes are not UTF-8, the encoding that the server names is used. */
function textOf(bytes: Uint8Array, { headers }: Response): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const [, named = 'utf-8'] = /charset="?([\w-]+)/i.exec(headers.get('content-type') ?? '') ?? [];
    try {
      return new TextDecoder(named).decode(bytes);
    } catch {
      return new TextDecoder().decode(bytes);
    }
  }
}

export function isEventStream(response: Response): boolean {
  return typeOf(response) === 'text/event-stream';
}

function typeOf({ headers }: Response): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase().slice(0, 100) || 'no Content-Type';
}
