/** Test helpers for MCP: a fresh API, and clients of both kinds of revisions that send messages to it. */

import { createApi, type Api } from '../create-api.ts';
import { FakeApiDeps } from '../api-deps.fixture.ts';
import { readEvents } from '../read-events.fixture.ts';
import { modernVersion } from '../../../runtime/protocol/mcp-handshake.ts';

const accept = 'application/json, text/event-stream';

export function setUpMcp(): { deps: FakeApiDeps; api: Api; send: Send } {
  const deps = new FakeApiDeps();
  const api = createApi(deps);
  return { deps, api, send: sendTo(api) };
}

export type Send = (
  body: unknown,
  headers?: Record<string, string>,
  method?: string,
) => Promise<Response>;

/** @param api receives text as it is, and other bodies as JSON */
function sendTo(api: Api): Send {
  return (body, headers = {}, method = 'POST') =>
    api.handle(
      new Request('https://cloche.test/', {
        method,
        headers: { 'Content-Type': 'application/json', Accept: accept, ...headers },
        ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
      'mcp',
    );
}

/** Begins a session. @returns the headers of its later messages */
export async function initialize(
  send: Send,
  { version = '2025-11-25', capabilities = {}, headers = {} } = {},
): Promise<Record<string, string>> {
  const params = {
    protocolVersion: version,
    capabilities,
    clientInfo: { name: 't', version: '1' },
  };
  const response = await send({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, headers);
  const id = response.headers.get('Mcp-Session-Id') ?? '';
  return { ...headers, 'Mcp-Session-Id': id, 'MCP-Protocol-Version': version };
}

export function request(method: string, params: object = {}, id: number | string = 1): object {
  return { jsonrpc: '2.0', id, method, params };
}

export function toolCall(name: string, args: object = {}, more: object = {}, id = 1): object {
  return request('tools/call', { name, arguments: args, ...more }, id);
}

/** All methods of requests that clients of any revision send to servers. */
export const specifiedMethods = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'tasks/list',
  'tasks/get',
  'tasks/result',
  'tasks/cancel',
] as const;

/** Sends a request as 2026-07-28 has it. */
export function sendModern(
  send: Send,
  method: string,
  params: Record<string, unknown> = {},
  { capabilities = {}, meta = {}, headers = {} } = {},
): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...meta,
  };
  return send(request(method, { ...params, _meta }), {
    'MCP-Protocol-Version': modernVersion,
    'Mcp-Method': method,
    ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
    ...headers,
  });
}

/** The messages of an answer, whichever its form. */
export async function messagesOf(response: Response): Promise<unknown[]> {
  const text = await response.text();
  if (response.headers.get('Content-Type') === 'application/json')
    return [JSON.parse(text) as unknown];
  return readEvents(text).flatMap(({ data }) => (data === '' ? [] : [data]));
}

/** Reads the messages of a stream one by one. */
export function reader(response: Response): { next(): Promise<unknown>; close(): Promise<void> } {
  const stream = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const [event] = readEvents(text.slice(0, end + 2));
          text = text.slice(end + 2);
          if (event !== undefined && event.data !== '') return event.data;
          continue;
        }
        const { done, value } = (await stream?.read()) ?? { done: true, value: undefined };
        if (done) return undefined;
        text += value;
      }
    },
    close: async () => stream?.cancel(),
  };
}
