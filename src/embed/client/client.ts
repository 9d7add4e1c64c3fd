/** The client of Cloche's API: lists and calls tools, and follows calls and runs. */

import { createProblem, encodeQuery, read, encodeSegment, type Requests } from './answers.ts';
import { ClocheError } from './client-error.ts';
import { Runs } from './runs.ts';
import { serverEvents } from './server-events.ts';
import {
  directTransport,
  frameTransport,
  windowTransport,
  type ClientRequest,
  type ClientResponse,
  type Transport,
} from './transport.ts';
import type {
  CallEntry,
  CallEvent,
  CallFilter,
  CallOptions,
  Folder,
  JsonText,
  Listing,
  Result,
  SessionEntry,
  SessionFilter,
  Tool,
  ToolFormat,
} from '../../runtime/protocol/api-types.ts';

export interface ConnectOptions {
  /**
   * `window` opens a small window, which must stay open; connect while a click is handled. The default, `frame`, needs no
   * window, and works for pages of Cloche's own origin or site.
   */
  readonly via?: 'frame' | 'window';
  readonly signal?: AbortSignal;
  /** Called when the user is asked, in the Cloche page, whether this page's origin may call tools. */
  readonly onAsking?: () => void;
}

export interface McpAccess {
  /** The address to give to the client. */
  readonly url: URL;
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
}

/** Interval between requests for a listing while it is watched; milliseconds. */
const watchMs = 2_000;

/**
 * Connects with the Cloche at an address. A page of another origin needs the user's permission, which is asked for once.
 *
 * @param address of the app; its default is the folder of this page
 * @throws {ClocheError}
 */
export async function connect(
  address: string | URL = './',
  { via = 'frame', signal = new AbortController().signal, onAsking }: ConnectOptions = {},
): Promise<Cloche> {
  if (typeof document === 'undefined' || typeof location === 'undefined')
    throw new ClocheError(
      'needs-page',
      'Cloche can be reached only from a page in a browser: its API lives in the browser’s service worker, not on a server.',
      'Call connect() in a page. In Node, drive a browser that has opened Cloche.',
    );
  const app = new URL(address, document.baseURI);
  const isWithin =
    app.origin === location.origin &&
    location.pathname.startsWith(app.pathname) &&
    navigator.serviceWorker.controller !== null;
  if (isWithin) return new Cloche(directTransport(app));
  const transport = await (via === 'window' ? windowTransport : frameTransport)(signal, app);
  const cloche = new Cloche(transport);
  try {
    const known = await cloche.request({ method: 'GET', path: 'access', signal });
    if (known.status === 403) {
      onAsking?.();
      await cloche.json({ method: 'POST', path: 'access', body: '{}', signal });
    } else await read(known);
    return cloche;
  } catch (thrown) {
    transport.close();
    throw thrown;
  }
}

export class Cloche implements Requests {
  readonly #transport: Transport;
  readonly runs: Runs;

  /** Use {@link connect}. */
  constructor(transport: Transport) {
    this.#transport = transport;
    this.runs = new Runs(this);
  }

  /** @param folder id or name; without it, the folder that was used last */
  async list(folder?: string, signal?: AbortSignal): Promise<Listing> {
    return this.json<Listing>({ method: 'GET', path: `tools${encodeQuery({ folder })}`, signal });
  }

  /**
   * The definitions of all tools, as the `tools` member of a request to a model or of an MCP server's answer.
   * {@link call} takes the names in them too.
   */
  async definitions(
    format: ToolFormat,
    folder?: string,
    signal?: AbortSignal,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.json({ method: 'GET', path: `tools${encodeQuery({ format, folder })}`, signal });
  }

  /** The folders that are open in pages of Cloche, the one that was used last first. */
  async folders(signal?: AbortSignal): Promise<readonly Folder[]> {
    const path = 'folders';
    return (await this.json<{ folders: readonly Folder[] }>({ method: 'GET', path, signal }))
      .folders;
  }

  async get(tool: string, folder?: string, signal?: AbortSignal): Promise<Tool> {
    const path = `tools/${encodeSegment(tool)}${encodeQuery({ folder })}`;
    return this.json<Tool>({ method: 'GET', path, signal });
  }

