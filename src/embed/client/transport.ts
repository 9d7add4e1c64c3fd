/** Sends requests to the API: by `fetch` from Cloche's own origin, else through Cloche's bridge page. */

import {
  bridgeReady,
  parseBridgeAnswer,
  type BridgeRequest,
} from '../../runtime/protocol/bridge.ts';
import { ClocheError } from './client-error.ts';

export interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path behind `api/`, percent-encoded, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface ClientResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
}

export interface Transport {
  /** Rejects with an `AbortError`, or a {@link ClocheError}. */
  send(request: ClientRequest): Promise<ClientResponse>;
  close(): void;
}

/** Milliseconds in which the bridge page must have loaded. */
const bridgeMs = 15_000;

/** @param address of the app, with a trailing slash */
export function directTransport(address: URL): Transport {
  return {
    send: ({ path, method, headers = {}, body, signal }) =>
      fetch(new URL(`api/${path}`, address), {
        method,
        headers,
        redirect: 'error',
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      }),
    // Requests with `fetch` leave nothing open.
    close: () => undefined,
  };
}

/** Opens a transport through a hidden frame. @throws {ClocheError} `no-bridge`, `needs-window` */
export async function frameTransport(signal: AbortSignal, address: URL): Promise<Transport> {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = 'Connection to Cloche';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  frame.src = new URL('bridge.html', address).href;
  document.body.append(frame);
  try {
    return await sendOverBridge(
      signal,
      address,
      () => frame.contentWindow,
      () => frame.remove(),
    );
  } catch (thrown) {
    frame.remove();
    throw thrown;
  }
}

/**
 * Opens a transport through a small window. Call it while a click is handled.
 * @throws {ClocheError} `no-bridge`, `blocked-window`
 */
export async function windowTransport(signal: AbortSignal, address: URL): Promise<Transport> {
  const bridge = new URL('bridge.html', address).href;
  const opened = window.open(bridge, 'cloche-bridge', 'popup,width=460,height=380');
  if (opened === null)
    throw new ClocheError(
      'blocked-window',
      'The browser has not opened the window that connects this page with Cloche.',
      'Connect while a click is handled, and allow pop-up windows for this page.',
    );
  try {
    return await sendOverBridge(
      signal,
      address,
      () => opened,
      () => opened.close(),
    );
  } catch (thrown) {
    opened.close();
    throw thrown;
  }
}

async function sendOverBridge(
  signal: AbortSignal,
  address: URL,
  target: () => Window | null,
  end: () => void,
): Promise<Transport> {
  await bridgeLoaded(signal, address, target);
  const { port1, port2 } = new MessageChannel();
  target()?.postMessage({ type: 'cloche-hello' }, address.origin, [port2]);
  return new BridgeTransport(port1, end);
}

/** Resolves when the bridge page has said that it is there. */
function bridgeLoaded(
  signal: AbortSignal,
  address: URL,
  target: () => Window | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      signal.removeEventListener('abort', onAbort);
      then();
    };
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
      if (source !== target() || origin !== address.origin) return;
      if ((data as { type?: unknown } | null)?.type === bridgeReady.type) settle(resolve);
    };
    const onAbort = (): void => settle(() => reject(signal.reason as Error));
    const timer = setTimeout(() => {
      settle(() => {
        reject(
          new ClocheError(
            'no-bridge',
            `There is no Cloche at ${address.href}, or its host forbids that other pages reach it.`,
            'Check the address; docs/deploy.md says which headers bridge.html needs.',
          ),
        );
      });
    }, bridgeMs);
    window.addEventListener('message', onMessage);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}

interface Pending {
  readonly resolve: (response: ClientResponse) => void;
  readonly reject: (error: unknown) => void;
  /** Stops listening to the caller's signal. */
  readonly settle: () => void;
  body: ReadableStreamDefaultController<Uint8Array> | null;
}

class BridgeTransport implements Transport {
  readonly #port: MessagePort;
  readonly #end: () => void;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #closed = false;

  constructor(port: MessagePort, end: () => void) {
    this.#port = port;
    this.#end = end;
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data));
    port.start();
  }

  send({ method, path, headers = {}, body, signal }: ClientRequest): Promise<ClientResponse> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(closedError());
        return;
      }
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const id = (this.#lastId += 1);
      const onAbort = (): void => this.#fail(id, signal?.reason, { tell: true });
      signal?.addEventListener('abort', onAbort);
      const settle = (): void => signal?.removeEventListener('abort', onAbort);
      this.#pending.set(id, { resolve, reject, settle, body: null });
      const request: BridgeRequest = {
        type: 'request',
        id,
        method,
        path,
        headers,
        body: body ?? null,
      };
      this.#port.postMessage(request);
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const id of [...this.#pending.keys()]) this.#fail(id, closedError(), { tell: true });
    this.#port.close();
    this.#end();
  }

  #receive(data: unknown): void {
    const answer = parseBridgeAnswer(data);
    const pending = answer && this.#pending.get(answer.id);
    if (answer === undefined || pending === undefined) return;
    const { id } = answer;
    switch (answer.type) {
      case 'head': {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            pending.body = controller;
          },
          cancel: () => this.#abort(id),
        });
        pending.resolve({ status: answer.status, headers: new Headers(answer.headers), body });
        return;
      }
      case 'chunk':
        pending.body?.enqueue(answer.bytes);
        return;
      case 'end':
        this.#pending.delete(id);
        pending.settle();
        pending.body?.close();
        return;
      case 'failed':
        this.#fail(id, new ClocheError(answer.code, answer.message), { tell: false });
    }
  }

  /** @param options.tell whether the page that answers has to be told */
  #fail(id: number, error: unknown, { tell }: { tell: boolean }): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (tell) this.#abort(id);
    else this.#pending.delete(id);
    pending.settle();
    pending.body?.error(error);
    pending.reject(error);
  }

  #abort(id: number): void {
    this.#pending.get(id)?.settle();
    if (!this.#pending.delete(id)) return;
    this.#port.postMessage({ type: 'abort', id } satisfies BridgeRequest);
  }
}

function closedError(): ClocheError {
  return new ClocheError('closed', 'The connection to Cloche is closed.', 'Connect again.');
}
