/** `cloche bridge`: serves an MCP server that speaks over stdio to pages, over HTTP on this machine. */

import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '../../runtime/spec/error.ts';
import { asText } from '../../runtime/spec/lenient.ts';
import { untilAborted } from '../loopback.ts';
import { BridgedServer, maxUnread } from './bridged-server.ts';
import { bodyOf, refuse, serveLoopback, writeTo } from './http.ts';
import { errorLine, readMessage, type Message } from './message.ts';

export interface BridgeRequest {
  readonly command: readonly string[];
  /** 0 picks a free one. */
  readonly port: number;
  readonly origins: readonly string[];
  /** Is told which pages were refused, and what to do. */
  readonly note: (text: string) => void;
}

export interface Bridge {
  /** The address that a page connects to. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const maxSessions = 8;
const sessionHeader = 'Mcp-Session-Id';

/** @throws {Error} if the port is in use */
export async function startBridge({
  command,
  port,
  origins,
  note,
}: BridgeRequest): Promise<Bridge> {
  const servers = new Map<string, BridgedServer>();
  const token = randomBytes(24).toString('hex');

  function serverFor(session: string): BridgedServer {
    const known = servers.get(session);
    if (known !== undefined) return known;
    const [oldest] = servers;
    if (servers.size >= maxSessions && oldest !== undefined) {
      servers.delete(oldest[0]);
      void oldest[1].close();
    }
    const server = new BridgedServer(command);
    servers.set(session, server);
    void server.ended.then(() => {
      if (servers.get(session) === server) servers.delete(session);
    });
    return server;
  }

  async function answer(
    signal: AbortSignal,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const header = request.headers['mcp-session-id'];
    const session = asText(header);
    const body = request.method === 'POST' ? await bodyOf(request) : '';
    const message = body === null ? null : readMessage(body);
    const begins = message?.method === 'initialize' && session === '';
    // Messages without sessions, as of 2026, go to a server of their own.
    const id = begins ? randomUUID() : session;
    if (id !== '' && !begins && !servers.has(id)) {
      refuse(response, 404, 'There is no such session: send initialize.');
      return;
    }
    if (id !== '') response.setHeader(sessionHeader, id);
    if (request.method === 'DELETE') {
      await servers.get(id)?.close();
      response.writeHead(200).end();
      return;
    }
    if (request.method === 'GET') return stream(signal, serverFor(id), response);
    if (message === null) {
      refuse(response, 400, 'The body is not a JSON-RPC message.');
      return;
    }
    const server = serverFor(id);
    if (message.type === 'request') return reply(signal, server, message, response);
    server.notify(message.text);
    response.writeHead(202).end();
  }

  const server = await serveLoopback({ port, token, origins, note, answer });
  return {
    url: `http://127.0.0.1:${server.port}/${token}/mcp`,
    close: async () => {
      await server.close();
      await Promise.all([...servers.values()].map((one) => one.close()));
    },
  };
}

/** Sends what the server sends until the client leaves. */
async function stream(
  signal: AbortSignal,
  server: BridgedServer,
  response: ServerResponse,
): Promise<void> {
  const end = follow(server, response);
  await Promise.race([server.ended, untilAborted(signal)]);
  end();
  response.end();
}

/** Sends the answer to a request, after what the server sends before it. */
async function reply(
  signal: AbortSignal,
  server: BridgedServer,
  { text, id, version }: Message,
  response: ServerResponse,
): Promise<void> {
  // Without sessions, the end of its request cancels a call.
  const answered = server.request(version === null ? null : signal, text);
  const end = follow(server, response);
  try {
    const line = await answered.catch((thrown: unknown) =>
      errorLine(id, -32603, errorText(thrown)),
    );
    await writeTo(signal, response, event(line));
    response.end();
  } finally {
    end();
  }
}

function follow(server: BridgedServer, response: ServerResponse): () => void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  const listener = (line: string): void => {
    // @mutant a client that does not read what a server floods it with is disconnected => never
    if (response.writableLength > maxUnread) response.destroy();
    else response.write(event(line));
  };
  server.listeners.unshift(listener);
  const end = (): void => {
    const at = server.listeners.indexOf(listener);
    if (at >= 0) server.listeners.splice(at, 1);
  };
  // Later messages of the server go to another stream of the client.
  response.once('close', end);
  return end;
}

function event(line: string): string {
  return `event: message\ndata: ${line}\n\n`;
}