  /**
   * Calls a tool, and waits for its end, however long it takes. A call that fails has a result too.
   *
   * @param args an object; or JSON text, whose numbers reach Python as they are written
   */
  async call(
    tool: string,
    args: object | JsonText = {},
    options: CallOptions = {},
  ): Promise<Result> {
    for await (const event of this.stream(tool, args, options))
      if (event.type === 'result') return event.result;
    throw new ClocheError('bad-answer', `The call of ${tool} ended without a result.`);
  }

  /** Calls a tool. Leaving the loop before the result cancels the call. */
  async *stream(
    tool: string,
    args: object | JsonText = {},
    { signal, session, validate, key, folder }: CallOptions = {},
  ): AsyncGenerator<CallEvent, void, undefined> {
    const members = [
      `"arguments":${typeof args === 'string' ? args : JSON.stringify(args)}`,
      ...(session === undefined ? [] : [`"session":${JSON.stringify(session)}`]),
      ...(validate === undefined ? [] : [`"validate":${String(validate)}`]),
    ];
    const first: ClientRequest = {
      method: 'POST',
      path: `tools/${encodeSegment(tool)}/invoke${encodeQuery({ folder })}`,
      signal,
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
      body: `{${members.join(',')}}`,
    };
    yield* this.#events(first, folder);
  }

  /** Watches a call that was made before; leaving the loop does not cancel it. */
  async *watchCall(id: string, signal?: AbortSignal): AsyncGenerator<CallEvent, void, undefined> {
    yield* this.#events({ method: 'GET', path: `calls/${encodeSegment(id)}`, signal }, undefined);
  }

  /** @returns false if the call had ended already */
  async cancel(id: string, signal?: AbortSignal): Promise<boolean> {
    const path = `calls/${encodeSegment(id)}`;
    const response = await this.request({ method: 'DELETE', path, signal });
    if (response.status === 409) return false;
    await read(response);
    return true;
  }

  /**
   * Calls the listener with the listing, and again after each change, until the signal is aborted. Rejects if the listing
   * can no longer be read.
   */
  async watch(
    signal: AbortSignal,
    listener: (listing: Listing) => void,
    folder?: string,
  ): Promise<void> {
    const isOver = (): boolean => signal.aborted;
    let tag = '';
    while (!isOver()) {
      const headers = tag === '' ? {} : { 'If-None-Match': tag };
      try {
        const path = `tools${encodeQuery({ folder })}`;
        const response = await this.request({ method: 'GET', path, headers, signal });
        if (response.status !== 304) {
          const listing = await read<Listing>(response);
          tag = response.headers.get('etag') ?? '';
          listener(listing);
        }
      } catch (thrown) {
        if (isOver()) return;
        throw thrown;
      }
      await pause(signal, watchMs);
    }
  }

  /** The calls that run, then those that have ended, newest first; read page by page. */
  async *calls({ signal, since, ...filter }: CallFilter = {}): AsyncGenerator<
    CallEntry,
    void,
    undefined
  > {
    const from = since === undefined ? undefined : String(Number(since));
    yield* this.#pages<CallEntry>('calls', { ...filter, since: from }, signal);
  }

  /** The stored sessions, changed last first; read page by page. */
  async *sessions({ signal, ...filter }: SessionFilter = {}): AsyncGenerator<
    SessionEntry,
    void,
    undefined
  > {
    yield* this.#pages<SessionEntry>('sessions', filter, signal);
  }

  /** The API of a folder, in OpenAPI 3.1. */
  async openApi(folder?: string, signal?: AbortSignal): Promise<Record<string, unknown>> {
    return this.json({ method: 'GET', path: `openapi.json${encodeQuery({ folder })}`, signal });
  }

  /** Ends the connection. Calls that wait here are cancelled. */
  close(): void {
    this.#transport.close();
  }

