/** Ends requests whose response can no longer arrive: the client would wait for it until its time limit. */

import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { fields, parsedJson } from '../../../runtime/spec/guards.ts';

/** JSON-RPC's code for an internal error of the server. */
const internalError = -32603;

/**
 * Returns an error in place of the response to a request; null for a message that expects none.
 * @param how what the server has done instead
 */
function errorFor(sent: unknown, how: string): JSONRPCMessage | null {
  const { id, method } = fields(sent);
  if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return null;
  const message = `The server ${how} ${method}, which is a fault of the server. It may have done what it was asked for.`;
  return { jsonrpc: '2.0', id, error: { code: internalError, message } };
}

/** The error for a request after the end of its stream. If it was answered, the client ignores this. */
export function endedError(sent: unknown): JSONRPCMessage | null {
  return errorFor(sent, 'ended the stream without a response to');
}

/** A server may only accept notifications. @returns the response with an error instead, if a request was accepted so */
export function withAnswer(response: Response, body: unknown): Response {
  if (response.status !== 202 || typeof body !== 'string') return response;
  const error = errorFor(parsedJson(body), 'accepted, and did not answer,');
  return error === null ? response : Response.json(error);
}
