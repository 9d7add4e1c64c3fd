/** Makes this page answer for the API, or stand by until the page that does is gone. */

import {
  hostLock,
  pageLockPrefix,
  parseWhoAreYou,
  stayAwake,
  type Role,
} from '../protocol/service.ts';
import { ApiChannel, type HandleRequest } from './api-channel.ts';

export interface ApiHostDeps {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly locks: Pick<LockManager, 'request'>;
  /** `navigator.serviceWorker` */
  readonly serviceWorkers: Pick<
    ServiceWorkerContainer,
    'addEventListener' | 'removeEventListener' | 'startMessages' | 'ready'
  >;
  readonly handle: HandleRequest;
  newId(): string;
  onRole(role: Role): void;
  /** Another page hosted the API until now: what Python held there is lost. */
  onTakeover(): void;
}

/**
 * How often the worker hears from the page while a request is under way, in milliseconds. Firefox ends a worker 60 seconds
 * after its last event, whatever it still has to do, and takes nothing that arrives on a port for one.
 */
const awakeMs = 10_000;

/** One page at a time holds the host lock; each holds a lock of its own for as long as it lives. */
export class ApiHost {
  readonly #around: ApiHostDeps;
  readonly #lock: string;
  readonly #life = new AbortController();
  readonly #channels = new Map<ApiChannel, AbortController>();
  #alive = false;
  #claim: AbortController | undefined;
  /** The end of the last claim, so that this page never takes itself for another one. */
  #claimed: Promise<void> = Promise.resolve();
  #role: Role = 'idle';
  /** What arrived before this page's lock was held. */
  readonly #early: (() => void)[] = [];

  constructor(around: ApiHostDeps) {
    this.#around = around;
    this.#lock = pageLockPrefix(around.base.pathname) + around.newId();
    around.serviceWorkers.addEventListener('message', this.#onMessage);
    around.serviceWorkers.startMessages();
    void around.locks.request(this.#lock, async () => {
      this.#alive = true;
      for (const open of this.#early.splice(0)) open();
      await aborted(this.#life.signal);
    });
  }

  get role(): Role {
    return this.#role;
  }

  /** A folder is open here: host the API as soon as no other page does. */
  claim(): void {
    if (this.#claim !== undefined || this.#life.signal.aborted) return;
    this.#begin({ ifAvailable: true });
  }

  /** Hosts the API in place of the page that does; that one stands by from then on. */
  takeOver(): void {
    if (this.#role !== 'standby') return;
    this.#claim?.abort();
    this.#begin({ steal: true });
  }

  /** No folder is open here any more: let another page host. */
  release(): void {
    if (this.#claim === undefined) return;
    // First the word, then the lock: the worker must not take two pages for the host.
    this.#become('idle');
    this.#claim.abort();
    this.#claim = undefined;
  }

  dispose(): void {
    this.release();
    this.#around.serviceWorkers.removeEventListener('message', this.#onMessage);
    for (const channel of this.#channels.keys()) this.#close(channel);
    this.#life.abort();
  }

  #begin(how: LockOptions): void {
    const { signal } = (this.#claim = new AbortController());
    this.#claimed = this.#claimed.then(() => this.#host(signal, how));
  }

  async #host(signal: AbortSignal, how: LockOptions): Promise<void> {
    const isWanted = (): boolean => !signal.aborted;
    if (isWanted()) await this.#hold(signal, how, how.steal === true);
    // Another page had it, or has taken it since.
    while (isWanted()) {
      this.#become('standby');
      await this.#hold(signal, { signal }, true);
    }
  }

  /** Hosts for as long as this page has the lock. @param fromAnother some other page hosted until now */
  async #hold(signal: AbortSignal, how: LockOptions, fromAnother: boolean): Promise<void> {
    const { locks, base } = this.#around;
    try {
      await locks.request(hostLock(base.pathname), how, async (lock) => {
        if (lock === null || signal.aborted) return;
        if (fromAnother) this.#around.onTakeover();
        this.#become('host');
        await aborted(signal);
      });
    } catch (thrown) {
      // It was taken from this page, or is not waited for any more.
      if (!(thrown instanceof DOMException && thrown.name === 'AbortError')) throw thrown;
    }
  }

  #become(role: Role): void {
    if (this.#role === role) return;
    this.#role = role;
    for (const channel of this.#channels.keys()) channel.introduce(role, this.#lock);
    this.#around.onRole(role);
  }

  readonly #onMessage = ({ data, ports }: MessageEvent<unknown>): void => {
    const [port] = ports;
    const asked = parseWhoAreYou(data);
    if (port === undefined || asked?.base !== this.#around.base.pathname) return;
    const open = (): void => this.#open(port, asked.lock);
    if (this.#alive) open();
    else this.#early.push(open);
  };

  #open(port: MessagePort, workersLock: string): void {
    const { handle, locks } = this.#around;
    const close = (): void => this.#close(channel);
    const channel = new ApiChannel(port, handle, close, () => this.#keepAwake());
    const closed = new AbortController();
    this.#channels.set(channel, closed);
    channel.introduce(this.#role, this.#lock);
    locks
      .request(workersLock, { mode: 'shared', signal: closed.signal }, () => this.#close(channel))
      .catch(unlessAborted(closed.signal));
  }

  #keepAwake(): () => void {
    const timer = setInterval(() => {
      void this.#around.serviceWorkers.ready.then(({ active }) => active?.postMessage(stayAwake));
    }, awakeMs);
    return () => clearInterval(timer);
  }

  #close(channel: ApiChannel): void {
    channel.close();
    this.#channels.get(channel)?.abort();
    this.#channels.delete(channel);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

// Whoever stopped waiting for a lock knows; anything else is a mistake.
function unlessAborted(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
