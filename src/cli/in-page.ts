/** The part of this program that runs in the page, before the page's own scripts. */

import type { Driver, Headless } from '../runtime/protocol/headless.ts';

/** A request of the virtual API. */
export interface PageRequest {
  readonly method: string;
  /** Path below `api/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The events of a request, in this order: its head, its body in pieces, its end. */
export type PageEvent =
  | {
      readonly id: number;
      readonly type: 'head';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly id: number; readonly type: 'chunk'; readonly text: string }
  | { readonly id: number; readonly type: 'end'; readonly error: string | null };

/** The page's global `clocheCli`, which {@link installInPage} defines. */
export interface InPage {
  /** Calls a method of the page's interface. @returns JSON */
  ask(method: string, args: readonly unknown[]): Promise<string>;
  request(id: number, asked: PageRequest): void;
  cancel(id: number): void;
  /** Waits for events, and removes them. @returns JSON of a list */
  events(): Promise<string>;
}

/** Is sent to the page as text, so it uses nothing from outside itself. */
export function installInPage(): void {
  if (window.top !== window) return;
  const maxQueued = 4_000_000;
  let queue: PageEvent[] = [];
  let queued = 0;
  let wake: () => void = () => undefined;
  let drain: () => void = () => undefined;
  const stops = new Map<number, AbortController>();
  let started: (headless: Headless) => void = () => undefined;
  const page = new Promise<Headless>((resolve) => {
    started = resolve;
  });

  function emit(event: PageEvent): void {
    queue.push(event);
    if (event.type === 'chunk') queued += event.text.length;
    wake();
  }

  async function send(id: number, asked: PageRequest, signal: AbortSignal): Promise<void> {
    const { method, path, headers, body = null } = asked;
    const url = new URL(`api/${path}`, document.baseURI);
    const response = await fetch(url, { method, headers, body, redirect: 'error', signal });
    emit({
      id,
      type: 'head',
      status: response.status,
      headers: Object.fromEntries(response.headers),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return;
      emit({ id, type: 'chunk', text: piece.value });
      while (queued > maxQueued)
        await new Promise<void>((resolve) => {
          const before = drain;
          drain = () => {
            before();
            resolve();
          };
        });
    }
  }

  const clocheDriver: Driver = (headless) => started(headless);
  const clocheCli: InPage = {
    async ask(method, args) {
      const found: unknown = Reflect.get(await page, method);
      if (typeof found !== 'function') return '{"error":"The page belongs to another version."}';
      const answer: unknown = await Reflect.apply(found, undefined, args);
      return JSON.stringify(answer);
    },
    request(id, asked) {
      const stop = new AbortController();
      stops.set(id, stop);
      send(id, asked, stop.signal)
        .then(
          () => emit({ id, type: 'end', error: null }),
          (thrown: unknown) => emit({ id, type: 'end', error: String(thrown) }),
        )
        .finally(() => stops.delete(id));
    },
    cancel(id) {
      stops.get(id)?.abort();
    },
    async events() {
      while (queue.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const events = JSON.stringify(queue);
      queue = [];
      queued = 0;
      drain();
      drain = () => undefined;
      return events;
    },
  };
  Object.assign(window, { clocheDriver, clocheCli });
}
