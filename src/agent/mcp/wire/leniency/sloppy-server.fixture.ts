/** A server that answers as a test says, together with the worker that reads it. */

import type { McpOutcome, McpWorker, Answer } from '../../../../runtime/protocol/mcp.ts';
import { mcpWorker } from '../mcp-worker.ts';

const access = { url: 'https://server.example/mcp', headers: [], signedIn: null };
/** Limits that no answer of a test reaches. */
const ms = { idle: 60_000, total: 60_000 };

interface Sent {
  readonly id: number | string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Returns a whole response, or the result for a valid response. */
export type Reply = (id: number | string, sent: Sent) => Response | object;

/** @param more members of the answer, apart from its result */
export function answerTo(id: unknown, result: unknown, more: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result, ...more });
}

export function typed(text: string | Uint8Array<ArrayBuffer>, type: string | null): Response {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return new Response(bytes, { headers: type === null ? {} : { 'Content-Type': type } });
}

export function stream(...events: readonly string[]): Response {
  return new Response(events.join(''), { headers: { 'Content-Type': 'text/event-stream' } });
}

export const done = { content: [{ type: 'text', text: 'done' }] };

const replies: Readonly<Record<string, Reply>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: { name: 's', version: '1' },
  }),
  'tools/list': () => ({ tools: [] }),
  'tools/call': () => done,
  'notifications/initialized': () => new Response(null, { status: 202 }),
  GET: () => new Response(null, { status: 405 }),
};

export interface SloppyServer {
  readonly worker: McpWorker;
  /** The method of each request: of MCP for a POST, otherwise of HTTP. */
  readonly sent: string[];
  /** The problems that were reported since the last time. */
  problems(): Promise<readonly string[]>;
  call(): Promise<Answer<McpOutcome>>;
}

/** @param own replies by the method of MCP, or by GET */
export function sloppyServer(own: Readonly<Record<string, Reply>>): SloppyServer {
  const sent: string[] = [];
  const all = { ...replies, ...own };
  const worker = mcpWorker((_, { method: verb, body }) => {
    const message = (verb === 'POST' ? JSON.parse(body as string) : { method: verb }) as Sent;
    sent.push(message.method);
    const reply = all[message.method]?.(message.id, message);
    if (reply instanceof Response) return Promise.resolve(reply);
    const error = { code: -32601, message: 'Method not found' };
    const answer = reply === undefined ? { error } : { result: reply };
    return Promise.resolve(Response.json({ jsonrpc: '2.0', id: message.id, ...answer }));
  });
  return {
    worker,
    sent,
    problems: async () => {
      const none = new Promise<null>((resolve) => setTimeout(() => resolve(null), 200));
      return (await Promise.race([worker.next(), none]))?.problems ?? [];
    },
    call: async () => {
      const connected = await worker.connect({ access, secrets: [] });
      if (!connected.ok) return connected;
      return (await worker.call(1, 'work', '{}', ms)).answered;
    },
  };
}

/** Connects to a server. Throws if that fails. */
export async function connected(server: SloppyServer) {
  const answer = await server.worker.connect({ access, secrets: [] });
  if (!answer.ok) throw new Error(answer.fault.message);
  return answer.value;
}

/** Returns the value of an answer. Throws if the answer is a fault. */
export function valueOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(answer.fault.message);
  return answer.value;
}
