import type { McpFault } from '../../../runtime/protocol/mcp.ts';

/** Time after a cancelled call in which its server may end its stream itself; milliseconds. */
const closeMs = 1_000;

/** A call that runs. Its server may be silent only for a time, in which the time that the user takes to answer does not count. */
export class RunningCall {
  readonly id: number;
  readonly #idleMs: number;
  readonly #stop = new AbortController();
  readonly #stream = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = 0;
  /** Why the call was ended before the server has answered it; null if it was not. */
  fault: McpFault | null = null;

  constructor(id: number, idleMs: number) {
    this.id = id;
    this.#idleMs = idleMs;
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts when the stream of the call's answer is closed, since a server may ignore that it was cancelled. */
  get streamSignal(): AbortSignal {
    return this.#stream.signal;
  }

  /** Notes that the server has said something. */
  heard(): void {
    clearTimeout(this.#timer);
    if (this.#asking > 0) return;
    this.#timer = setTimeout(() => {
      this.fail({ cause: 'timeout', message: 'The server sent nothing in time.', status: null });
    }, this.#idleMs);
  }

  /** Ends the call, which gets no answer any more. */
  fail(fault: McpFault): void {
    this.fault = fault;
    this.cancel();
  }

  async whileAsking<T>(answer: Promise<T>): Promise<T> {
    this.#asking += 1;
    clearTimeout(this.#timer);
    try {
      return await answer;
    } finally {
      this.#asking -= 1;
      if (!this.signal.aborted) this.heard();
    }
  }

  cancel(): void {
    this.end();
    this.#stop.abort();
    setTimeout(() => this.#stream.abort(), closeMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
