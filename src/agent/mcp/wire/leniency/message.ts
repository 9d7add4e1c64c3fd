/**
 * Reads messages of servers that break the specification, where only one reading is possible, before the client checks
 * them. Each breach is noted, for the report of the server's problems. Docs: docs/mcp-servers.md.
 */

import { cutBelow } from '../../../../runtime/spec/json.ts';
import { isObject, isRecord, type Fields } from '../../../../runtime/spec/guards.ts';
import { asText } from '../../../../runtime/spec/lenient.ts';
import { readProgress } from './progress.ts';
import { showValue, tooDeep, Unreadable, type Note, type PendingRequest } from './reading.ts';
import { readResult } from './result.ts';

/** JSON-RPC's code for an internal error of the server. */
export const internalError = -32603;

/** Limit of nesting: deeper values would overflow the stack of recursive code, such as JSON.stringify. */
const maxDepth = 200;

/** Replaces what is nested too deeply in a message. @returns the value itself if nothing is */
export function boundDepth(value: unknown, about: string, note: Note): unknown {
  if (!isObject(value)) return value;
  // @mutant a message of a server that is nested too deeply fails no call => cutBelow(value, maxDepth, tooDeep) -> value
  //   [src/agent/mcp/wire/call-outcome.test.ts]
  const read = cutBelow(value, maxDepth, tooDeep);
  if (read !== value)
    note(`${about}: anything nested more than ${maxDepth} levels deep is left out.`);
  return read;
}

/**
 * Reads one message.
 * @param request the request that the message may answer; null if it came in the stream of the server
 * @returns the value itself if it is a valid message, or not a message
 * @throws {Unreadable}
 */
export function readMessage(value: unknown, request: PendingRequest | null, note: Note): unknown {
  if (!isObject(value)) return value;
  if (isResponse(value)) return readResponse(value, request, note);
  return typeof value.method === 'string' ? readRequest(value, note) : value;
}

/** Puts a result that was sent without its response into one. Other values stay as they are. For whole bodies only. */
export function readBareResult(value: unknown, request: PendingRequest, note: Note): unknown {
  if (!isObject(value) || isMessage(value) || !resultMembers.some((member) => member in value))
    return value;
  note(`${request.method}: the answer is a result without its JSON-RPC response.`);
  return { jsonrpc: '2.0', id: request.id, result: value };
}

export function isMessage(value: unknown): value is Fields {
  return isObject(value) && (isResponse(value) || typeof value.method === 'string');
}

/** Whether a message is the response to the request, once it has been read. */
export function isAnswer(message: unknown, request: PendingRequest): boolean {
  return isObject(message) && isResponse(message) && message.id === request.id;
}

export function isResponse(value: Fields): boolean {
  return 'result' in value || 'error' in value;
}

function readResponse(value: Fields, request: PendingRequest | null, note: Note): unknown {
  const about = request?.method ?? 'A response';
  const { jsonrpc, id, result, error, ...others } = value;
  noteVersion(jsonrpc, about, note);
  const extra = Object.keys(others);
  if (extra.length > 0)
    note(
      `${about}: the response has members that JSON-RPC does not define: ${joinFirstNames(extra)}.`,
    );
  const readId = request === null ? id : idOf(id, request, note);
  const isOurs = request !== null && readId === request.id;
  const hasBoth = isGiven(result) && isGiven(error);
  if (hasBoth && isOurs) throw new Unreadable('sent both a result and an error in answer to');
  if ('result' in value && 'error' in value)
    note(
      hasBoth
        ? `${about}: a response to another request has both result and error: read as an error.`
        : `${about}: the response has both result and error, of which one is null.`,
    );
  if (isGiven(error)) {
    const read = readError(error, about, note);
    return isSame(value, extra, readId) && read === error && !('result' in value)
      ? value
      : { jsonrpc: '2.0', ...(readId !== undefined && { id: readId }), error: read };
  }
  const read = isOurs ? readResult(request, result, note) : result;
  return isSame(value, extra, readId) && read === result && !('error' in value)
    ? value
    : { jsonrpc: '2.0', id: readId, result: read };
}

function isSame(value: Fields, extra: readonly string[], id: unknown): boolean {
  return value.jsonrpc === '2.0' && extra.length === 0 && value.id === id;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns the id of the request if the response can only belong to it. */
function idOf(id: unknown, request: PendingRequest, note: Note): unknown {
  if (id === request.id) return id;
  const { method } = request;
  if (!isGiven(id)) {
    note(`${method}: the response has no id.`);
    return request.id;
  }
  if ((typeof id === 'string' || typeof id === 'number') && String(id) === String(request.id)) {
    note(`${method}: the id of the response is a ${typeof id}, but that of the request is not.`);
    return request.id;
  }
  return id;
}

function readError(error: unknown, about: string, note: Note): unknown {
  if (!isRecord(error)) {
    note(`${about}: the error is not an object with code and message.`);
    return { code: internalError, message: showValue(error) };
  }
  const { code, message, data } = error;
  const hasCode = Number.isSafeInteger(code);
  if (hasCode && typeof message === 'string') return error;
  let readCode = code;
  let words = asText(message);
  if (!hasCode) {
    const isNumber = typeof code === 'string' && /^-?\d{1,9}$/.test(code.trim());
    note(`${about}: the code of the error is not an integer.`);
    readCode = isNumber ? Number(code) : internalError;
    if (!isNumber && isGiven(code))
      words = words === '' ? showValue(code) : `${words} (${showValue(code)})`;
  }
  if (typeof message !== 'string') {
    note(`${about}: the error has no message.`);
    const detail = message ?? data;
    if (isGiven(detail))
      words = words === '' ? showValue(detail) : `${words}: ${showValue(detail)}`;
  }
  const read = { code: readCode, message: words === '' ? 'The server did not say why.' : words };
  return data === undefined ? read : { ...read, data };
}

/** A request or a notification of the server. */
function readRequest(value: Fields, note: Note): unknown {
  const { jsonrpc, id, method, params, ...others } = value;
  const about = String(method).slice(0, 100);
  noteVersion(jsonrpc, about, note);
  const extra = Object.keys(others);
  const isOdd = extra.length > 0 || ('id' in value && id === null) || params === null;
  if (isOdd)
    note(`${about}: the message has members that JSON-RPC does not allow, or that are null.`);
  const isProgress = method === 'notifications/progress' && isObject(params);
  const readParams = isProgress ? readProgress(params, note) : params;
  if (jsonrpc === '2.0' && !isOdd && readParams === params) return value;
  return {
    jsonrpc: '2.0',
    method,
    ...(isGiven(id) && { id }),
    ...(isGiven(readParams) && { params: readParams }),
  };
}

function noteVersion(jsonrpc: unknown, about: string, note: Note): void {
  if (jsonrpc !== '2.0') note(`${about}: jsonrpc is not "2.0".`);
}

const resultMembers = [
  ...['protocolVersion', 'serverInfo', 'supportedVersions', 'content', 'structuredContent'],
  ...['tools', 'prompts', 'resources', 'resourceTemplates', 'messages', 'contents', 'completion'],
];

function joinFirstNames(names: readonly string[]): string {
  return names
    .slice(0, 5)
    .map((name) => name.slice(0, 40))
    .join(', ');
}
