import { PatientTimers } from '../../../runtime/async/timers.ts';
import { CallLimits } from '../../../runtime/sandbox/call-limits.ts';
import type { McpFault } from '../../../runtime/protocol/mcp.ts';

/** Time after a cancelled call in which its server may end its stream itself; milliseconds. */
const closeMs = 1_000;

/** A running call, with its limits. The time that the user takes to answer the server's questions does not count. */
export class RunningCall {
  readonly id: number;
  readonly #limits: CallLimits;
  readonly #stop = new AbortController();
  readonly #stream = new AbortController();
  /** Why the call was ended before the server has answered it; null if it was not. */
  fault: McpFault | null = null;

  /** @param ms limits of the whole call, and of the server's silence; milliseconds */
  constructor(id: number, ms: { readonly idle: number; readonly total: number }) {
    this.id = id;
    this.#limits = new CallLimits(new PatientTimers(), ms.total, ms.idle, () => {
      this.fail({ cause: 'timeout', message: this.#limits.why ?? '', status: null });
    });
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
    this.#limits.progress();
  }

  /** Ends the call, which gets no answer any more. */
  fail(fault: McpFault): void {
    this.fault = fault;
    this.cancel();
  }

  async whileAsking<T>(answer: Promise<T>): Promise<T> {
    this.#limits.pause();
    try {
      return await answer;
    } finally {
      this.#limits.resume();
    }
  }

  cancel(): void {
    this.end();
    this.#stop.abort();
    setTimeout(() => this.#stream.abort(), closeMs);
  }

  end(): void {
    this.#limits.stop();
  }
}
