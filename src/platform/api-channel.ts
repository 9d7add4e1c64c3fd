/** The page's end of the channel to one service worker: receives its requests and streams the responses back. */

import type { ApiRequest } from '../api/api-deps.ts';
import {
  parseWorkerMessage,
  type Introduction,
  type PageMessage,
  type WorkerMessage,
} from '../protocol/service.ts';
import { createPacer } from '../async/pace.ts';
import { errorText } from '../spec/error.ts';

export type HandleRequest = (request: ApiRequest, path: string) => Promise<Response>;

const staleMs = 1_000;

type RelayedRequest = Extract<WorkerMessage, { type: 'request' }>;

export class ApiChannel {
  readonly #port: MessagePort;
  readonly #handle: HandleRequest;
  readonly #onBye: () => void;
  readonly #keepAwake: () => () => void;
  readonly #answering = new Map<number, Answering>();

  /**
   * @param onBye called when the worker no longer needs the channel
   * @param keepAwake called when a request begins, to keep the worker alive until the returned function is called
   */
  constructor(
    port: MessagePort,
    handle: HandleRequest,
    onBye: () => void,
    keepAwake: () => () => void,
  ) {
    this.#port = port;
    this.#handle = handle;
    this.#onBye = onBye;
    this.#keepAwake = keepAwake;
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data));
    port.start();
  }

  /**
   * Tells the worker the role and the folder of this page, which it takes for alive while the page's lock is held.
   */
  introduce(page: Introduction): void {
    this.#send({ type: 'role', ...page });
  }

  /** Closes the channel. Running requests continue: their callers may rejoin them with the same Idempotency-Key. */
  close(): void {
    this.#port.close();
    // Nobody will raise the allowances any more.
    for (const { allowance } of this.#answering.values()) allowance.raise(Infinity);
  }

  #receive(data: unknown): void {
    const message = parseWorkerMessage(data);
    if (message?.type === 'request') void this.#answer(message);
    if (message?.type === 'abort') this.#answering.get(message.id)?.abort.abort();
    if (message?.type === 'more') this.#answering.get(message.id)?.allowance.raise(message.upTo);
    if (message?.type === 'bye') this.#onBye();
  }

  async #answer(request: RelayedRequest): Promise<void> {
    const { id } = request;
    this.#send({ type: 'accepted', id });
    const abort = new AbortController();
    const allowance = new Allowance(request.ahead ?? Infinity);
    this.#answering.set(id, { abort, allowance });
    const release = this.#keepAwake();
    try {
      // After the page was blocked, the next message may be the abort of this request.
      if (Date.now() - request.sentAt > staleMs) await createPacer().rest();
      if (abort.signal.aborted) return;
      const response = await this.#handle(requestFrom(request, abort.signal), request.path);
      await this.#sendResponse(id, abort.signal, allowance, response);
    } catch (error) {
      this.#send({ type: 'failed', id, message: errorText(error) });
    } finally {
      release();
      this.#answering.delete(id);
    }
  }

  async #sendResponse(
    id: number,
    signal: AbortSignal,
    allowance: Allowance,
    { status, headers, body }: Response,
  ): Promise<void> {
    this.#send({ type: 'head', id, status, headers: [...headers], hasBody: body !== null });
    if (body === null) return;
    const reader = body.getReader();
    const cancel = (): void => {
      allowance.raise(Infinity);
      void reader.cancel();
    };
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    for (;;) {
      // Wait for room before reading, so that backpressure reaches the producer.
      await allowance.next();
      const { done, value } = await reader.read();
      if (signal.aborted) return;
      if (done) break;
      this.#send({ type: 'chunk', id, bytes: value }, [value.buffer]);
    }
    this.#send({ type: 'end', id });
  }

  #send(message: PageMessage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

interface Answering {
  readonly abort: AbortController;
  readonly allowance: Allowance;
}

/** The number of chunks for which the other side has room. */
class Allowance {
  #upTo: number;
  #taken = 0;
  #wake = (): void => {};

  constructor(upTo: number) {
    this.#upTo = upTo;
  }

  raise(upTo: number): void {
    this.#upTo = Math.max(this.#upTo, upTo);
    this.#wake();
  }

  /** Resolves when there is room for one more chunk, and takes it. */
  async next(): Promise<void> {
    while (this.#taken >= this.#upTo) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#taken += 1;
  }
}

function requestFrom(
  { method, query = '', folders, headers, body }: RelayedRequest,
  signal: AbortSignal,
): ApiRequest {
  return {
    method,
    query: new URLSearchParams(query),
    ...(folders !== undefined && { folders }),
    headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
    signal,
    arrayBuffer: () => Promise.resolve(body ?? new ArrayBuffer()),
  };
}
