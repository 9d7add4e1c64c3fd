/** A web server that tools may be allowed to reach: it answers in unusual ways, and logs everything. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Web {
  readonly port: number;
  /** Its address under another name; the tests' browser resolves all of glass.example to this machine. */
  origin(name: string): string;
  readonly log: Arrived[];
  /** Addresses with a running response. */
  open(): readonly string[];
  /** How many requests for /slow waited for their answer at once, at most. */
  maxSlow(): number;
  close(): Promise<void>;
}

export async function startWeb(): Promise<Web> {
  const log: Arrived[] = [];
  const sockets = new Set<Socket>();
  const open = new Set<Arrived>();
  const slow = new Held();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const arrived = { method, url, headers, body: Buffer.concat(parts).toString('utf8') };
      log.push(arrived);
      open.add(arrived);
      response.on('close', () => open.delete(arrived));
      if (url.startsWith('/slow')) slow.add(() => answer(arrived, response));
      else answer(arrived, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: (name) => `http://${name}.glass.example:${port}`,
    log,
    open: () => Array.from(open, ({ url }) => url),
    maxSlow: () => slow.max,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Requests that are answered together: none before as many as may come at once have come, on however slow a machine. */
class Held {
  max = 0;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  add(then: () => void): void {
    this.#waiting.push(then);
    this.max = Math.max(this.max, this.#waiting.length);
    clearTimeout(this.#timer);
    // Once as many have come as may, the only question is whether one more does.
    const ms = this.max < allowedAtOnce ? stalledMs : tooManyMs;
    this.#timer = setTimeout(() => {
      for (const answerOne of this.#waiting.splice(0)) answerOne();
    }, ms);
  }
}

const allowedAtOnce = 6;
/** Time within which a request beyond the limit would arrive; milliseconds. */
const tooManyMs = 100;
/** Time after which no more requests are expected; milliseconds. */
const stalledMs = 3_000;

function answer(arrived: Arrived, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(arrived.url, 'http://web');
  if (pathname !== '/no-cors') {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', '*');
    response.setHeader('Access-Control-Allow-Headers', '*, Authorization');
    response.setHeader('Access-Control-Expose-Headers', '*');
  }
  if (arrived.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  switch (pathname) {
    case '/redirect':
      response
        .writeHead(Number(searchParams.get('status') ?? 302), {
          Location: searchParams.get('to') ?? '/',
        })
        .end();
      return;
    case '/cookie':
      response.setHeader('Set-Cookie', 'taken=1; SameSite=None');
      response.end('cookie');
      return;
    case '/status':
      response.writeHead(Number(searchParams.get('code')), { 'X-Odd': 'yes' });
      response.end(searchParams.get('code') === '204' ? undefined : 'as wanted');
      return;
    case '/lines':
      response.write('first\n');
      setTimeout(() => response.end('second\n'), 300);
      return;
    case '/drip':
      response.write('drop');
      {
        const dripping = setInterval(() => response.write('drop'), 500);
        response.on('close', () => {
          clearInterval(dripping);
        });
      }
      return;
    case '/silent':
      return;
    case '/echo':
      echo(arrived, searchParams, response);
      return;
    case '/big': {
      const block = Buffer.alloc(1 << 20, 97);
      let left = Number(searchParams.get('mb'));
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!response.write(block)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
      return;
    }
    default: {
      response.setHeader('Content-Type', 'application/json');
      const { method, url, headers, body } = arrived;
      response.end(JSON.stringify({ method, url, headers, body }));
    }
  }
}

/** Repeats the header X-Key and another text, in an encoding or in pieces. */
function echo({ headers }: Arrived, asked: URLSearchParams, response: ServerResponse): void {
  const key = String(headers['x-key']);
  const other = asked.get('other') ?? '';
  const as = asked.get('as') ?? '';
  const encoded = (text: string): string => echoEncodings[as]?.(text) ?? text;
  const answer = `<${encoded(key)}> <${encoded(other)}>`;
  switch (as) {
    case 'headers':
      response.setHeader('X-Echo', key);
      response.setHeader('X-Other', other);
      response.writeHead(200, 'fine').end();
      return;
    case 'gzip':
      response.setHeader('Content-Encoding', 'gzip');
      response.end(gzipSync(answer));
      return;
    case 'pieces': {
      const pieces = answer.match(/.{1,3}/gs) ?? [];
      const next = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) response.end();
        else response.write(piece, () => setTimeout(next, 20));
      };
      next();
      return;
    }
    default:
      response.end(answer);
  }
}

/** Ways in which hosts repeat a header, by name. */
export const echoEncodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  reversed: (text) => Array.from(text).reverse().join(''),
  percent: encodeURIComponent,
  JSON: (text) => JSON.stringify(text).replaceAll('/', '\\/'),
  HTML: (text) => text.replace(/\W/g, (one) => `&#${one.charCodeAt(0)};`),
  hex: (text) => Buffer.from(text).toString('hex'),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 of user and password': (text) => Buffer.from(`user:${text}`).toString('base64'),
  'base64 for addresses': (text) => Buffer.from(`{"key": "${text}"}`).toString('base64url'),
};

/** @returns the names of the ways in which a text is repeated within another one */
export function repeatedWithin(text: string, within: string): string[] {
  const inJson = (encoded: string): string => JSON.stringify(encoded).slice(1, -1);
  return Object.entries(echoEncodings).flatMap(([as, encode]) => {
    const encoded = encode(text).replace(/^"|"$|=+$/g, '');
    // A string may be in JSON that is itself a string of JSON.
    const all = [encoded, inJson(encoded), inJson(inJson(encoded))];
    return all.some((one) => within.includes(one)) ? [as] : [];
  });
}
