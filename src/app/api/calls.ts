/** Calls made over the API: running calls, what they stream, the callers that wait for them, and the latest results. */

import type { RejoinKey, ToolCall } from '../../runtime/spec/call.ts';
import type { Stream, ToolResult, LogLine, Update } from '../../runtime/spec/result.ts';

/** Limit in characters for ended results held in memory; older results are in the call log. */
const maxResultChars = 64 * 1024 * 1024;
const maxResults = 1_000;
const maxKeys = 10_000;
/** Limits for updates and log lines. A reader that falls further behind misses some; the gap shows in their numbers. */
const keptItems = 1_000;
const keptChars = 4 * 1024 * 1024;
const blockChars = 8_192;

/** A call and the callers that wait for its result. */
export class ApiCall {
  readonly id: string;
  /** Origin of the page that made the call; undefined for Cloche's own. */
  readonly site: string | undefined;
  readonly ended: Promise<ToolResult>;
  #feed: CallFeed;
  #result: ToolResult | undefined;
  readonly #stop = new AbortController();
  #waiting = 0;
  readonly #change = new Change();

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
      this.#change.signal();
    };
    this.ended = run(this.#stop.signal, onStream).then((result) => {
      this.#result = result;
      // The result contains everything that was streamed.
      this.#feed = new CallFeed(0);
      this.#change.signal();
      return result;
    });
  }

  /** The output that the call has streamed; empty once it has ended. */
  get feed(): CallFeed {
    return this.#feed;
  }

  /** Resolves when the call next streams something or ends. */
  get nextChange(): Promise<void> {
    return this.#change.next;
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
}

/** An event that can happen repeatedly; `next` waits for the next time. */
export class Change {
  #happens = (): void => {};
  #next = this.#wait();

  /** Resolves when it next happens. */
  get next(): Promise<void> {
    return this.#next;
  }

  signal(): void {
    const happens = this.#happens;
    this.#next = this.#wait();
    happens();
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => (this.#happens = resolve));
  }
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
  /** Sessions whose results have already reported that Python state was lost; `undefined` if none was. */
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

  /** Call this when another page hosted the API before: the Python state of its sessions was lost with it. */
  noteLostState(): void {
    this.#reported = new Set();
  }

  /** Returns whether the next result of a session must report the loss: true once for each session after a loss. */
  takeLossReport(session: string): boolean {
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

/** Buffers what a running call has streamed, within fixed limits, for any number of readers at different positions. */
export class CallFeed {
  readonly #updates = new LatestItems<Update>(({ json }) => json.length);
  readonly #log = new LatestItems<LogLine & { readonly n: number }>(
    ({ message, level }) => message.length + level.length,
  );
  readonly #stdout: GrowingText;
  readonly #stderr: GrowingText;
  #logLines = 0;
  #nextUpdate = 0;

  /**
   * @param outputChars limit in characters for each of stdout and stderr; text beyond it is dropped, as in the result
   */
  constructor(outputChars: number) {
    this.#stdout = new GrowingText(outputChars);
    this.#stderr = new GrowingText(outputChars);
  }

  take({ updates, out, err, log }: Stream): void {
    for (const update of updates) {
      this.#updates.add(update);
      this.#nextUpdate = update.n + 1;
    }
    for (const line of log) this.#log.add({ ...line, n: this.#logLines++ });
    this.#stdout.add(out);
    this.#stderr.add(err);
  }

  get position(): StreamPosition {
    return {
      updates: this.#nextUpdate,
      stdout: this.#stdout.length,
      stderr: this.#stderr.length,
      log: this.#logLines,
    };
  }

  /** Returns what was added after `from`, or `undefined` if nothing was. */
  since(from: StreamPosition): StreamRest | undefined {
    const rest = {
      updates: this.#updates.since((update) => update.n >= from.updates),
      stdout: this.#stdout.since(from.stdout),
      stderr: this.#stderr.since(from.stderr),
      log: this.#log.since((line) => line.n >= from.log),
    };
    return Object.values(rest).some(({ length }) => length > 0) ? rest : undefined;
  }
}

/** A buffer of the latest items, limited by count and by size. */
class LatestItems<T> {
  #items: T[] = [];
  #chars = 0;
  readonly #charsOf: (item: T) => number;

  constructor(charsOf: (item: T) => number) {
    this.#charsOf = charsOf;
  }

  add(item: T): void {
    this.#items.push(item);
    this.#chars += this.#charsOf(item);
    // The array is shortened only at twice the limit, because each shortening copies it.
    if (this.#items.length > 2 * keptItems || this.#chars > 2 * keptChars) this.#shorten();
  }

  /** Returns the items from the first new one to the last. */
  since(isNew: (item: T) => boolean): T[] {
    const after = this.#items.findLastIndex((item) => !isNew(item));
    return after === this.#items.length - 1 ? [] : this.#items.slice(after + 1);
  }

  #shorten(): void {
    let first = this.#items.length;
    let chars = 0;
    while (first > 0 && this.#items.length - first < keptItems) {
      const item = this.#items[first - 1] as T;
      if (chars > 0 && chars + this.#charsOf(item) > keptChars) break;
      chars += this.#charsOf(item);
      first -= 1;
    }
    this.#items = this.#items.slice(first);
    this.#chars = chars;
  }
}

/** Text that is only appended to, up to a limit. */
class GrowingText {
  readonly #blocks: { at: number; text: string }[] = [];
  readonly #limit: number;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  add(more: string): void {
    const text = more.slice(0, this.#limit - this.#length);
    if (text === '') return;
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.text.length + text.length <= blockChars) last.text += text;
    else this.#blocks.push({ at: this.#length, text });
    this.#length += text.length;
  }

  since(from: number): string {
    if (from >= this.#length) return '';
    const first = this.#blocks.findLastIndex(({ at }) => at <= from);
    const [block, ...later] = this.#blocks.slice(first);
    if (block === undefined) return '';
    return [block.text.slice(from - block.at), ...later.map(({ text }) => text)].join('');
  }
}

export interface StreamPosition {
  /** Number of the next update. */
  readonly updates: number;
  /** Position in characters, as is `stderr`. */
  readonly stdout: number;
  readonly stderr: number;
  /** Position in lines. */
  readonly log: number;
}

export const streamStart: StreamPosition = { updates: 0, stdout: 0, stderr: 0, log: 0 };

/** Stands for the position after everything, with the result. */
export const streamEnd = 'end';

/** The output that a call has streamed after a position. */
export interface StreamRest {
  readonly updates: readonly Update[];
  readonly stdout: string;
  readonly stderr: string;
  /** `n` is the line's number, from 0. */
  readonly log: readonly (LogLine & { readonly n: number })[];
}

export function positionId({ updates, stdout, stderr, log }: StreamPosition): string {
  return `${updates}-${stdout}-${stderr}-${log}`;
}

/** Returns the start if `id` is not a position. */
export function parsePosition(id: string | null): StreamPosition {
  const match = /^(\d{1,15})-(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(id ?? '');
  if (match === null) return streamStart;
  const [updates = 0, stdout = 0, stderr = 0, log = 0] = match.slice(1).map(Number);
  return { updates, stdout, stderr, log };
}

/** Returns the part of an ended call's result that follows a position. */
export function restOf(result: ToolResult, from: StreamPosition): StreamRest {
  return {
    updates: result.updates.filter(({ n }) => n >= from.updates),
    stdout: result.stdout.slice(from.stdout),
    stderr: result.stderr.slice(from.stderr),
    log: result.log.map((line, n) => ({ ...line, n })).slice(from.log),
  };
}
