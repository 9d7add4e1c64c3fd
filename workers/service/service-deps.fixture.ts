/** Fake dependencies for tests of the service worker: windows, app pages that can close, and timers on a manual clock. */

import type { ListingRecord } from '../../src/runtime/protocol/listing.ts';
import {
  parseWorkerMessage,
  type Introduction,
  type PageMessage,
  type Role,
  type WhoAreYou,
  type WorkerMessage,
} from '../../src/runtime/protocol/service.ts';
import type { OpenWindow, ServiceDeps, Watch } from './service-deps.ts';

export class FakeServiceDeps implements ServiceDeps {
  readonly base = '/app/';
  readonly address = 'https://cloche.test/app/';
  readonly lock = Promise.resolve('cloche-worker:/app/:w');
  readonly pages: FakePage[] = [];
  /** Windows that are not app pages. */
  readonly others: OpenWindow[] = [];
  readonly stopped: string[] = [];
  saved: ListingRecord | undefined;
  searches = 0;
  #time = 0;
  #timers: { readonly at: number; readonly then: () => void }[] = [];

  windows(): Promise<readonly OpenWindow[]> {
    this.searches += 1;
    return Promise.resolve([...this.others, ...this.pages]);
  }

  pageLocks(): Promise<readonly string[]> {
    return Promise.resolve(this.pages.filter((page) => page.alive).map((page) => page.lock));
  }

  watch(lock: string): Watch {
    const gone = this.pages.find((page) => page.lock === lock)?.gone ?? Promise.resolve();
    return { gone, stop: () => this.stopped.push(lock) };
  }

  savedListing(): Promise<ListingRecord | undefined> {
    return Promise.resolve(this.saved);
  }

  after(ms: number, then: () => void): () => void {
    const timer = { at: this.#time + ms, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** Delivers messages, then advances the clock and runs timers; milliseconds. */
  async pass(ms: number): Promise<void> {
    await arrived();
    this.#time += ms;
    const expired = this.#timers.filter((timer) => timer.at <= this.#time);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#time);
    for (const { then } of expired) then();
    await arrived();
  }

  addPage(
    role: Role | 'mute',
    answer?: (page: FakePage, request: FakeRequest) => void,
    about: FakePage['about'] = {},
  ): FakePage {
    const page = new FakePage(`cloche-page:/app/:${this.pages.length}`, role, answer, about);
    this.pages.push(page);
    return page;
  }
}

export type FakeRequest = Extract<WorkerMessage, { type: 'request' }>;

/** An app page with a role, or a `mute` one that never answers. */
export class FakePage implements OpenWindow {
  readonly lock: string;
  about: Pick<Introduction, 'folder' | 'usedAt'>;
  readonly gone: Promise<void>;
  readonly received: WorkerMessage[] = [];
  readonly asked: WhoAreYou[] = [];
  alive = true;
  #role: Role | 'mute';
  readonly #answer: (page: FakePage, request: FakeRequest) => void;
  #port: MessagePort | undefined;
  #die: () => void = () => {};

  constructor(
    lock: string,
    role: Role | 'mute',
    answer: (page: FakePage, request: FakeRequest) => void = () => {},
    about: FakePage['about'] = {},
  ) {
    this.lock = lock;
    this.about = about;
    this.#role = role;
    this.#answer = answer;
    this.gone = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  postMessage(message: WhoAreYou, [port]: Transferable[]): void {
    this.asked.push(message);
    if (!(port instanceof MessagePort)) throw new Error('no port');
    this.#port = port;
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const parsed = parseWorkerMessage(data);
      if (parsed === undefined) throw new Error('unknown message');
      this.received.push(parsed);
      if (parsed.type === 'request' && this.alive) this.#answer(this, parsed);
    });
    port.start();
    this.#sendRole();
  }

  become(role: Role): void {
    this.#role = role;
    this.#sendRole();
  }

  send(message: PageMessage): void {
    this.#port?.postMessage(message);
  }

  /** Closes the page. */
  die(): void {
    this.alive = false;
    this.#die();
  }

  #sendRole(): void {
    if (this.alive && this.#role !== 'mute')
      this.send({ type: 'role', role: this.#role, lock: this.lock, ...this.about });
  }
}

/** Answers each request with 200 and this text. */
export function answerWith(text: string): (page: FakePage, request: FakeRequest) => void {
  return (page, { id }) => {
    page.send({ type: 'accepted', id });
    page.send({
      type: 'head',
      id,
      status: 200,
      headers: [['content-type', 'text/plain']],
      hasBody: true,
    });
    page.send({ type: 'chunk', id, bytes: new TextEncoder().encode(text) });
    page.send({ type: 'end', id });
  };
}

/** Resolves when all messages that were sent have arrived. */
export async function arrived(): Promise<void> {
  // Waits for a number of event loop turns, however long each takes.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
