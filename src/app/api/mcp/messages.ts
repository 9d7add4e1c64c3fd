/** JSON-RPC messages of MCP, read with the exact text of their members, and the answers to them. */

import { runPaced } from '../../../runtime/async/pace.ts';
import { asFields } from '../../../runtime/spec/guards.ts';
import { exactText, parseExact } from '../../../runtime/spec/exact-json.ts';
import { scanObject } from '../../../runtime/spec/json-reader.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import { answerHeaders, createPacedBody, type Part } from '../http-form.ts';

type Members = ReadonlyMap<string, JsonText>;

export type McpMessage =
  /** `id` is JSON text, so that numbers return as they came. */
  | {
      readonly type: 'request';
      readonly id: JsonText;
      readonly method: string;
      readonly params: Members;
    }
  | { readonly type: 'notification'; readonly method: string; readonly params: Members }
  /** The client's answer to a request of the server; `result` is undefined for an error. */
  | { readonly type: 'answer'; readonly id: JsonText; readonly result: JsonText | undefined };

export type McpRequest = Extract<McpMessage, { type: 'request' }>;

export interface McpError {
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

export const errorCodes = {
  parse: -32700,
  badRequest: -32600,
  unknownMethod: -32601,
  badParams: -32602,
  failed: -32603,
  /** Refusals of the transport. */
  refused: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

const maxBatch = 100;

/**
 * Reads a body: one message, or a list of them for a batch.
 * @throws {SyntaxError} if the text is not JSON
 * @returns null if a message is malformed
 */
export async function readMessages(text: string): Promise<McpMessage | McpMessage[] | null> {
  if (!/^\s*\[/.test(text)) return readMessage(text);
  const values = parseExact(text);
  if (!Array.isArray(values) || values.length === 0 || values.length > maxBatch) return null;
  const messages: McpMessage[] = [];
  for (const value of values) {
    const message = await readMessage(exactText(value));
    if (message === null) return null;
    messages.push(message);
  }
  return messages;
}

async function readMessage(text: JsonText): Promise<McpMessage | null> {
  if (!/^\s*\{/.test(text)) {
    // Malformed text is a parse error, and any other value no message.
    JSON.parse(text);
    return null;
  }
  const members = await runPaced(scanObject(text));
  const method = parseMember(members.get('method'));
  const id = members.get('id');
  const isId = id !== undefined && /^["\d-]/.test(id);
  if (parseMember(members.get('jsonrpc')) !== '2.0') return null;
  if (method === undefined) {
    const isAnswer = isId && (members.has('result') || members.has('error'));
    return isAnswer ? { type: 'answer', id, result: members.get('result') } : null;
  }
  const paramsText = orEmpty(members.get('params'));
  if (typeof method !== 'string' || !paramsText.startsWith('{')) return null;
  const params = await runPaced(scanObject(paramsText));
  if (id === undefined) return { type: 'notification', method, params };
  return isId ? { type: 'request', id, method, params } : null;
}

/** The text of an optional object. Some clients send null instead of leaving it out. */
export function orEmpty(text: JsonText | undefined): JsonText {
  return text === undefined || text === 'null' ? '{}' : text;
}

/** The value of a member; undefined if it is absent. */
export function parseMember(text: JsonText | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

/** The `_meta` of a message's parameters; empty if it has none. */
export function metaOf(params: Members): Readonly<Record<string, unknown>> {
  return asFields(parseMember(params.get('_meta')));
}

export function resultText(id: JsonText, result: object): JsonText {
  return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`;
}

export function errorText(id: JsonText, error: McpError): JsonText {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}

export function jsonResponse(body: Part, headers: Record<string, string> = {}): Response {
  return new Response(createPacedBody([body]), {
    headers: { ...answerHeaders('json'), ...headers },
  });
}

/** @param options.id the id of the request; the default is for errors that belong to no request */
export function errorResponse(
  status: number,
  error: McpError,
  {
    id = 'null',
    headers = {},
  }: { readonly id?: JsonText; readonly headers?: Record<string, string> } = {},
): Response {
  return new Response(errorText(id, error), {
    status,
    headers: { ...answerHeaders('json'), ...headers },
  });
}

/** Accepts notifications and answers. */
export function acceptedResponse(): Response {
  return new Response(null, { status: 202 });
}
