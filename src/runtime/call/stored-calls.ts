/** Stores calls: while they run, in case their page closes, and when they have ended, without their longest texts. */

import type { BegunCall, LoggedCall } from '../spec/call.ts';
import type { ToolResult, ContentPart } from '../spec/result.ts';
import type { ApprovalState } from './call-path.ts';
import { failure } from './results.ts';

/** A running call, and the page in which it runs. */
export interface BegunIn extends BegunCall {
  readonly page: string;
}

export interface BegunStore {
  begin(begun: readonly BegunIn[]): Promise<void>;
  begun(): Promise<readonly BegunIn[]>;
}

/** The open pages of the app, including this one. */
export interface OpenPages {
  readonly own: string;
  /** Ids of the open pages. Waits until this page counts as open. */
  living(): Promise<ReadonlySet<string>>;
}

export interface RunningCallsDeps {
  readonly store: BegunStore;
  /** Null if pages cannot be told apart; then nothing is recorded. */
  readonly pages: OpenPages | null;
  forget(ids: readonly string[]): Promise<void>;
  after(ms: number, then: () => void): void;
  /** Receives errors of the store. */
  onFailure(thrown: unknown): void;
}

/** Milliseconds before a running call is recorded. Most calls end sooner. */
const slowMs = 500;
/** Approximate limit for one logged call, in characters. */
const maxChars = 1_000_000;
/** Approximate overhead of each list item, in characters. */
const itemChars = 50;

/**
 * Records running calls in a store, in case their page closes before they end. Another page then finds them
 * and logs them as crashed, since it is not known how they ended.
 */
export class RunningCalls {
  readonly #deps: RunningCallsDeps;
  readonly #calls = new Map<string, BegunCall>();
  /** The record of each call, by the call's id. */
  readonly #written = new Map<string, BegunCall>();
  #sweeping = false;

  constructor(deps: RunningCallsDeps) {
    this.#deps = deps;
  }

  /**
   * Adds a call that starts.
   *
   * @returns a promise if the call must not run before it is recorded, because it can be requested again by
   * its key; never rejects
   */
  begin(begun: BegunCall): Promise<void> | null {
    this.#calls.set(begun.id, begun);
    if (begun.call.rejoin) return this.#write([begun]);
    this.#sweepSoon();
    return null;
  }

  /**
   * Notes that a call waits for approval, or that approval was given. In the second case, a stored record of the waiting
   * call is replaced, or deleted if that fails. If both fail, the record stays wrong.
   *
   * @returns a promise if the call must not run before that is recorded; never rejects
   */
  approving(id: string, approval: ApprovalState): Promise<void> | null {
    const { unapproved: _, ...begun } = this.#calls.get(id) ?? {};
    if (!('call' in begun)) return null;
    if (approval === 'waiting') {
      this.#calls.set(id, { ...begun, unapproved: true });
      this.#sweepSoon();
      return null;
    }
    this.#calls.set(id, begun);
    return this.#written.get(id)?.unapproved === true ? this.#write([begun]) : null;
  }

  /** Removes an ended call. @returns whether it was recorded, so that the record must be deleted */
  end(id: string): boolean {
    this.#calls.delete(id);
    return this.#written.delete(id);
  }

  /** Returns calls of closed pages, as crashed. @throws errors of the store */
  async crashed(): Promise<LoggedCall[]> {
    const { store, pages } = this.#deps;
    if (pages === null) return [];
    const begun = await store.begun();
    if (begun.length === 0) return [];
    const living = await pages.living();
    return begun
      .filter(({ page }) => page !== pages.own && !living.has(page))
      .map(({ page: _, ...call }) => lostCall(call));
  }

  #sweepSoon(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#deps.after(slowMs, () => {
      this.#sweeping = false;
      const unwritten = [...this.#calls.values()].filter(({ id, unapproved }) => {
        const written = this.#written.get(id);
        return written === undefined || written.unapproved !== unapproved;
      });
      if (unwritten.length > 0) void this.#write(unwritten);
    });
  }

  async #write(calls: readonly BegunCall[]): Promise<void> {
    const { store, pages } = this.#deps;
    if (pages === null) return;
    const before = new Map<BegunCall, BegunCall | undefined>();
    try {
      // Until this page counts as open, other pages would take its calls for crashed.
      await pages.living();
      for (const { id } of calls) {
        const begun = this.#calls.get(id);
        if (begun === undefined) continue;
        before.set(begun, this.#written.get(id));
        // The call counts as recorded before the write, so that its record is deleted if it ends
        // meanwhile.
        this.#written.set(id, begun);
      }
      // The arguments are shortened as in the log.
      const begun = Array.from(before.keys(), (call) => ({
        ...call,
        call: shortenCall(lostCall(call)).call,
        page: pages.own,
      }));
      await store.begin(begun);
    } catch (thrown) {
      for (const [begun, earlier] of before) {
        if (this.#written.get(begun.id) !== begun) continue;
        if (earlier === undefined) this.#written.delete(begun.id);
        else this.#written.set(begun.id, earlier);
      }
      this.#deps.onFailure(thrown);
      await this.#forgetUnapproved(calls);
    }
  }

  /** Deletes the records of calls that were approved since: no record is better than a false one. */
  async #forgetUnapproved(calls: readonly BegunCall[]): Promise<void> {
    const outdated = calls.flatMap(({ id }) => {
      const written = this.#written.get(id);
      const now = this.#calls.get(id);
      return written?.unapproved && now && !now.unapproved ? [written] : [];
    });
    if (outdated.length === 0) return;
    try {
      await this.#deps.forget(outdated.map(({ id }) => id));
      for (const one of outdated)
        if (this.#written.get(one.id) === one) this.#written.delete(one.id);
    } catch (thrown) {
      this.#deps.onFailure(thrown);
    }
  }
}

