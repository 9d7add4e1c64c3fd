/** Makes this page the host of the API for its folder, or a standby until the hosting page closes. */

import {
  hostLock,
  hostsChanged,
  pageLockPrefix,
  parseWhoAreYou,
  stayAwake,
  type ApiFolder,
  type Introduction,
  type Role,
} from '../../runtime/protocol/service.ts';
import { ApiChannel, type HandleRequest } from './api-channel.ts';

export interface ApiHostDeps {
  /** The app's address, with a slash at the end. */
  readonly base: URL;
  readonly locks: Pick<LockManager, 'request'>;
  /** `navigator.serviceWorker` */
  readonly serviceWorkers: Pick<
    ServiceWorkerContainer,
    'addEventListener' | 'removeEventListener' | 'startMessages' | 'ready'
  >;
  readonly handle: HandleRequest;
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Called once requests reach this page, and whenever its role changes. */
  onRole(role: Role): void;
  /** Called when this page becomes the host after another page; the Python state of that page is lost. */
  onTakeover(): void;
}

/**
 * Interval in milliseconds at which the page messages the worker during a request. Firefox ends a worker 60 seconds
 * after its last event, even if it is busy, and messages on ports do not count as events.
 */
const awakeMs = 10_000;

/**
 * Decides which page hosts the API for a folder: one page at a time holds the folder's host lock. Each page also holds its
 * own lock for as long as it lives.
 */
export class ApiHost {
  readonly #deps: ApiHostDeps;
  readonly #lock: string;
  readonly #lifetime = new AbortController();
  readonly #channels = new Map<ApiChannel, AbortController>();
  /** Whether this page holds its own lock, by which others see that it lives. */
  #alive = false;
  /** Ends the claim in progress; undefined without one. */
  #claim: AbortController | undefined;
  /** Resolves when the last claim has ended, so that this page does not compete with itself. */
  #claimed: Promise<void> = Promise.resolve();
  #role: Role = 'idle';
  #folder: ApiFolder | undefined;
  #usedAt: number;
  /** Channels requested before this page held its own lock. */
  readonly #pendingChannels: (() => void)[] = [];

