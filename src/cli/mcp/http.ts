/** MCP over HTTP on this machine: passes requests to `api/mcp` of the page, from programs and pages that know the token. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { close, listen } from '../../../scripts/static-server.mjs';
import { errorText } from '../../runtime/spec/error.ts';
import type { PageApi } from '../driven-page.ts';
import { addressOf, bytesOf, isLocalHost } from '../loopback.ts';

export interface HttpOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly token: string;
  /** Origins of the pages that may call. */
  readonly origins: readonly string[];
  /** Called once for each refused origin, with a text that says how to allow it. */
  readonly note: (text: string) => void;
  /** The page, when it answers the API. */
  readonly page: Promise<PageApi>;
}

export interface LoopbackServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface LoopbackOptions extends Pick<HttpOptions, 'port' | 'token' | 'origins' | 'note'> {
  answer(signal: AbortSignal, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const maxRequests = 2_000;
/** Milliseconds in which a client must read what it was sent. */
const readMs = 60_000;
/** Limit of the refused origins that are noted, since any page can send requests. */
const maxNoted = 20;
const maxBodyBytes = 64_000_000;
/** The headers of a request and a response that MCP uses. */
const passedOn = [
  'accept',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];
const returned = ['content-type', 'mcp-session-id', 'allow'];

/** @throws {Error} if the port is in use */
export function serveMcp({ page, ...options }: HttpOptions): Promise<LoopbackServer> {
  return serveLoopback({
    ...options,
    async answer(signal, request, response) {
      const body = request.method === 'POST' ? await bodyOf(request) : undefined;
      if (body === null) {
        refuse(response, 413, 'The message is too large.');
        return;
      }
      const headers = Object.fromEntries(
        passedOn.flatMap((name) => {
          const value = request.headers[name];
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      );
      const { method = 'GET' } = request;
      const answered = await (await page).request(signal, { method, path: 'mcp', headers, body });
      for (const name of returned) {
        const value = answered.headers[name];
        if (value !== undefined) response.setHeader(name, value);
      }
      response.writeHead(answered.status).flushHeaders();
      for await (const piece of answered.body) await writeTo(signal, response, piece);
      response.end();
    },
  });
}

/** Serves `/mcp` to those who know the token, on this machine only. @throws {Error} if the port is in use */
export async function serveLoopback(options: LoopbackOptions): Promise<LoopbackServer> {
  let running = 0;
  const refused = new Set<string>();
  const noteRefused = (origin: string): void => {
    if (refused.has(origin) || refused.size >= maxNoted) return;
    refused.add(origin);
    options.note(refusedPageText(origin, options.origins));
  };
  const server = createServer((request, response) => {
    const stop = new AbortController();
    response.on('close', () => stop.abort());
    response.on('error', () => undefined);
    const refusal = refusalOf(request, options);
    setCors(request, response, options.origins);
    if (refusal !== null) {
      // The browser does not tell the page why it got no answer.
      if (isOfOtherPage(request, options)) noteRefused(request.headers.origin ?? '');
      return refuse(response, ...refusal);
    }
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    if (running >= maxRequests) return refuse(response, 503, 'Too many requests at once.');
    running += 1;
    options
      .answer(stop.signal, request, response)
      .catch((thrown: unknown) => {
        if (response.headersSent) response.destroy();
        else refuse(response, 502, errorText(thrown));
      })
      .finally(() => {
        running -= 1;
      });
  });
  const port = await listen(server, options.port, '127.0.0.1');
  return { port, close: () => close(server) };
}

/** The body of a message as text; null if it is too large. */
export async function bodyOf(request: AsyncIterable<Buffer>): Promise<string | null> {
  const bytes = await bytesOf(request, maxBodyBytes);
  return bytes === null ? null : bytes.toString('utf8');
}

/** Writes a piece, and waits until the client has read enough. @throws {Error} if it does not read */
export async function writeTo(
  signal: AbortSignal,
  response: ServerResponse,
  piece: string,
  ms = readMs,
): Promise<void> {
  signal.throwIfAborted();
  if (response.write(piece)) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The client does not read.')), ms);
    const onDrained = (): void => {
      clearTimeout(timer);
      response.off('drain', onDrained);
      response.off('close', onDrained);
      resolve();
    };
    response.once('drain', onDrained);
    response.once('close', onDrained);
  });
}

export function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32000, message } };
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify(error));
}

/** @returns status and message if the request is refused */
function refusalOf(
  request: IncomingMessage,
  { token, origins }: LoopbackOptions,
): readonly [number, string] | null {
  const { host, origin, authorization = '' } = request.headers;
  // @mutant a page behind a name that leads to this machine calls nothing => never
  if (!isLocalHost(host)) return [403, 'Forbidden: the Host header does not name this machine.'];
  // @mutant a page of another origin calls nothing => never
  if (origin !== undefined && !origins.includes(origin))
    return [403, `Forbidden: ${origin.slice(0, 100)} is not allowed; see --allow-origin.`];
  const { pathname = '' } = addressOf(request) ?? {};
  const [, inPath = ''] = /^\/([^/]+)\/mcp$/.exec(pathname) ?? [];
  if (inPath === '' && pathname !== '/mcp') return [404, 'There is only /mcp.'];
  // A preflight has no token: the browser sends none.
  if (request.method === 'OPTIONS') return null;
  const given = inPath === '' ? authorization.replace(/^bearer\s+/i, '') : inPath;
  // @mutant a program without the token calls nothing => never
  if (!isSame(given, token)) return [401, 'Unauthorized: the token is missing or wrong.'];
  return null;
}

/** Returns whether a request is meant for this program, and comes from a page that may not call it. */
function isOfOtherPage(request: IncomingMessage, { token, origins }: LoopbackOptions): boolean {
  const { host, origin } = request.headers;
  if (!isLocalHost(host) || origin === undefined || origins.includes(origin)) return false;
  const { pathname = '' } = addressOf(request) ?? {};
  return pathname === '/mcp' || isSame(pathname, `/${token}/mcp`);
}

/** Says which page was refused, and how it can be allowed. */
function refusedPageText(origin: string, origins: readonly string[]): string {
  const shown = origin.slice(0, 100);
  // Pages of files and closed frames have no origin that an option could name.
  if (URL.parse(origin)?.origin !== origin)
    return `Refused a page with the origin “${shown}”, which cannot be allowed: open the page at an address that begins with http:// or https://.`;
  // The user pastes the options into a shell, so they contain nothing that a shell expands.
  if (!/^https?:\/\/[a-z0-9.:[\]-]{1,260}$/.test(origin)) return `Refused a page from “${shown}”.`;
  const options = [...origins, origin].map((one) => `--allow-origin ${one}`).join(' ');
  return `Refused a page from ${origin}. To allow it, press Ctrl C, then run the command again with ${options}`;
}

/** Compares in a time that does not depend on the texts. */
function isSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

function setCors(
  request: IncomingMessage,
  response: ServerResponse,
  origins: readonly string[],
): void {
  const { origin } = request.headers;
  response.setHeader('Vary', 'Origin');
  if (origin === undefined || !origins.includes(origin)) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
  response.setHeader('Access-Control-Allow-Headers', ['authorization', ...passedOn].join(', '));
  response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id');
  // Chromium asks before a public page reaches this machine.
  response.setHeader('Access-Control-Allow-Private-Network', 'true');
  response.setHeader('Access-Control-Max-Age', '600');
}
