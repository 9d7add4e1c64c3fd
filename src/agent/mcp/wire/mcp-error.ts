/** Errors of requests to a server, and what those of the official client mean. */

import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { McpCause, McpFault } from '../../../runtime/protocol/mcp.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import { asFields, parseJson } from '../../../runtime/spec/guards.ts';

/** A request that was not sent, or whose response was not read. */
export class McpError extends Error {
  readonly fault: McpFault;

  constructor(cause: McpCause, message: string, status: number | null = null) {
    super(message);
    this.fault = { cause, message, status };
  }
}

/**
 * How servers say, with the status 400, that they do not know the session. They mean no argument such as `session_id`,
 * about which a tool may complain after it has run.
 */
const lostSession =
  /mcp-session-id|no transport found for session|\b(no valid|invalid|unknown|missing|expired) session\b|\bsession( id)? (was |is |has )?(not found|expired|unknown|terminated|required)|server (is )?not initialized/i;
/** Limit of the data that a server sends with the message of an error; characters. */
const maxData = 2_000;
const closed =
  'The connection was closed before the server answered. It may have done what it was asked for.';

/** Whether a server that knew the session has refused a message because it no longer does. */
export function isForgotten(status: number, message: string): boolean {
  // @mutant a session that the server has forgotten is begun again => 404 -> 405
  //   [src/agent/mcp/servers.test.ts]
  return status === 404 || (status === 400 && lostSession.test(message));
}

/** Describes an error to the page. */
export function faultOf(thrown: unknown): McpFault {
  const message = plainWords(errorText(thrown));
  if (thrown instanceof McpError) return thrown.fault;
  if (thrown instanceof UnauthorizedError) return { cause: 'sign-in', message, status: 401 };
  if (thrown instanceof SdkHttpError) {
    const { status } = thrown;
    const cause = status === 401 ? 'sign-in' : isForgotten(status, message) ? 'lost' : 'http';
    return { cause, message, status };
  }
  if (thrown instanceof SseError)
    return {
      cause: thrown.code === 401 ? 'sign-in' : 'protocol',
      message,
      status: thrown.code ?? null,
    };
  // The server itself sent this error. A list of faults in it is about the request, so it is not a fault of the server.
  if (thrown instanceof ProtocolError)
    return { cause: 'refused', message: withData(errorText(thrown), thrown.data), status: null };
  if (thrown instanceof SdkError) {
    const { code } = thrown;
    if (code === SdkErrorCode.RequestTimeout) return { cause: 'timeout', message, status: null };
    if (code === SdkErrorCode.NotConnected) return { cause: 'lost', message, status: null };
    if (code === SdkErrorCode.ConnectionClosed)
      // @mutant a call that the server may have run is not made again => 'protocol' -> 'lost'
      //   [src/agent/mcp/connections.test.ts]
      return { cause: 'protocol', message: closed, status: null };
  }
  return { cause: 'protocol', message, status: null };
}

/** Adds the data that the server sends with the message of an error, such as which arguments are wrong. */
function withData(message: string, data: unknown): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? {});
  if (/^(?:\{\}|\[\])?$/.test(text) || message.includes(text)) return message;
  // @mutant the data of a server's error is bounded => text.length > maxData -> false
  return `${message} ${text.length > maxData ? `${text.slice(0, maxData)}…` : text}`;
}

/** The client lists all that is wrong with an answer as JSON. The first fault says enough. */
function plainWords(message: string): string {
  const [, revision] = /^Server's protocol version is not supported: (.*)$/s.exec(message) ?? [];
  if (revision !== undefined)
    return `The server answered initialize with the protocolVersion “${revision.slice(0, 40)}”, which Cloche does not support. Its author has to offer a revision from 2024-11-05 to 2026-07-28.`;
  const at = message.search(/\[\s*\{/);
  const faults = at < 0 ? undefined : parseJson(message.slice(at));
  if (!Array.isArray(faults)) return message;
  const { path, message: fault } = asFields(faults[0]);
  if (typeof fault !== 'string') return message;
  const place = Array.isArray(path) && path.length > 0 ? `${path.join('.')}: ` : '';
  const what = message.slice(0, at).replace(/:\s*$/, '') || 'Invalid message';
  return `${what}. ${place}${fault}. This is a fault of the server.`;
}
