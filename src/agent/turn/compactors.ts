/**
 * The compactors: each replaces older messages by shorter ones. The one that was registered last is used. After repeated
 * failures, a session is not compacted for a while.
 */

import type {
  ModelMessage,
  ModelPart,
  ModelRef,
  ModelRequest,
  Usage,
} from '../../runtime/spec/model.ts';

/** The input of a compactor. */
export interface CompactionInput {
  readonly session: string;
  readonly model: ModelRef;
  /** The messages to replace. Later messages stay as they are. */
  readonly messages: readonly ModelMessage[];
  /** Sends a request to the session's model. @throws {ModelError}; the signal's reason */
  readonly ask: (request: ModelRequest) => Promise<readonly ModelPart[]>;
  /** Counts the tokens of an answer that is not used. */
  readonly countUsage: (usage: Usage) => void;
}

export interface CompactionResult {
  /** Summary for the user, and for the model unless there are {@link messages}. */
  readonly summary: string;
  /** Messages for the model in place of the older ones. */
  readonly messages?: readonly ModelMessage[];
  readonly usage: Usage;
}

export interface Compactor {
  readonly name: string;
  /**
   * Size of the context from which the compactor is used, in tokens; 0 for a share of the model's
   * context.
   */
  readonly threshold: number;
  /** The file of its extension; empty for Cloche's own. */
  readonly from: string;
  /** @throws {ToolError | ModelError}; the signal's reason */
  readonly compact: (signal: AbortSignal, asked: CompactionInput) => Promise<CompactionResult>;
}

interface Entry {
  readonly compactor: Compactor;
  /** The circuit breaker, which all sessions share. */
  readonly breaker: CompactionBreaker;
}

export class Compactors {
  #entries: readonly Entry[] = [];

  /** @returns dispose */
  register(compactor: Compactor): () => void {
    const entry = { compactor, breaker: new CompactionBreaker() };
    // Cloche's own compactor is loaded with the first session, which may be after an extension.
    this.#entries = compactor.from === '' ? [entry, ...this.#entries] : [...this.#entries, entry];
    return () => {
      this.#entries = this.#entries.filter((other) => other !== entry);
    };
  }

  /** Tokens from which the context is compacted, whatever the model's context is; Infinity if there is no such number. */
  get threshold(): number {
    const threshold = this.#entries.at(-1)?.compactor.threshold ?? 0;
    return threshold > 0 ? threshold : Infinity;
  }

  /**
   * Compacts with the last compactor. If it fails, or has failed three times in a row before, the first one is used,
   * which is Cloche's own.
   *
   * @param report receives the failure of a compactor for which another one is used
   * @throws {ToolError | ModelError} the last failure; the signal's reason
   */
  async compact(
    signal: AbortSignal,
    asked: CompactionInput,
    now: () => number,
    report: (thrown: unknown) => void,
  ): Promise<CompactionResult & Pick<Compactor, 'from'>> {
    const entries = new Set([...this.#entries.slice(-1), ...this.#entries.slice(0, 1)]);
    let failed: unknown = new Error('There is no compactor.');
    for (const { compactor, breaker } of entries) {
      const isLast = compactor === this.#entries[0]?.compactor;
      if (!isLast && breaker.isOff(now())) continue;
      try {
        const compacted = await compactor.compact(signal, asked);
        breaker.succeeded();
        breaker.counted(now(), { isFull: false });
        return { ...compacted, from: compactor.from };
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        breaker.failed(now());
        failed = thrown;
        if (!isLast) report(thrown);
      }
    }
    throw failed;
  }
}

/** Turns compaction off for ten minutes after three failures in a row, since each attempt costs a request. */
const maxFailures = 3;
const cooldownMs = 10 * 60_000;

export class CompactionBreaker {
  #failures = 0;
  #offUntil = 0;
  /** A summary was made, and the provider has not yet counted the shorter context. */
  #isUnproven = false;

  isOff(now: number): boolean {
    return now < this.#offUntil;
  }

  /** Records that a summary was made. */
  succeeded(): void {
    this.#isUnproven = true;
  }

  /**
   * Judges the latest summary by the provider's next token count.
   *
   * @param options.isFull whether the context is still too long
   */
  counted(now: number, { isFull }: { isFull: boolean }): void {
    if (!this.#isUnproven) return;
    this.#isUnproven = false;
    if (isFull) this.failed(now);
    else this.#failures = 0;
  }

  /** Records that no summary was made, or that it was too long. */
  failed(now: number): void {
    this.#failures += 1;
    if (this.#failures < maxFailures) return;
    this.#failures = 0;
    this.#offUntil = now + cooldownMs;
  }
}