/** Returns the result of a call whose page was closed. */
export function lostResult(tool: string): ToolResult {
  return failure(
    'crashed',
    `The page was closed or reloaded during the call to ${tool}. It is unknown how much of it ran.`,
    { stateLost: true },
  );
}

function lostCall({ unapproved, ...begun }: BegunCall): LoggedCall {
  const { tool } = begun.call;
  const notRun = `The page was closed or reloaded before the call to ${tool} was approved. It did not run.`;
  const result = unapproved ? failure('cancelled', notRun) : lostResult(tool);
  return { ...begun, result, cut: false };
}

/** Approximate number of characters of an entry: a measure of its size in memory and on disk. */
export function sizeOf({ call, result }: LoggedCall): number {
  const { textResultForLlm, stdout, stderr, metadata, traceback = '', error = '' } = result;
  const texts = [call.arguments, textResultForLlm, stdout, stderr, metadata, traceback, error];
  const items = [
    ...result.content.map((part) => ('text' in part ? part.text : part.data)),
    ...result.updates.map(({ json }) => json),
    ...result.log.map(({ message }) => message),
    ...(result.changes ?? []).map(({ before, after }) => before + after),
  ];
  return (
    500 +
    texts.reduce((sum, text) => sum + text.length, 0) +
    items.reduce((sum, text) => sum + text.length + itemChars, 0)
  );
}

/**
 * Returns the entry itself, or a shortened copy with `cut: true`. The space goes first to what users look at
 * first: arguments, error, the text for the model, output, the rest. Cut arguments are no longer valid JSON;
 * every other JSON text is complete or dropped.
 */
export function shortenCall(entry: LoggedCall): LoggedCall {
  if (sizeOf(entry) <= maxChars) return entry;
  const room = new Room(maxChars);
  const args = room.text(entry.call.arguments, 200_000);
  return {
    ...entry,
    cut: true,
    call: { ...entry.call, arguments: args },
    result: resultWithin(entry.result, room),
  };
}

/** The length to which a result's texts are cut, and the mark of a cut. */
interface Cutting {
  /** Minimum number of characters to keep of its texts: the text for the model, and text content. */
  readonly textChars: number;
  /** Returns the replacement for a text that was cut. */
  readonly mark: (cut: string, whole: string) => string;
}

const forLog: Cutting = { textChars: 0, mark: (cut) => cut };

/** Cuts a result to the log's limit, plus twice `textChars`. */
export function shortenResult(result: ToolResult, cutting: Cutting): ToolResult {
  return resultWithin(result, new Room(maxChars + 2 * cutting.textChars), cutting);
}

/** Evaluated from top to bottom: each field takes its share of the space that is left. */
function resultWithin(result: ToolResult, room: Room, cutting = forLog): ToolResult {
  const { error, traceback, textResultForLlm } = result;
  const max = Math.max(200_000, cutting.textChars);
  return {
    ...result,
    ...(error === undefined ? {} : { error: room.text(error, 10_000) }),
    ...(traceback === undefined ? {} : { traceback: room.text(traceback, 50_000) }),
    textResultForLlm: cutting.mark(room.text(textResultForLlm, max), textResultForLlm),
    stdout: room.text(result.stdout, 100_000),
    stderr: room.text(result.stderr, 100_000),
    metadata: room.take(result.metadata) ? result.metadata : '{}',
    content: result.content
      .map((part) => cutPart(part, room, cutting))
      .filter((part) => part !== undefined),
    log: result.log.filter(({ message }) => room.take(message)),
    updates: result.updates.filter(({ json }) => room.take(json)),
    ...(result.changes !== undefined && {
      changes: result.changes.filter(({ before, after }) => room.take(before + after)),
    }),
  };
}

/** Incomplete JSON and images would be invalid, so what is left of them is shown as text. */
function cutPart(
  part: ContentPart,
  room: Room,
  { textChars, mark }: Cutting,
): ContentPart | undefined {
  if ('text' in part) {
    if (room.take(part.text)) return part;
    const text = room.text(part.text, Math.max(100_000, textChars));
    return text === '' ? undefined : { type: 'text', text: mark(text, part.text) };
  }
  if (room.take(part.data)) return part;
  const text = room.text(`(${part.mediaType}, too large for the log)`, 1_000);
  return text === '' ? undefined : { type: 'text', text };
}

/** The number of characters that are left. */
class Room {
  #left: number;

  constructor(chars: number) {
    this.#left = chars;
  }

  /** Takes the space for a whole text. @returns false if there is not enough */
  take(text: string): boolean {
    if (text.length + itemChars > this.#left) return false;
    this.#left -= text.length + itemChars;
    return true;
  }

  /** Returns the start of a text, limited by `max` and by the space that is left. */
  text(text: string, max: number): string {
    const length = Math.max(0, Math.min(text.length, max, this.#left));
    this.#left -= length + itemChars;
    // Engines keep the whole string in memory behind a slice of it; a clone is independent.
    return length === text.length ? text : structuredClone(text.slice(0, length));
  }
}
