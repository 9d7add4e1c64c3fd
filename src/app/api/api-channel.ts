/** The page's end of the channel to one service worker: receives its requests and streams the responses back. */

import type { ApiRequest } from './api-deps.ts';
import {
  parseWorkerMessage,
  type Introduction,
  type PageMessage,
  type WorkerMessage,
} from '../../runtime/protocol/service.ts';
import { createPacer } from '../../runtime/async/pace.ts';
import { errorText } from '../../runtime/spec/error.ts';

export type HandleRequest = (request: ApiRequest, path: string) => Promise<Response>;

const staleMs = 1_000;
/** Time that the head of an answer may wait for its body, to be sent with it; milliseconds. */
const soonMs = 20;

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
   * Reports the role and the folder of this page to the worker, which takes the page for alive
   * while it holds its lock.
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
      await this.#sendResponse(
        ...[id, abort.signal, allowance, response, request.takesWhole === true],
      );
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
    { status, headers: given, body }: Response,
    takesWhole: boolean,
  ): Promise<void> {
    const headers = [...given];
    if (body === null) {
      this.#send({ type: 'head', id, status, headers, hasBody: false });
      return;
    }
    const reader = body.getReader();
    const cancel = (): void => {
      allowance.raise(Infinity);
      void reader.cancel();
    };
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    const chunks = new ChunkReader(reader);
    const bytes = takesWhole && isJson(given) ? await chunks.whole() : null;
    if (bytes !== null) {
      if (!signal.aborted)
        this.#send({ type: 'whole', id, status, headers, bytes }, [bytes.buffer]);
      return;
    }
    this.#send({ type: 'head', id, status, headers, hasBody: true });
    for (;;) {
      // Wait for room before reading, so that backpressure reaches the producer.
      await allowance.next();
      const { done, value } = await chunks.next();
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

type Chunk = ReadableStreamReadResult<Uint8Array<ArrayBuffer>>;

/** Reads a body, and finds out early whether it is one chunk. */
class ChunkReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  /** Chunks that were requested to find out whether there is only one. */
  readonly #early: Promise<Chunk>[] = [];

  constructor(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>) {
    this.#reader = reader;
  }

  next(): Promise<Chunk> {
    return this.#early.shift() ?? this.#reader.read();
  }

  /** Returns the body if it is one chunk that is there soon; otherwise null, and {@link next} returns its chunks. */
  async whole(): Promise<Uint8Array<ArrayBuffer> | null> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, soonMs, null);
    });
    const first = this.#reader.read();
    const second = this.#reader.read();
    this.#early.push(first, second);
    // The reader of the chunks gets the error.
    const both = Promise.all([first, second]).catch(() => null);
    const [chunk, end] = (await Promise.race([both, soon])) ?? [];
    clearTimeout(timer);
    return chunk?.done === false && end?.done === true ? chunk.value : null;
  }
}

function isJson(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('application/json') === true;
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