  /**
   * The URL and `fetch` that an MCP client needs to reach `api/mcp` from this page:
   * `const { url, fetch } = cloche.mcp(); new StreamableHTTPClientTransport(url, { fetch })`.
   *
   * @param folder id or name; without it, the folder that was used last
   */
  mcp(folder?: string): McpAccess {
    const path = `mcp${encodeQuery({ folder })}`;
    // Requests do not go there: the address only tells MCP clients that it is one server.
    const url = new URL(`https://cloche.invalid/api/${path}`);
    return {
      url,
      fetch: async (input, init = {}) => {
        const { method = 'GET' } = init;
        const body = init.body ?? undefined;
        if (String(input) !== url.href || !isMethod(method) || !isText(body))
          throw new ClocheError(
            'bad-request',
            `This fetch sends GET, POST and DELETE with text to ${url.href} only.`,
          );
        const headers = Object.fromEntries(new Headers(init.headers));
        const signal = init.signal ?? undefined;
        const request = { method, path, headers, signal, ...(body !== undefined && { body }) };
        const response = await this.#transport.send(request);
        const content = response.status === 204 ? null : response.body;
        return new Response(content, response);
      },
    };
  }

  /** Sends a request, for what has no method here. */
  async request(request: ClientRequest): Promise<ClientResponse> {
    const { headers = {}, body } = request;
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    return this.#transport.send({ ...request, headers: { ...type, ...headers } });
  }

  /** Sends a request whose answer is JSON. @throws {ClocheError} with the API's own code */
  async json<T>(request: ClientRequest): Promise<T> {
    return read<T>(await this.request(request));
  }

  async *#events(
    first: ClientRequest,
    folder: string | undefined,
  ): AsyncGenerator<CallEvent, void, undefined> {
    let request = first;
    let last = '';
    let callId = '';
    for (;;) {
      const accept = { Accept: 'text/event-stream' };
      const after = last === '' ? {} : { 'Last-Event-ID': last };
      const headers = { ...request.headers, ...accept, ...after };
      const response = await this.request({ ...request, headers });
      if (response.status !== 200 || response.body === null) await read(response);
      let isRunning = false;
      for await (const { name, id, data } of serverEvents(response.body ?? new ReadableStream())) {
        last = id;
        if (name === 'error') throw createProblem(JSON.parse(data), 503);
        if (name === 'running') isRunning = true;
        const event = callEvent(name, data);
        if (event === null) continue;
        // A stream that is continued repeats the event of the call.
        if (event.type === 'call' && callId !== '') continue;
        if (event.type === 'call') ({ callId } = event);
        yield event;
        if (event.type === 'result') return;
      }
      if (!isRunning)
        throw new ClocheError('bad-answer', 'The stream of the call broke off.', 'Call again.');
      const path = `calls/${encodeSegment(callId)}${encodeQuery({ folder })}`;
      request = { method: 'GET', path, signal: first.signal };
    }
  }

  async *#pages<T>(
    list: 'calls' | 'sessions',
    filter: Readonly<Record<string, string | undefined>>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T, void, undefined> {
    let after: string | null = null;
    do {
      const path = `${list}${encodeQuery({ ...filter, after: after ?? undefined })}`;
      const page: Record<string, unknown> = await this.json({ method: 'GET', path, signal });
      yield* page[list] as T[];
      after = page.next as string | null;
    } while (after !== null);
  }
}

function isMethod(method: string): method is ClientRequest['method'] {
  return method === 'GET' || method === 'POST' || method === 'DELETE';
}

function isText(body: unknown): body is string | undefined {
  return body === undefined || typeof body === 'string';
}

function callEvent(name: string, data: string): CallEvent | null {
  const parsed = JSON.parse(data) as Record<string, unknown>;
  switch (name) {
    case 'call':
      return { type: 'call', callId: String(parsed.callId) };
    case 'output':
      return {
        type: 'output',
        stream: parsed.stream === 'stderr' ? 'stderr' : 'stdout',
        text: String(parsed.text),
      };
    case 'log':
      return { type: 'log', level: String(parsed.level), message: String(parsed.message) };
    case 'update': {
      const json = String(parsed.json);
      return { type: 'update', n: Number(parsed.n), json, value: JSON.parse(json) };
    }
    case 'result':
      return { type: 'result', result: parsed as unknown as Result };
    default:
      return null;
  }
}

function pause(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    const timer = setTimeout(settle, ms);
    signal.addEventListener('abort', settle);
    if (signal.aborted) settle();
  });
}
