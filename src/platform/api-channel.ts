/** The page's end of the wire to one service worker: takes its requests and sends the answers back as they come. */

import type { ApiRequest } from '../api/api-request.ts';
import {
  parseWorkerMessage,
  type PageMessage,
  type Role,
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
   * `onBye`: the worker does not need the channel any more. `keepAwake`: called where a request begins, for the worker to
   * live until what it returns is called.
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
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#take(data));
    port.start();
  }

  /** `lock`: the worker takes the page for alive as long as it is held. */
  introduce(role: Role, lock: string): void {
    this.#send({ type: 'role', role, lock });
  }

  /** What is under way goes on: its caller may come back for it with the same Idempotency-Key. */
  close(): void {
    this.#port.close();
    // Nobody will ask for more of it.
    for (const { allowance } of this.#answering.values()) allowance.raise(Infinity);
  }

  #take(data: unknown): void {
    const message = parseWorkerMessage(data);
    if (message?.type === 'request') void this.#answer(message);
    if (message?.type === 'abort') this.#answering.get(message.id)?.abort.abort();
    if (message?.type === 'more') this.#answering.get(message.id)?.allowance.raise(message.upTo);
    if (message?.type === 'bye') this.#onBye();
  }

  async #answer(asked: RelayedRequest): Promise<void> {
    const { id } = asked;
    this.#send({ type: 'accepted', id });
    const abort = new AbortController();
    const allowance = new Allowance(asked.ahead ?? Infinity);
    this.#answering.set(id, { abort, allowance });
    const letSleep = this.#keepAwake();
    try {
      // After a stall of the page, the message that nobody waits any more may be the next one.
      if (Date.now() - asked.sentAt > staleMs) await createPacer().rest();
      if (abort.signal.aborted) return;
      const response = await this.#handle(requestFrom(asked, abort.signal), asked.path);
      await this.#sendResponse(id, abort.signal, allowance, response);
    } catch (error) {
      this.#send({ type: 'failed', id, message: errorText(error) });
    } finally {
      letSleep();
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
      // Not read before there is somewhere to go with it: what waits, waits where it is made.
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

/** How many chunks the other side has room for. */
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

  /** Waits until there is room for one more. */
  async next(): Promise<void> {
    while (this.#taken >= this.#upTo) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#taken += 1;
  }
}

function requestFrom({ method, headers, body }: RelayedRequest, signal: AbortSignal): ApiRequest {
  return {
    method,
    headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
    signal,
    arrayBuffer: () => Promise.resolve(body ?? new ArrayBuffer()),
  };
}
