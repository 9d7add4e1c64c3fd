/** One request under way from the service worker to an app page, until its answer's body has ended. */

import { problemText, type HttpProblem } from '../../src/protocol/problem-document.ts';
import type { HeaderList, PageMessage } from '../../src/protocol/service.ts';
import { brokeOff, pageClosed } from './refusals.ts';

/** Chunks of an answer that wait here, at most, for a caller that reads slowly; the page makes them of 64 KB and more. */
export const chunksAhead = 16;

export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: HeaderList;
      readonly body: ReadableStream<Uint8Array> | null;
    }
  /** The page went away; not `begun`: it never took the request up. */
  | { readonly kind: 'gone'; readonly begun: boolean }
  /** The page did not take the request up in time. */
  | { readonly kind: 'silent' };

export class Exchange {
  readonly answer: Promise<Answer>;
  /** When nothing more is to come. */
  readonly done: Promise<undefined>;
  #begun = false;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The body is a stream of events. */
  #tellsEvents = false;
  #received = 0;
  #granted = chunksAhead;
  readonly #onCancel: () => void;
  readonly #onMore: (upTo: number) => void;
  readonly #settle: (answer: Answer) => void;
  readonly #finish: (nothing: undefined) => void;

  /** `onCancel`: the caller went away before the body's end; `onMore`: there is room for that many chunks in all. */
  constructor(onCancel: () => void, onMore: (upTo: number) => void) {
    this.#onCancel = onCancel;
    this.#onMore = onMore;
    [this.answer, this.#settle] = settleable<Answer>();
    [this.done, this.#finish] = settleable<undefined>();
  }

  get begun(): boolean {
    return this.#begun;
  }

  take(message: PageMessage): void {
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
      case 'failed':
        return this.#fail(brokeOff(message.message));
    }
  }

  /** The page is no more: whoever still reads the body gets an error, not an end. */
  lose(): void {
    this.#fail(pageClosed(true));
  }

  giveUp(): void {
    this.#settle({ kind: 'silent' });
    this.#finish(undefined);
  }

  #head(status: number, headers: HeaderList, hasBody: boolean): void {
    this.#tellsEvents = headers.some(([, value]) => value === 'text/event-stream');
    const body = hasBody ? this.#open() : null;
    this.#settle({ kind: 'answer', status, headers, body });
    if (!hasBody) this.#finish(undefined);
  }

  #open(): ReadableStream<Uint8Array> {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      start: (controller) => {
        this.#body = controller;
      },
      pull: ({ desiredSize }) => this.#want(this.#received + (desiredSize ?? 0)),
      cancel: () => {
        this.#body = undefined;
        this.#onCancel();
        this.#finish(undefined);
      },
    };
    return new ReadableStream(source, { highWaterMark: chunksAhead });
  }

  #want(upTo: number): void {
    if (upTo - this.#granted < chunksAhead / 2) return;
    this.#granted = upTo;
    this.#onMore(upTo);
  }

  #fail(problem: HttpProblem): void {
    this.#settle({ kind: 'gone', begun: this.#begun });
    if (this.#tellsEvents) {
      // What may have been cut off in the middle ends first, as an event without a name.
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

function settleable<T>(): [Promise<T>, (value: T) => void] {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return [promise, settle];
}
