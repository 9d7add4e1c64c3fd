/** An MCP server on this machine that pages may use, in either era; tests say what it offers, and read what it was asked. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface OfferedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly [key: string]: unknown;
}

/** What a running call of a tool may do. */
export interface ToolRun {
  readonly args: Readonly<Record<string, unknown>>;
  /** Sends progress, if the client wants any. */
  progress(progress: number, total: number, message?: string): void;
  /** Sends a message of the log. */
  log(level: string, data: unknown): void;
  /** Asks the user of the client, who may decline. */
  ask(params: object): Promise<{ readonly action?: string; readonly content?: unknown }>;
  /** Aborts when the client cancels. */
  readonly signal: AbortSignal;
}

export interface ServerHabits {
  era: 'legacy' | 'modern';
  cors: boolean;
  capabilities: object;
  tools: readonly OfferedTool[];
  run: (name: string, run: ToolRun) => Promise<object> | object;
  /** Results of other methods, by their names. */
  results: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => object>>;
  /** What the tools ask the user for, as far as they ask. */
  asked: object | null;
  /** Answers a request before anything else; null: as usual. */
  instead: ((request: Received, response: ServerResponse) => boolean) | null;
}

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** The text of a message. */
  readonly body: string;
}

export interface TestServer {
  readonly url: string;
  readonly habits: ServerHabits;
  readonly received: Received[];
  /** Names of the tools whose calls were cancelled. */
  readonly cancelled: string[];
  /** Tells clients that what is listed has changed. */
  listChanged(of: 'prompts' | 'resources'): void;
  /** Tells clients that a resource has changed. */
  resourceChanged(uri: string): void;
  /** Tells clients that the tools have changed. */
  toolsChanged(): void;
  /** Asks the user while no call runs. */
  askOutside(params: object): void;
  /** Forgets all sessions. */
  forget(): void;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: object;
  readonly params?: Readonly<Record<string, unknown>> & {
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

const revision = '2026-07-28';
const info = { name: 'test-server', version: '3.1' };
const meta = { 'io.modelcontextprotocol/serverInfo': info };

/** @param habits replaces parts of what it does */
export async function startMcpServer(habits: Partial<ServerHabits> = {}): Promise<TestServer> {
  const all: ServerHabits = {
    era: 'legacy',
    cors: true,
    capabilities: { tools: { listChanged: true } },
    tools: [],
    run: () => ({ content: [] }),
    results: {},
    asked: null,
    instead: null,
    ...habits,
  };
  const received: Received[] = [];
  const cancelled: string[] = [];
  const sessions = new Set<string>();
  const running = new Map<string, AbortController>();
  const streams = new Map<ServerResponse, object>();
  const asks = new Map<string, (result: object) => void>();

  const event = (response: ServerResponse, message: object): void =>
    void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);

  const resultOf = async (message: Message, response: ServerResponse): Promise<object> => {
    const { method, params = {}, id } = message;
    if (method === 'initialize') {
      const session = `s${sessions.size + 1}-${Math.random()}`;
      sessions.add(session);
      response.setHeader('Mcp-Session-Id', session);
      return {
        protocolVersion: '2025-11-25',
        capabilities: all.capabilities,
        serverInfo: info,
      };
    }
    if (method === 'server/discover')
      return { supportedVersions: [revision], capabilities: all.capabilities };
    if (method === 'tools/list') return { tools: all.tools };
    if (method === 'logging/setLevel') return {};
    const other = all.results[method ?? ''];
    if (other !== undefined) return other(params);
    const { name = '', arguments: args = {} } = params as {
      name?: string;
      arguments?: ToolRun['args'];
    };
    const stop = new AbortController();
    running.set(String(id), stop);
    response.on('close', () => {
      if (!response.writableFinished) stop.abort();
    });
    stop.signal.addEventListener('abort', () => cancelled.push(name));
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const progressToken = params._meta?.progressToken;
    const inputs = params.inputResponses as Readonly<Record<string, object>> | undefined;
    let needed: object | null = null;
    const result = await Promise.resolve(
      all.run(name, {
        args,
        log: (level, data) =>
          event(response, {
            method: 'notifications/message',
            params: { level, logger: 'db', data },
          }),
        ask: (asked) => {
          const request = { method: 'elicitation/create', params: asked };
          if (all.era === 'modern') {
            if (inputs?.ask !== undefined) return Promise.resolve(inputs.ask);
            needed = {
              resultType: 'input_required',
              inputRequests: { ask: request },
              requestState: 's',
            };
            return Promise.reject(new Error('The answer of the user is needed.'));
          }
          const ask = `ask-${asks.size}`;
          event(response, { id: ask, ...request });
          return new Promise((resolve) => asks.set(ask, resolve));
        },
        signal: stop.signal,
        progress: (progress, total, words) => {
          const reported = { progressToken, progress, total, message: words };
          if (progressToken !== undefined)
            event(response, { method: 'notifications/progress', params: reported });
        },
      }),
    ).catch((thrown: unknown) => {
      if (needed === null) throw thrown;
      return needed;
    });
    running.delete(String(id));
    return result;
  };

  const answer = async (request: Received, response: ServerResponse): Promise<void> => {
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const session = String(request.headers['mcp-session-id'] ?? '');
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      streams.set(response, {});
      return;
    }
    if (request.method === 'DELETE') {
      sessions.delete(session);
      return void response.writeHead(200).end();
    }
    const message = JSON.parse(request.body) as Message;
    const { method = '', id, params = {} } = message;
    if (message.result !== undefined) {
      asks.get(String(id))?.(message.result);
      return void response.writeHead(202).end();
    }
    const isModern = method === 'server/discover' || '_meta' in params;
    const isKnown = isModern && all.era === 'modern';
    if (id === undefined) {
      if (method === 'notifications/cancelled') running.get(String(params.requestId))?.abort();
      return void response.writeHead(202).end();
    }
    const json = (status: number, body: object): void =>
      void response
        .writeHead(status, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    if ((method === 'server/discover' || method === 'initialize') && isModern !== isKnown) {
      json(400, { error: { code: -32601, message: 'There is no such method.' } });
      return;
    }
    if (all.era === 'legacy' && method !== 'initialize' && !sessions.has(session)) {
      json(404, { error: { code: -32001, message: 'There is no such session.' } });
      return;
    }
    if (method === 'subscriptions/listen') {
      const subscription = { 'io.modelcontextprotocol/subscriptionId': id };
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const notifications = params.notifications ?? { toolsListChanged: true };
      const granted = { notifications, _meta: subscription };
      event(response, { method: 'notifications/subscriptions/acknowledged', params: granted });
      streams.set(response, { _meta: subscription });
      return;
    }
    const result = await resultOf(message, response);
    const complete =
      all.era === 'modern'
        ? { resultType: 'complete', _meta: meta, ttlMs: 0, cacheScope: 'private', ...result }
        : result;
    if (!response.headersSent) json(200, { result: complete });
    else {
      event(response, { id, result: complete });
      response.end();
    }
  };

  const server = createServer((incoming, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      if (method !== 'OPTIONS') received.push(request);
      if (all.cors) {
        response.setHeader('Access-Control-Allow-Origin', '*');
        response.setHeader('Access-Control-Allow-Headers', '*, Authorization');
        response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
        response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate');
      }
      if (all.instead?.(request, response) !== true) await answer(request, response);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    habits: all,
    received,
    cancelled,
    toolsChanged: () => {
      for (const [stream, params] of streams)
        event(stream, { method: 'notifications/tools/list_changed', params });
    },
    listChanged: (of) => {
      for (const [stream, params] of streams)
        event(stream, { method: `notifications/${of}/list_changed`, params });
    },
    resourceChanged: (uri) => {
      for (const [stream, params] of streams)
        event(stream, { method: 'notifications/resources/updated', params: { ...params, uri } });
    },
    askOutside: (params) => {
      for (const stream of streams.keys())
        event(stream, { id: 'outside', method: 'elicitation/create', params });
    },
    forget: () => sessions.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits inside of a tool until it is cancelled, or the time has passed. */
export async function sleep(signal: AbortSignal, ms: number): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
