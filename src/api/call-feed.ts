/** Buffers what a running call has streamed, within fixed limits, for any number of readers at different positions. */

import type { LogLine, Stream, Update, ToolResult } from '../spec/result.ts';

/** Limits for updates and log lines. A reader that falls further behind misses some; the gap shows in their numbers. */
const keptItems = 1_000;
const keptChars = 4 * 1024 * 1024;

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
    // Only at twice the limit: each shortening copies the array.
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

const blockChars = 8_192;

export interface StreamPosition {
  /** Number of the next update. */
  readonly updates: number;
  /** In characters, as is `stderr`. */
  readonly stdout: number;
  readonly stderr: number;
  /** In lines. */
  readonly log: number;
}

export const streamStart: StreamPosition = { updates: 0, stdout: 0, stderr: 0, log: 0 };

/** The id of a stream's final event. */
export const streamEnd = 'end';

/** What a call has streamed after a position. */
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
