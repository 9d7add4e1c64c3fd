/** Every request that tools have made or wanted to make in this visit, bounded. */

import { createObservers } from '../hooks/observe.ts';

export interface LoggedRequest {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** By its own word. */
  readonly tool: string;
  readonly callId: string;
  readonly origin: string;
  readonly method: string;
  readonly url: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Null while it lasts. */
  readonly durationMs: number | null;
  /** Null where there was no response. */
  readonly status: number | null;
  /** Why it failed or was refused; empty where it did not. */
  readonly fault: string;
}

const most = 1_000;

export class RequestLog {
  readonly #observers;
  #requests: readonly LoggedRequest[] = [];
  #numbers = 0;

  /** @param report told of what listeners throw */
  constructor(report: (thrown: unknown) => void) {
    this.#observers = createObservers<readonly LoggedRequest[]>(report);
  }

  /** Newest first. */
  list(): readonly LoggedRequest[] {
    return this.#requests;
  }

  observe(listener: (requests: readonly LoggedRequest[]) => void): () => void {
    return this.#observers.observe(listener);
  }

  /** @returns changes what is known of it */
  add(request: Omit<LoggedRequest, 'n'>): (known: Partial<LoggedRequest>) => void {
    const n = ++this.#numbers;
    this.#set([{ ...request, n }, ...this.#requests].slice(0, most));
    return (known) => {
      this.#set(this.#requests.map((one) => (one.n === n ? { ...one, ...known } : one)));
    };
  }

  clear(): void {
    this.#set([]);
  }

  #set(requests: readonly LoggedRequest[]): void {
    this.#requests = requests;
    this.#observers.emit(requests);
  }
}
