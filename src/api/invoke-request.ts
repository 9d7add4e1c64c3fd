/** Reads and checks the body of `POST api/tools/{name}/invoke`. */

import { sha256Of } from '../spec/sha256.ts';
import type { JsonText } from '../spec/json.ts';
import { problemResponse } from '../protocol/problem-document.ts';
import type { ApiDeps, ApiRequest } from './api-deps.ts';
import { siteOf } from './other-sites.ts';
import { scanObject } from '../spec/json-members.ts';
import { paced } from '../async/pace.ts';

export interface InvokeRequest {
  /** JSON text of an object, exactly as the caller wrote it. */
  readonly arguments: JsonText;
  /** Session id; empty if none was given. */
  readonly session: string;
  readonly validate: boolean;
  /** The `Idempotency-Key`; empty if none was given. */
  readonly key: string;
  /** Must be equal for all requests with the same key; empty without a key. */
  readonly fingerprint: string;
}

const decodedBytes = 1024 * 1024;
const example = 'Send an object such as {"arguments": {"location": "Oslo"}}.';

/** Resolves to a problem response if the request is invalid. Ignores unknown members of the body. */
export async function readInvokeRequest(
  request: ApiRequest,
  tool: string,
  { valueChars }: ApiDeps['limits'],
): Promise<InvokeRequest | Response> {
  const key = request.headers.get('Idempotency-Key') ?? '';
  if (key.length > 255)
    return badRequest('The Idempotency-Key is longer than 255 characters.', 'Use a UUID.');
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > valueChars) return tooLarge(bytes.byteLength, valueChars);
  try {
    const members = await paced(scanObject(await paced(decoded(bytes))));
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
  const session = value(members.get('session')) ?? '';
  if (typeof session !== 'string')
    return badRequest('"session" is not a string.', 'Pass the id of a session, or omit it.');
  const validate = value(members.get('validate')) ?? true;
  if (typeof validate !== 'boolean')
    return badRequest('"validate" is not a boolean.', 'Omit it to validate the arguments.');
  return { arguments: text, session, validate };
}

function value(text: JsonText | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

function* decoded(bytes: Uint8Array): Generator<undefined, string> {
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

/**
 * Returns `undefined` if the body is declared as JSON, and a 415 problem otherwise. A page of another origin can post
 * forms to the service worker, but no form media type is JSON: this is one of two checks against that.
 */
export function refuseUnlessJsonBody(request: ApiRequest): Response | undefined {
  const declared = request.headers.get('Content-Type') ?? '';
  if (/^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(declared))
    return undefined;
  return problemResponse({
    status: 415,
    code: 'not-json',
    detail:
      declared === '' ? 'The request has no Content-Type.' : `The Content-Type is ${declared}.`,
    hint: 'Send the body as Content-Type: application/json.',
  });
}
