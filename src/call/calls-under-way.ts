/**
 * Calls under way, written down for the case that their page goes before they end. Nobody can tell then how they ended:
 * another page finds them, and logs them as crashed.
 */

import type { BegunCall, LoggedCall } from '../spec/call.ts';
import type { ToolResult } from '../spec/result.ts';
import { cutCall } from './cut-call.ts';
import { failure } from './results.ts';

/** A call under way, and the page that it is under way in. */
export interface BegunIn extends BegunCall {
  readonly page: string;
}

/** Where they are written down. */
export interface BegunStore {
  begin(begun: readonly BegunIn[]): Promise<void>;
  begun(): Promise<readonly BegunIn[]>;
}

/** This page among all that are open. */
export interface OpenPages {
  readonly own: string;
  /** Those that live, this one among them as soon as it can be told from those that are gone. */
  living(): Promise<ReadonlySet<string>>;
}

export interface CallsUnderWayDeps {
  readonly store: BegunStore;
  /** Null where pages cannot be told apart: then nothing is written down. */
  readonly pages: OpenPages | null;
  after(ms: number, then: () => void): void;
  /** Told what the store rejects with. */
  onFailure(thrown: unknown): void;
}

/** Most calls are over by then, and are written once. */
const slowMs = 500;

export class CallsUnderWay {
  readonly #deps: CallsUnderWayDeps;
  readonly #calls = new Map<string, BegunCall>();
  readonly #written = new Set<string>();
  #sweeping = false;

  constructor(deps: CallsUnderWayDeps) {
    this.#deps = deps;
  }

  /**
   * Takes a call that begins.
   *
   * @returns when it is written down, where it must not run before: it can be asked for again by its key. Never rejects
   */
  begin(begun: BegunCall): Promise<void> | null {
    this.#calls.set(begun.id, begun);
    if (begun.call.rejoin) return this.#write([begun]);
    this.#sweepSoon();
    return null;
  }

  /** @returns whether it was written down, and that is to be taken back */
  end(id: string): boolean {
    this.#calls.delete(id);
    return this.#written.delete(id);
  }

  /** Calls of pages that are gone, as crashed. @throws what the store rejects with */
  async crashed(): Promise<LoggedCall[]> {
    const { store, pages } = this.#deps;
    if (pages === null) return [];
    const begun = await store.begun();
    if (begun.length === 0) return [];
    const living = await pages.living();
    return begun
      .filter(({ page }) => page !== pages.own && !living.has(page))
      .map(({ page: _, ...call }) => crashed(call));
  }

  #sweepSoon(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#deps.after(slowMs, () => {
      this.#sweeping = false;
      const unwritten = [...this.#calls.values()].filter(({ id }) => !this.#written.has(id));
      if (unwritten.length > 0) void this.#write(unwritten);
    });
  }

  async #write(calls: readonly BegunCall[]): Promise<void> {
    const { store, pages } = this.#deps;
    if (pages === null) return;
    try {
      // Before a page can be told from one that is gone, what it writes would be taken for crashed.
      await pages.living();
      const begun = calls.filter(({ id }) => this.#calls.has(id));
      for (const { id } of begun) this.#written.add(id);
      await store.begin(begun.map((call) => ({ ...short(call), page: pages.own })));
    } catch (thrown) {
      this.#deps.onFailure(thrown);
    }
  }
}

/** The result of a call whose page has gone. */
export function lostResult(tool: string): ToolResult {
  return failure(
    'crashed',
    `The page was closed or reloaded during the call of ${tool}. It is unknown how much of it ran.`,
    { stateLost: true },
  );
}

function crashed(begun: BegunCall): LoggedCall {
  return { ...begun, result: lostResult(begun.call.tool), cut: false };
}

/** With arguments as the log would keep them. */
function short(begun: BegunCall): BegunCall {
  const { call } = cutCall(crashed(begun));
  return { ...begun, call };
}
