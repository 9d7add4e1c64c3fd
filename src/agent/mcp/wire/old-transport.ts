/**
 * The transport of the revision 2024-11-05, the only transport that many public servers offer: all messages of the server
 * come in one stream, whose first event names the address for the messages of the client.
 */

import {
  SSEClientTransport,
  SseError,
  type AuthProvider,
  type Transport,
} from '@modelcontextprotocol/client';
import { isResponse } from './leniency/message.ts';
import { requestIn, type PendingRequest } from './leniency/reading.ts';
import { isEventStream, readOldStream, type ResponseDeps } from './leniency/response.ts';
import { asFields, isObject } from '../../../runtime/spec/guards.ts';
import type { LastAnswer } from './connect-fault.ts';
import { isForgotten, McpError } from './mcp-error.ts';
import type { Asked } from './server-fetch.ts';

/** Longest wait for the address; milliseconds. */
const openMs = 10_000;

/** The problem that is shown for each server that offers no newer transport. */
export const oldTransportProblem =
  'At this address, the server offers only the HTTP+SSE transport of 2024-11-05, which Streamable HTTP has replaced since the revision 2025-03-26.';

/** The statuses with which, as the specification says, a server refuses the newer transport. */
export function mayBeOld(answer: LastAnswer | null): boolean {
  if (answer === null || ![400, 404, 405].includes(answer.status)) return false;
  // A notification is sent only when the server has accepted `initialize`.
  return !answer.rpc.startsWith('notifications/') && !answer.text.includes('"jsonrpc"');
}

interface OldAccess {
  /** Sends a request to the server; it must refuse other origins and redirects. */
  readonly send: (url: string | URL, init?: Asked) => Promise<Response>;
  readonly authProvider: AuthProvider | null;
  /** Called when the server has answered with a stream. */
  readonly onStream: () => void;
}

interface OldConnection {
  readonly transport: Transport;
  /** Where the latest message was sent. The address names the session. */
  readonly address: () => string;
}

export function oldTransport(
  url: URL,
  { send, authProvider, onStream }: OldAccess,
  lenient: ResponseDeps,
): OldConnection {
  /** The requests that wait for a response, by their ids. */
  const pending = new Map<string, PendingRequest>();
  let latest = url.href;
  /** Whether the server has accepted a message of the session. */
  let isKnown = false;
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- servers that offer no other transport need it
  const transport = new SSEClientTransport(url, {
    fetch: async (address, init: Asked = {}) => {
      if (init.method === 'POST') latest = String(address);
      const response = await send(address, init);
      if (init.method === 'POST') {
        isKnown ||= response.ok;
        if (response.ok || (response.status === 401 && authProvider !== null)) return response;
        throw await refusal(response, isKnown);
      }
      if (isEventStream(response)) onStream();
      return readOldStream(response, (message) => takenFrom(pending, message), lenient);
    },
    ...(authProvider !== null && { authProvider }),
  });
  const start = transport.start.bind(transport);
  const write = transport.send.bind(transport);
  transport.start = () =>
    withinTime(start(), () => {
      void transport.close();
    });
  transport.send = (message) => {
    const request = requestIn(message);
    if (request !== null) pending.set(String(request.id), request);
    const { method, params } = asFields(message);
    if (method === 'notifications/cancelled') pending.delete(String(asFields(params).requestId));
    return write(message);
  };
  // The client would open another stream, which has no session, and would wait for its answers.
  transport.onerror = (error) => {
    if (error instanceof SseError) void transport.close();
  };
  return { transport, address: () => latest };
}

function takenFrom(pending: Map<string, PendingRequest>, message: unknown): PendingRequest | null {
  if (!isObject(message) || !isResponse(message)) return null;
  const { id } = message;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const request = pending.get(String(id)) ?? null;
  pending.delete(String(id));
  return request;
}

/** @param isKnown whether the server has known the session */
async function refusal(response: Response, isKnown: boolean): Promise<McpError> {
  const { status } = response;
  const text = (await response.text().catch(() => '')).trim();
  if (status === 401) return new McpError('sign-in', text, status);
  return new McpError(isKnown && isForgotten(status, text) ? 'lost' : 'http', text, status);
}

async function withinTime(opening: Promise<void>, onLate: () => void): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(new McpError('timeout', 'The stream of the server did not name an address in time.'));
    }, openMs);
  });
  try {
    await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
}
