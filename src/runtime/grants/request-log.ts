/** The log of the latest requests that tools made or tried to make during this visit. */

import { Observable } from '../hooks/observe.ts';

export interface LoggedRequest {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Name of the tool that claims to have made it. Tools of one interpreter can pretend to be each other. */
  readonly tool: string;
  readonly callId: string;
  readonly origin: string;
  readonly method: string;
  readonly url: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Null while the request is running. */
  readonly durationMs: number | null;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Why it failed or was refused; empty if it succeeded. */
  readonly fault: string;
  /** Set if it was refused because its origin is not allowed. */
  readonly ungranted?: true;
}

const maxRequests = 1_000;

const noResponse = { sentBytes: 0, receivedBytes: 0, durationMs: null, status: null, fault: '' };

export class RequestLog extends Observable<readonly LoggedRequest[]> {
  #requests: readonly LoggedRequest[] = [];
  #lastN = 0;

  /** Returns the requests, newest first. */
  list(): readonly LoggedRequest[] {
    return this.#requests;
  }

  /** Adds a request that begins. @returns a function that updates its entry */
  add(
    request: Omit<LoggedRequest, 'n' | keyof typeof noResponse>,
  ): (known: Partial<LoggedRequest>) => void {
    const n = ++this.#lastN;
    this.#set([{ ...request, ...noResponse, n }, ...this.#requests].slice(0, maxRequests));
    return (known) => {
      this.#set(this.#requests.map((one) => (one.n === n ? { ...one, ...known } : one)));
    };
  }

  clear(): void {
    this.#set([]);
  }

  #set(requests: readonly LoggedRequest[]): void {
    this.#requests = requests;
    this.emit(requests);
  }
}