  constructor(deps: ApiHostDeps) {
    this.#deps = deps;
    this.#usedAt = deps.now();
    this.#lock = pageLockPrefix(deps.base.pathname) + deps.newId();
    deps.serviceWorkers.addEventListener('message', this.#onMessage);
    deps.serviceWorkers.startMessages();
    void deps.locks.request(this.#lock, async () => {
      this.#alive = true;
      this.#deps.onRole(this.#role);
      for (const open of this.#pendingChannels.splice(0)) open();
      await whenAborted(this.#lifetime.signal);
    });
  }

  get role(): Role {
    return this.#role;
  }

  /**
   * Hosts the API for a folder as soon as no other page does. Call it when the folder is open.
   */
  claim(folder: ApiFolder): void {
    if (this.#lifetime.signal.aborted) return;
    const claimed = this.#claim === undefined ? undefined : this.#folder;
    if (claimed?.id === folder.id) {
      if (claimed.name === folder.name) return;
      this.#folder = folder;
      this.#introduce();
      return;
    }
    this.release();
    // @mutant only one page answers => ifAvailable -> steal
    this.#begin(folder, { ifAvailable: true });
  }

  /** Hosts the API in place of the folder's current host, which becomes a standby. */
  takeOver(): void {
    if (this.#role !== 'standby' || this.#folder === undefined) return;
    this.#claim?.abort();
    this.use();
    this.#begin(this.#folder, { steal: true });
  }

  /** Call this when the user uses the page: requests that name no folder go to the host that was used last. */
  use(): void {
    this.#usedAt = this.#deps.now();
    if (this.#role === 'host') this.#introduce();
  }

  /** Lets another page host. Call it when no folder is open any more. */
  release(): void {
    if (this.#claim === undefined) return;
    // Announce the role before releasing the lock, so that the worker never sees two hosts.
    this.#folder = undefined;
    this.#become('idle');
    this.#claim.abort();
    this.#claim = undefined;
  }

  dispose(): void {
    this.release();
    this.#deps.serviceWorkers.removeEventListener('message', this.#onMessage);
    for (const channel of this.#channels.keys()) this.#close(channel);
    this.#lifetime.abort();
  }

  #begin(folder: ApiFolder, how: LockOptions): void {
    const { signal } = (this.#claim = new AbortController());
    this.#folder = folder;
    this.#claimed = this.#claimed.then(() => this.#host(folder.id, signal, how));
  }

  async #host(folderId: string, signal: AbortSignal, how: LockOptions): Promise<void> {
    const isWanted = (): boolean => !signal.aborted;
    if (isWanted()) await this.#hold(folderId, signal, how, { isTakeover: how.steal === true });
    // Another page hosts, or has taken over.
    while (isWanted()) {
      this.#become('standby');
      await this.#hold(folderId, signal, { signal }, { isTakeover: true });
    }
  }

  /**
   * Hosts for as long as this page holds the lock.
   *
   * @param options.isTakeover whether another page hosted before
   */
  async #hold(
    folderId: string,
    signal: AbortSignal,
    how: LockOptions,
    { isTakeover }: { isTakeover: boolean },
  ): Promise<void> {
    const { locks, base } = this.#deps;
    try {
      await locks.request(hostLock(base.pathname, folderId), how, async (lock) => {
        if (lock === null || signal.aborted) return;
        if (isTakeover) this.#deps.onTakeover();
        this.#become('host');
        await whenAborted(signal);
      });
    } catch (thrown) {
      // The lock was stolen, or the request for it was aborted.
      if (!(thrown instanceof DOMException && thrown.name === 'AbortError')) throw thrown;
    }
  }

  #become(role: Role): void {
    if (this.#role === role) return;
    this.#role = role;
    this.#introduce();
    // The worker may know another host, and have no channel to this page.
    if (role === 'host') this.#message(hostsChanged);
    this.#deps.onRole(role);
  }

  get #introduction(): Introduction {
    const folder = this.#folder;
    return {
      role: this.#role,
      lock: this.#lock,
      usedAt: this.#usedAt,
      ...(folder !== undefined && { folder }),
    };
  }

  #introduce(): void {
    for (const channel of this.#channels.keys()) channel.introduce(this.#introduction);
  }

  /** Sends a message to the worker outside the channels. */
  #message(message: object): void {
    void this.#deps.serviceWorkers.ready.then(({ active }) => active?.postMessage(message));
  }

  readonly #onMessage = ({ data, ports }: MessageEvent<unknown>): void => {
    const [port] = ports;
    const question = parseWhoAreYou(data);
    // @mutant another base path gets no answer => ?.base !== this.#deps.base.pathname -> === undefined
    if (port === undefined || question?.base !== this.#deps.base.pathname) return;
    const open = (): void => this.#open(port, question.lock);
    if (this.#alive) open();
    else this.#pendingChannels.push(open);
  };

  #open(port: MessagePort, workersLock: string): void {
    const { handle, locks } = this.#deps;
    const close = (): void => this.#close(channel);
    const channel = new ApiChannel(port, handle, close, () => this.#keepAwake());
    const closed = new AbortController();
    this.#channels.set(channel, closed);
    channel.introduce(this.#introduction);
    locks
      .request(workersLock, { mode: 'shared', signal: closed.signal }, () => this.#close(channel))
      .catch(unlessAborted(closed.signal));
  }

  #keepAwake(): () => void {
    const timer = setInterval(() => this.#message(stayAwake), awakeMs);
    return () => clearInterval(timer);
  }

  #close(channel: ApiChannel): void {
    channel.close();
    this.#channels.get(channel)?.abort();
    this.#channels.delete(channel);
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

// Ignores the rejection of an aborted lock request.
function unlessAborted(signal: AbortSignal): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
