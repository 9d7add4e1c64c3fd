/** Calls made over the API: running calls, the callers that wait for them, and the latest results. */

import type { RejoinKey, ToolCall } from '../spec/call.ts';
import type { Stream, ToolResult } from '../spec/result.ts';
import { CallFeed } from './call-feed.ts';

/** Limit in characters for ended results held in memory; older results are in the call log. */
const maxResultChars = 64 * 1024 * 1024;
const maxResults = 1_000;
const maxKeys = 10_000;

/** One call and the callers that wait for its result. */
export class ApiCall {
  readonly id: string;
  /** Origin of the page that made the call; undefined for Cloche's own. */
  readonly site: string | undefined;
  readonly ended: Promise<ToolResult>;
  #feed: CallFeed;
  #result: ToolResult | undefined;
  readonly #stop = new AbortController();
  #waiting = 0;
  #change = settleable();

  /** @param outputChars limit in characters for each of stdout and stderr while the call runs */
  constructor(
    { id, site }: Pick<ToolCall, 'id' | 'site'>,
    outputChars: number,
    run: (signal: AbortSignal, onStream: (stream: Stream) => void) => Promise<ToolResult>,
  ) {
    this.id = id;
    this.site = site;
    this.#feed = new CallFeed(outputChars);
    const onStream = (stream: Stream): void => {
      this.#feed.take(stream);
      this.#signalChange();
    };
    this.ended = run(this.#stop.signal, onStream).then((result) => {
      this.#result = result;
      // The result contains everything that was streamed.
      this.#feed = new CallFeed(0);
      this.#signalChange();
      return result;
    });
  }

  /** What the call has streamed; empty once it has ended. */
  get feed(): CallFeed {
    return this.#feed;
  }

  /** Resolves when the call next streams something or ends. */
  get nextChange(): Promise<void> {
    return this.#change.promise;
  }

  get result(): ToolResult | undefined {
    return this.#result;
  }

  /**
   * Registers a caller that waits for the result. The caller leaves with the returned function: `served` if it has its
   * answer, `gone` if it disconnected. When the last caller leaves as `gone`, the call is cancelled. Later uses have no
   * effect.
   */
  join(): (why: 'served' | 'gone') => void {
    this.#waiting += 1;
    let waiting = true;
    return (why) => {
      if (!waiting) return;
      waiting = false;
      this.#waiting -= 1;
      if (why === 'gone' && this.#waiting === 0) this.#stop.abort();
    };
  }

  #signalChange(): void {
    const { settle } = this.#change;
    this.#change = settleable();
    settle();
  }
}

function settleable(): { promise: Promise<void>; settle: () => void } {
  let settle = (): void => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle: () => settle() };
}

/** The call behind an `Idempotency-Key`. */
export interface KeyedCall {
  readonly callId: string;
  /** Identifies the request; a different request must not use the same key. */
  readonly fingerprint: string;
}

/** All API calls of one page, by call id and by `Idempotency-Key`. */
export class ApiCalls {
  readonly #calls = new Map<string, ApiCall>();
  readonly #ended = new Map<string, number>();
  readonly #byKey = new Map<string, KeyedCall>();
  #chars = 0;
  /** Sessions already informed that their Python state was lost; `undefined` if no state was lost. */
  #reported: Set<string> | undefined;

  /** Returns `undefined` if the call is unknown or its result no longer in memory. */
  find(id: string): ApiCall | undefined {
    return this.#calls.get(id);
  }

  keyed(key: string): KeyedCall | undefined {
    return this.#byKey.get(key);
  }

  /** @param rejoin key and fingerprint by which later requests find the call */
  add(call: ApiCall, rejoin?: RejoinKey): void {
    this.#calls.set(call.id, call);
    if (rejoin !== undefined)
      this.#addKey(rejoin.key, { callId: call.id, fingerprint: rejoin.fingerprint });
    void call.ended.then((result) => this.#storeEnded(call.id, size(result)));
  }

  /** Call this when the API was hosted by another page before; Python's state was lost with it. */
  stateWasLost(): void {
    this.#reported = new Set();
  }

  /** Returns true once for each session after its state was lost. */
  tellsOfLostState(session: string): boolean {
    if (this.#reported === undefined || this.#reported.has(session)) return false;
    this.#reported.add(session);
    return true;
  }

  #addKey(key: string, keyed: KeyedCall): void {
    this.#byKey.set(key, keyed);
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > maxKeys && oldest !== undefined) this.#byKey.delete(oldest);
  }

  #storeEnded(id: string, chars: number): void {
    this.#ended.set(id, chars);
    this.#chars += chars;
    for (const [oldest, oldestChars] of this.#ended) {
      const fits = this.#chars <= maxResultChars && this.#ended.size <= maxResults;
      if (fits || oldest === id) return;
      this.#ended.delete(oldest);
      this.#calls.delete(oldest);
      this.#chars -= oldestChars;
    }
  }
}

function size(result: ToolResult): number {
  let chars = result.textResultForLlm.length + result.stdout.length + result.stderr.length;
  for (const part of result.content) chars += 'text' in part ? part.text.length : part.data.length;
  for (const update of result.updates) chars += update.json.length;
  return chars;
}
