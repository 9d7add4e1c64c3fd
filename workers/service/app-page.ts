/** An app page, for the service worker: its role, and the running requests to it, over one channel. */

import {
  parsePageMessage,
  type Introduction,
  type Role,
  type WorkerMessage,
} from '../../src/protocol/service.ts';
import { chunksAhead, Exchange } from './exchange.ts';
import type { ServiceDeps, Watch } from './service-deps.ts';

export type PageRequest = Omit<
  Extract<WorkerMessage, { type: 'request' }>,
  'type' | 'id' | 'sentAt' | 'ahead' | 'takesWhole'
>;

// A page accepts a request at once, however long the answer takes; milliseconds.
const acceptMs = 10_000;
// A closed page's lock may be released before its last messages have arrived; milliseconds.
const lastMessagesMs = 50;

export class AppPage {
  /** What the page has said about itself last. */
  introduction: Introduction;
  readonly #port: MessagePort;
  readonly #watch: Watch;
  readonly #deps: Pick<ServiceDeps, 'after'>;
  readonly #exchanges = new Map<number, Exchange>();
  #lastId = 0;
  #retired = false;

  constructor(
    port: MessagePort,
    introduction: Introduction,
    watch: Watch,
    deps: Pick<ServiceDeps, 'after'>,
  ) {
    this.introduction = introduction;
    this.#port = port;
    this.#watch = watch;
    this.#deps = deps;
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data));
    void watch.gone.then(() => {
      this.introduction = { role: 'idle', lock: this.lock };
      deps.after(lastMessagesMs, () => this.#lose());
    });
  }

  get role(): Role {
    return this.introduction.role;
  }

  /** The lock that the page holds. */
  get lock(): string {
    return this.introduction.lock;
  }

  /** Sends a request. What `transfer` lists is gone afterwards, even if the page does not answer. */
  ask(request: PageRequest, transfer: Transferable[]): Exchange {
    const id = (this.#lastId += 1);
    const exchange = new Exchange(
      () => this.#send({ type: 'abort', id }),
      (upTo) => this.#send({ type: 'more', id, upTo }),
    );
    this.#exchanges.set(id, exchange);
    const cancelDeadline = this.#deps.after(acceptMs, () => {
      if (exchange.begun) return;
      this.#send({ type: 'abort', id });
      exchange.giveUp();
    });
    void exchange.done.then(() => {
      cancelDeadline();
      this.#exchanges.delete(id);
      if (this.#retired) this.retire();
    });
    this.#send(
      {
        ...{ type: 'request', id, ...request, sentAt: Date.now() },
        ...{ ahead: chunksAhead, takesWhole: true },
      },
      transfer,
    );
    return exchange;
  }

  /** Closes the channel when the last running request has ended. */
  retire(): void {
    this.#retired = true;
    if (this.#exchanges.size > 0) return;
    this.#watch.stop();
    this.#send({ type: 'bye' });
    this.#port.close();
  }

  #receive(data: unknown): void {
    const message = parsePageMessage(data);
    if (message === undefined) return;
    if (message.type === 'role') this.introduction = { ...message, lock: this.lock };
    else this.#exchanges.get(message.id)?.receive(message);
  }

  #lose(): void {
    for (const exchange of this.#exchanges.values()) exchange.lose();
    this.retire();
  }

  #send(message: WorkerMessage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}
