/**
 * A model endpoint on this machine that streams and judges as the real ones do; tests say what it answers, and read
 * what it was asked.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { anthropic } from './model-endpoint/anthropic.ts';
import { exactly, google } from './model-endpoint/google.ts';
import { listOfModels, type ListedModel } from './model-endpoint/models.ts';
import { openaiChat } from './model-endpoint/openai-chat.ts';
import { openaiResponses } from './model-endpoint/openai-responses.ts';
import type {
  FormatName,
  Manners,
  ReceivedRequest,
  Scripted,
  ScriptedAnswer,
  ScriptedFault,
  WireError,
  WireFormat,
} from './model-endpoint/script.ts';

export type { ListedModel, ReceivedRequest, Scripted };

/** What a test may change while the endpoint runs. */
export interface EndpointHabits {
  /** Whether pages of other addresses may ask. */
  cors: boolean;
  /** The one key that it takes; null: it wants none. */
  key: string | null;
  models: readonly ListedModel[];
  /** How many models Anthropic and Google list at once. */
  pageSize: number;
  /** Whose rules hold for chat completions. */
  manners: Manners;
  /** Answers when nothing else is scripted. */
  otherwise: ((request: ReceivedRequest) => Scripted) | null;
}

export interface ModelEndpoint {
  /** Such as `http://127.0.0.1:4000`; below it `/v1` is OpenAI's and Anthropic's, `/v1beta` Google's. */
  readonly url: string;
  readonly habits: EndpointHabits;
  /** In order; preflights are not among them. */
  readonly requests: ReceivedRequest[];
  /** Adds to what the next requests are answered, one each; lists of models are not among them. */
  answer(...next: (Scripted | ((request: ReceivedRequest) => Scripted))[]): void;
  /** Forgets what was scripted and received. */
  reset(): void;
  close(): Promise<void>;
}

const formats: Readonly<Record<Exclude<FormatName, 'models'>, WireFormat>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  google,
};

const paths: readonly (readonly [RegExp, FormatName])[] = [
  [/^\/v1\/chat\/completions$/, 'openai-chat'],
  [/^\/v1\/responses$/, 'openai-responses'],
  [/^\/v1\/messages$/, 'anthropic'],
  [/^\/v1beta\/models\/[^/]+:streamGenerateContent$/, 'google'],
  [/^\/(v1\/models|v1beta\/models|api\/tags)$/, 'models'],
];

