/** Sends a traced request again, unless it can have an effect: calls take the call path, which asks and logs. */

import { readingMethods } from '../../../runtime/protocol/mcp.ts';
import { isObject } from '../../../runtime/spec/guards.ts';
import { exactNumberReviver } from './exact-numbers.ts';
import { McpError } from './mcp-error.ts';
import type { SentRequest, serverFetch } from './server-fetch.ts';

/** The answer is read at most so long; milliseconds. */
const maxMs = 30_000;

interface ReplayAccess {
  readonly send: ReturnType<typeof serverFetch>;
  /** Where the connection sends its messages: an earlier one may have had another address. */
  readonly address: string;
  readonly sessionId: string | undefined;
  readonly token: string | undefined;
}

/** @param id for the request, since a session may know each id once @returns the status of the answer */
export async function replayRequest(
  request: SentRequest | null,
  id: string,
  { send, address, sessionId, token }: ReplayAccess,
): Promise<number> {
  const message: unknown =
    request === null || request.body === '' ? null : JSON.parse(request.body, exactNumberReviver);
  if (request === null || !isObject(message) || message.id === undefined || !('method' in message))
    throw new McpError('protocol', 'This message cannot be sent again.');
  // @mutant no call is made past the call path by sending its message again => never
  //   [src/agent/mcp/server-trace.test.ts]
  if (typeof message.method !== 'string' || !readingMethods.has(message.method))
    throw new McpError(
      'protocol',
      'Only a request that reads can be sent again. Run a tool on its page.',
    );
  const headers = new Headers(request.headers);
  headers.delete('mcp-session-id');
  if (sessionId !== undefined) headers.set('mcp-session-id', sessionId);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const response = await send(address, {
    method: request.method,
    headers,
    body: JSON.stringify({ ...message, id }),
    signal: AbortSignal.timeout(maxMs),
  });
  // The trace gets the messages while they are read.
  await response.body?.pipeTo(new WritableStream()).catch(() => undefined);
  return response.status;
}
