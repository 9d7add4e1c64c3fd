/** One request under way from the service worker to an app page, until its answer's body has ended. */

import type { HeaderList, PageMessage } from '../../src/protocol/service.ts';

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
  readonly #onCancel: () => void;
  readonly #settle: (answer: Answer) => void;
  readonly #finish: (nothing: undefined) => void;

  /** `onCancel`: the caller went away before the body's end. */
  constructor(onCancel: () => void) {
    this.#onCancel = onCancel;
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
        this.#body?.enqueue(message.bytes);
        return;
      case 'end':
        this.#body?.close();
        return this.#finish(undefined);
      case 'failed':
        return this.#fail(message.message);
    }
  }

  /** The page is no more: whoever still reads the body gets an error, not an end. */
  lose(): void {
    this.#fail('the Cloche page was closed before it had answered');
  }

  giveUp(): void {
    this.#settle({ kind: 'silent' });
    this.#finish(undefined);
  }

  #head(status: number, headers: HeaderList, hasBody: boolean): void {
    const body = hasBody
      ? new ReadableStream<Uint8Array>({
          start: (controller) => {
            this.#body = controller;
          },
          cancel: () => {
            this.#body = undefined;
            this.#onCancel();
            this.#finish(undefined);
          },
        })
      : null;
    this.#settle({ kind: 'answer', status, headers, body });
    if (!hasBody) this.#finish(undefined);
  }

  #fail(message: string): void {
    this.#settle({ kind: 'gone', begun: this.#begun });
    this.#body?.error(new TypeError(message));
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
