/**
 * The network worker: sends the requests that the user has allowed tools to make. It is loaded from a file, so that the
 * page's policy, which allows no requests to other hosts, does not apply to it. It masks the user's secrets in responses.
 */

import { expose, transfer } from 'comlink';
import type { HttpHeader } from '../../src/runtime/protocol/ask.ts';
import type {
  NetworkHead,
  NetworkRequest,
  NetworkWorker,
} from '../../src/runtime/protocol/network.ts';
import { SecretMask } from '../../src/runtime/spec/secret-mask.ts';

interface Exchange {
  readonly stop: AbortController;
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null;
  /** Null if nothing is masked. */
  readonly mask: SecretMask | null;
}

/** Limit of a piece of a body, so that none blocks the page; bytes. */
const pieceBytes = 256 * 1024;

/** The running requests, by id. */
const exchanges = new Map<number, Exchange>();
/** Bytes that have arrived and that the page has not read, by the id of the request. */
const rests = new Map<number, Uint8Array<ArrayBuffer>>();

const worker: NetworkWorker = { open, read, cancel };
expose(worker);

async function open(id: number, request: NetworkRequest): Promise<NetworkHead> {
  const mask = request.secrets.length === 0 ? null : new SecretMask(request.secrets);
  const exchange: Exchange = { stop: new AbortController(), reader: null, mask };
  const masked = (text: string): string => mask?.text(text) ?? text;
  exchanges.set(id, exchange);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers.map(([name, value]): [string, string] => [name, value]),
      body: request.body,
      signal: exchange.stop.signal,
      mode: 'cors',
      // @mutant requests carry no cookies => 'omit' -> 'include'
      credentials: 'omit',
      // @mutant a redirect is not followed => 'manual' -> 'follow'
      redirect: 'manual',
      // @mutant requests carry no referrer => removed
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
    if (response.type === 'opaqueredirect') {
      cancel(id);
      return { ok: false, failed: 'redirect', why: 'a redirect' };
    }
    exchange.reader = response.body?.getReader() ?? null;
    const headers = Array.from(response.headers, ([name, value]): HttpHeader => [
      masked(name),
      // @mutant secrets are masked in headers => masked(value) -> value
      masked(value),
    ]);
    const { status, statusText } = response;
    return { ok: true, status, statusText: masked(statusText), headers };
  } catch (thrown) {
    exchanges.delete(id);
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    // @mutant secrets are masked in failures => without : masked(why)
    return { ok: false, failed: 'network', why: masked(why) };
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

/** The next bytes of a body, masked; null at the end. */
async function nextOf(id: number): Promise<Uint8Array<ArrayBuffer> | null> {
  for (;;) {
    const exchange = exchanges.get(id);
    const next = await exchange?.reader?.read();
    if (exchange === undefined || next === undefined || next.done) {
      exchanges.delete(id);
      const rest = exchange?.mask?.rest();
      return rest === undefined || rest.byteLength === 0 ? null : rest;
    }
    // @mutant secrets are masked in a response's body => exchange.mask === null ? next.value :
    //   exchange.mask.next(next.value) -> next.value
    const bytes = exchange.mask === null ? next.value : exchange.mask.next(next.value);
    if (bytes.byteLength > 0) return bytes;
  }
}

function cancel(id: number): void {
  exchanges.get(id)?.stop.abort();
  exchanges.delete(id);
  rests.delete(id);
}
