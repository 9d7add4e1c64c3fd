/**
 * The network worker: sends the requests that the user has allowed tools to make. It is loaded from a file, so that the
 * page's policy, which allows no requests to other hosts, does not apply to it.
 */

import { expose, transfer } from 'comlink';
import type { HttpHeader } from '../../src/protocol/ask.ts';
import type { NetworkHead, NetworkRequest, NetworkWorker } from '../../src/protocol/network.ts';

interface Exchange {
  readonly stop: AbortController;
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null;
}

/** Limit of a piece of a body, so that none blocks the page; bytes. */
const pieceBytes = 256 * 1024;

const exchanges = new Map<number, Exchange>();
const rests = new Map<number, Uint8Array<ArrayBuffer>>();

const worker: NetworkWorker = { open, read, cancel };
expose(worker);

async function open(id: number, request: NetworkRequest): Promise<NetworkHead> {
  const exchange: Exchange = { stop: new AbortController(), reader: null };
  exchanges.set(id, exchange);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers.map(([name, value]): [string, string] => [name, value]),
      body: request.body,
      signal: exchange.stop.signal,
      mode: 'cors',
      credentials: 'omit',
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
    if (response.type === 'opaqueredirect') {
      cancel(id);
      return { ok: false, failed: 'redirect', why: 'a redirect' };
    }
    exchange.reader = response.body?.getReader() ?? null;
    const headers = Array.from(response.headers, ([name, value]): HttpHeader => [name, value]);
    return { ok: true, status: response.status, statusText: response.statusText, headers };
  } catch (thrown) {
    exchanges.delete(id);
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { ok: false, failed: 'network', why };
  }
}

async function read(id: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const rest = rests.get(id) ?? (await nextOf(id));
  if (rest === null) return null;
  const piece = rest.slice(0, pieceBytes);
  if (rest.byteLength > pieceBytes) rests.set(id, rest.subarray(pieceBytes));
  else rests.delete(id);
  return transfer(piece, [piece.buffer]);
}

async function nextOf(id: number): Promise<Uint8Array<ArrayBuffer> | null> {
  for (;;) {
    const next = await exchanges.get(id)?.reader?.read();
    if (next === undefined || next.done) {
      exchanges.delete(id);
      return null;
    }
    if (next.value.byteLength > 0) return next.value;
  }
}

function cancel(id: number): void {
  exchanges.get(id)?.stop.abort();
  exchanges.delete(id);
  rests.delete(id);
}