export async function startModelEndpoint(): Promise<ModelEndpoint> {
  const habits: EndpointHabits = {
    cors: true,
    key: null,
    models: [{ id: 'small' }, { id: 'large' }],
    pageSize: 2,
    manners: 'openai',
    otherwise: null,
  };
  const requests: ReceivedRequest[] = [];
  const queue: (Scripted | ((request: ReceivedRequest) => Scripted))[] = [];
  const next = (request: ReceivedRequest): Scripted => {
    const scripted = queue.shift() ?? habits.otherwise ?? nothingScripted;
    return typeof scripted === 'function' ? scripted(request) : scripted;
  };
  const server = createServer((incoming, response) => {
    void serve(incoming, response, habits, requests, next).catch(() => response.destroy());
  });
  // A busy test may leave a connection unused for longer than the default of 5 s, and then ask again over it.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    habits,
    requests,
    answer: (...more) => void queue.push(...more),
    reset: () => {
      queue.length = 0;
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

const nothingScripted: ScriptedFault = {
  status: 500,
  error: { message: 'The test has scripted no answer to this request.' },
};

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  habits: EndpointHabits,
  requests: ReceivedRequest[],
  next: (request: ReceivedRequest) => Scripted,
): Promise<void> {
  if (habits.cors) allowPages(incoming, response);
  if (incoming.method === 'OPTIONS') {
    response.writeHead(habits.cors ? 204 : 405).end();
    return;
  }
  const path = incoming.url ?? '/';
  const { pathname } = new URL(path, 'http://endpoint');
  const format = paths.find(([pattern]) => pattern.test(pathname))?.[1];
  if (format === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
    return;
  }
  const request = await received(incoming, format, path, habits.manners);
  requests.push(request);
  const keyless = habits.key !== null && !keysOf(request).includes(habits.key);
  if (format === 'models') {
    const list = listOfModels(request, habits.models, habits.pageSize);
    if (keyless) send(response, openaiChat, { status: 401, error: wrongKey });
    else sendText(response, 200, JSON.stringify(list), {});
    return;
  }
  const wire = formats[format];
  const refusal = keyless ? { status: 401, error: wrongKey } : wire.refusal(request);
  const scripted = refusal ?? next(request);
  if (scripted === 'hang') return;
  if (scripted === 'hang-up') response.destroy();
  else if ('status' in scripted) send(response, wire, scripted);
  else await stream(response, wire, scripted, request);
}

/** As an honest preflight: header by header, and none that a page may not set. */
function allowPages({ headers }: IncomingMessage, response: ServerResponse): void {
  const asked = (headers['access-control-request-headers'] ?? '').split(',');
  const allowed = asked.filter((name) => name.trim() !== 'user-agent').join(',');
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, OPTIONS');
  response.setHeader('Access-Control-Allow-Headers', allowed);
  response.setHeader('Access-Control-Expose-Headers', 'retry-after, retry-after-ms, x-request-id');
  response.setHeader('Access-Control-Allow-Private-Network', 'true');
}

async function received(
  incoming: IncomingMessage,
  format: FormatName,
  path: string,
  manners: Manners,
): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const body: unknown = text === '' ? null : JSON.parse(text);
  const { method = '', headers } = incoming;
  return { format, method, path, headers, text, body, manners };
}

const wrongKey: WireError = { message: 'Incorrect API key provided.', code: 'invalid_api_key' };

function keysOf({ headers, path }: ReceivedRequest): unknown[] {
  const bearer = headers.authorization?.replace(/^Bearer /, '');
  const query = new URL(path, 'http://endpoint').searchParams.get('key');
  return [bearer, headers['x-api-key'], headers['x-goog-api-key'], query];
}

function send(response: ServerResponse, wire: WireFormat, fault: ScriptedFault): void {
  const { status, error = { message: `This is status ${fault.status}.` } } = fault;
  const text = fault.body ?? JSON.stringify(wire.errorBody(status, error));
  sendText(response, status, text, fault.headers ?? {});
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  const type = text.startsWith('<') ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}

async function stream(
  response: ServerResponse,
  wire: WireFormat,
  answer: ScriptedAnswer,
  request: ReceivedRequest,
): Promise<void> {
  const { trouble, pause, paceMs = 0 } = answer;
  const end = wire.lineEnd;
  const events = wire.events(answer, request).map(({ event, data }) => {
    const head = event === undefined ? '' : `event: ${event}${end}`;
    const text = exactly(data);
    const reported = answer.spaced === true ? text.replace(/(?<!\\)":/g, '": ') : text;
    return `${head}data: ${reported}${end}${end}`;
  });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  for (const [index, event] of events.slice(0, trouble?.after).entries()) {
    if (index === pause?.after) await pause.until;
    if (response.destroyed) return;
    response.write(event);
    if (paceMs > 0) await wait(paceMs);
  }
  const kind = trouble?.kind;
  if (kind === undefined) response.end(wire.epilogue);
  else if (kind === 'end') response.end();
  else if (kind === 'garbage') response.end(`data: {"choices": [{"delta":${end}${end}`);
  else if (kind === 'cut') {
    // What was written goes out first.
    await wait(20);
    response.destroy();
  } else if (kind !== 'hang') {
    const { event, data } = wire.errorEvent(kind);
    const head = event === undefined ? '' : `event: ${event}${end}`;
    response.end(`${head}data: ${JSON.stringify(data)}${end}${end}`);
  }
}
