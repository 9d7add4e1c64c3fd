/** The calls that came in over the API: the running ones, who waits for them, and the latest results. */

import type { RejoinKey } from '../spec/call.ts';
import type { Stream, ToolResult } from '../spec/result.ts';
import { CallFeed } from './call-feed.ts';

/** Characters of ended results kept at hand; older ones are in the call log. */
const keptChars = 64 * 1024 * 1024;
const keptCalls = 1_000;
const keptKeys = 10_000;

/** One call and those who wait for its end. */
export class ApiCall {
  readonly id: string;
  readonly ended: Promise<ToolResult>;
  #feed: CallFeed;
  #result: ToolResult | undefined;
  readonly #stop = new AbortController();
  #waiting = 0;
  #news = settleable();

  /** @param outputChars of each output kept while it runs */
  constructor(
    id: string,
    outputChars: number,
    run: (signal: AbortSignal, onStream: (stream: Stream) => void) => Promise<ToolResult>,
  ) {
    this.id = id;
    this.#feed = new CallFeed(outputChars);
    const onStream = (stream: Stream): void => {
      this.#feed.take(stream);
      this.#tellNews();
    };
    this.ended = run(this.#stop.signal, onStream).then((result) => {
      this.#result = result;
      // The result has it all.
      this.#feed = new CallFeed(0);
      this.#tellNews();
      return result;
    });
  }

  /** What it has streamed, while it runs. */
  get feed(): CallFeed {
    return this.#feed;
  }

  /** Resolves when it streams more, or ends. */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  get result(): ToolResult | undefined {
    return this.#result;
  }

  /** Someone waits for the end, until what this gives is called: `gone` does not want it any more; when nobody does, the call ends. */
  join(): (why: 'served' | 'gone') => void {
    this.#waiting += 1;
    let waits = true;
    return (why) => {
      if (!waits) return;
      waits = false;
      this.#waiting -= 1;
      if (why === 'gone' && this.#waiting === 0) this.#stop.abort();
    };
  }

  #tellNews(): void {
    const { settle } = this.#news;
    this.#news = settleable();
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

/** What a caller's key stands for. */
export interface KeyedCall {
  readonly callId: string;
  /** Of the request; another request must not use the same key. */
  readonly fingerprint: string;
}

/** All calls of one page, found by their id or by the key that the caller gave them. */
export class ApiCalls {
  readonly #calls = new Map<string, ApiCall>();
  readonly #ended = new Map<string, number>();
  readonly #byKey = new Map<string, KeyedCall>();
  #chars = 0;
  /** Sessions that know that their Python state was lost; `undefined` where none was. */
  #reported: Set<string> | undefined;

  /** `undefined` where the call is not known here (any more). */
  find(id: string): ApiCall | undefined {
    return this.#calls.get(id);
  }

  /** The call that was made under this key. */
  keyed(key: string): KeyedCall | undefined {
    return this.#byKey.get(key);
  }

  /** `rejoin`: what later requests find it by. */
  add(call: ApiCall, rejoin?: RejoinKey): void {
    this.#calls.set(call.id, call);
    if (rejoin !== undefined)
      this.#addKey(rejoin.key, { callId: call.id, fingerprint: rejoin.fingerprint });
    void call.ended.then((result) => this.#keep(call.id, size(result)));
  }

  /** Another page hosted the API before. */
  stateWasLost(): void {
    this.#reported = new Set();
  }

  /** Once for each session after its state was lost. */
  tellsOfLostState(session: string): boolean {
    if (this.#reported === undefined || this.#reported.has(session)) return false;
    this.#reported.add(session);
    return true;
  }

  #addKey(key: string, keyed: KeyedCall): void {
    this.#byKey.set(key, keyed);
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > keptKeys && oldest !== undefined) this.#byKey.delete(oldest);
  }

  #keep(id: string, chars: number): void {
    this.#ended.set(id, chars);
    this.#chars += chars;
    for (const [oldest, itsChars] of this.#ended) {
      const fits = this.#chars <= keptChars && this.#ended.size <= keptCalls;
      if (fits || oldest === id) return;
      this.#ended.delete(oldest);
      this.#calls.delete(oldest);
      this.#chars -= itsChars;
    }
  }
}

function size(result: ToolResult): number {
  let chars = result.textResultForLlm.length + result.stdout.length + result.stderr.length;
  for (const part of result.content) chars += 'text' in part ? part.text.length : part.data.length;
  for (const update of result.updates) chars += update.json.length;
  return chars;
}
