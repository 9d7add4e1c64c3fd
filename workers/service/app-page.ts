/** An app page, for the service worker: its role, and the requests to it until the bodies of their answers have ended. */

import {
  parsePageMessage,
  type Introduction,
  type Role,
  type WorkerMessage,
  type HeaderList,
  type PageMessage,
} from '../../src/runtime/protocol/service.ts';
import type { ServiceDeps, Watch } from './service-deps.ts';
import { problemText, type HttpProblem } from '../../src/runtime/protocol/problem-document.ts';
import { brokeOff, pageClosed } from './refusals.ts';

export type PageRequest = Omit<
  Extract<WorkerMessage, { type: 'request' }>,
  'type' | 'id' | 'sentAt' | 'ahead' | 'takesWhole'
>;

// A page accepts a request at once, however long the answer takes; milliseconds.
const acceptMs = 10_000;
// A closed page's lock may be released before its last messages have arrived; milliseconds.
const lastMessagesMs = 50;
/** Limit of chunks that are buffered for a slow caller; the page makes chunks of 64 KB or more. */
const chunksAhead = 16;

/** One app page that answers. It ends its requests when the page closes. */
export class AppPage {
  /** The page's latest description of itself. */
  introduction: Introduction;
  readonly #port: MessagePort;
  readonly #watch: Watch;
  readonly #deps: Pick<ServiceDeps, 'after'>;
  readonly #exchanges = new Map<number, Exchange>();
  #lastId = 0;
  /** Whether the channel closes with the last running request. */
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

  get lock(): string {
    return this.introduction.lock;
  }

  /**
   * Sends a request. The buffers in `transfer` are gone afterwards, even if the page does not
   * answer.
   */
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
      { type: 'request', id, ...request, sentAt: Date.now(), ahead: chunksAhead, takesWhole: true },
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

export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: HeaderList;
      readonly body: ReadableStream<Uint8Array> | null;
    }
  /** The page was closed; `begun` says whether it had accepted the request. */
  | { readonly kind: 'gone'; readonly begun: boolean }
  /** The page did not accept the request in time. */
  | { readonly kind: 'silent' };

/** One request to a page, and its answer. */
export class Exchange {
  readonly answer: Promise<Answer>;
  /** Resolves when the answer has ended, in any way. */
  readonly done: Promise<undefined>;
  #begun = false;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Whether the body is an event stream. */
  #isEventStream = false;
  /** Chunks that have arrived. */
  #received = 0;
  /** Chunks that the page may send, counted from the first. */
  #granted = chunksAhead;
  readonly #onCancel: () => void;
  readonly #onMore: (upTo: number) => void;
  readonly #settle: (answer: Answer) => void;
  readonly #finish: (nothing: undefined) => void;

  /** @param onCancel the caller cancelled the body; @param onMore that many chunks, counted from the first, may be sent */
  constructor(onCancel: () => void, onMore: (upTo: number) => void) {
    this.#onCancel = onCancel;
    this.#onMore = onMore;
    [this.answer, this.#settle] = deferredPromise<Answer>();
    [this.done, this.#finish] = deferredPromise<undefined>();
  }

  get begun(): boolean {
    return this.#begun;
  }

  receive(message: PageMessage): void {
    switch (message.type) {
      case 'role':
        return;
      case 'accepted':
        this.#begun = true;
        return;
      case 'head':
        return this.#head(message.status, message.headers, message.hasBody);
      case 'chunk':
        this.#received += 1;
        this.#body?.enqueue(message.bytes);
        return;
      case 'end':
        this.#body?.close();
        return this.#finish(undefined);
      case 'whole': {
        const { status, headers, bytes } = message;
        this.#settle({ kind: 'answer', status, headers, body: streamOf(bytes) });
        return this.#finish(undefined);
      }
      case 'failed':
        return this.#fail(brokeOff(message.message));
    }
  }

  /** Ends the body with an error, because the page was closed. */
  lose(): void {
    this.#fail(pageClosed({ begun: true }));
  }

  /** Ends the request, because the page did not accept it in time. */
  giveUp(): void {
    this.#settle({ kind: 'silent' });
    this.#finish(undefined);
  }

  #head(status: number, headers: HeaderList, hasBody: boolean): void {
    this.#isEventStream = headers.some(([, value]) => value === 'text/event-stream');
    const body = hasBody ? this.#open() : null;
    this.#settle({ kind: 'answer', status, headers, body });
    if (!hasBody) this.#finish(undefined);
  }

  #open(): ReadableStream<Uint8Array> {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#body = controller;
      },
      pull: ({ desiredSize }) => this.#requestMore(this.#received + (desiredSize ?? 0)),
      cancel: () => {
        this.#body = undefined;
        this.#onCancel();
        this.#finish(undefined);
      },
    };
    return new ReadableStream(source, { highWaterMark: chunksAhead });
  }

  #requestMore(upTo: number): void {
    if (upTo - this.#granted < chunksAhead / 2) return;
    this.#granted = upTo;
    this.#onMore(upTo);
  }

  #fail(problem: HttpProblem): void {
    this.#settle({ kind: 'gone', begun: this.#begun });
    if (this.#isEventStream) {
      // The blank line first ends an event that may be incomplete.
      const event = `\n\ndata: ${problemText(problem)}\nevent: error\n\n`;
      this.#body?.enqueue(new TextEncoder().encode(event));
      this.#body?.close();
    } else {
      this.#body?.error(new TypeError(problem.detail));
    }
    this.#body = undefined;
    this.#finish(undefined);
  }
}

/** A stream of bytes reaches the caller sooner than the bytes themselves, which browsers store as a blob first. */
function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

function deferredPromise<T>(): [Promise<T>, (value: T) => void] {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
}
