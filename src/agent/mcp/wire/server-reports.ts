/** Collects what a server reports until the page asks for it, so that a flood stays in the worker. */

import type {
  LogReport,
  ProgressReport,
  RefreshedSignIn,
  ServerAsk,
  ServerReport,
} from '../../../runtime/protocol/mcp.ts';
import type { LogLine } from '../../../runtime/spec/result.ts';

/** Shortest time between two answers; milliseconds. */
const paceMs = 50;
/** Limit of the lines that a call logs between two answers. */
const maxLines = 100;
/** Limit of the problems between two answers, and of the characters of one. */
const maxProblems = 50;
const maxProblem = 500;

export class Reports {
  readonly #silentMs: number;
  readonly #progress = new Map<number, ProgressReport>();
  readonly #logs = new Map<number, LogReport>();
  #asks: ServerAsk[] = [];
  readonly #problems = new Set<string>();
  readonly #resources = new Set<string>();
  /** Refreshes of sign-ins, by the state after the latest one. */
  readonly #refreshed = new Map<string, RefreshedSignIn>();
  #toolsChanged = false;
  #offersChanged = false;
  #closed = false;
  #wake: (() => void) | null = null;
  #answeredAt = -paceMs;

  /** @param silentMs after this time without a report, {@link next} resolves with nothing */
  constructor(silentMs: number) {
    this.#silentMs = silentMs;
  }

  progress(call: number, reported: object): void {
    const before = this.#progress.get(call);
    const dropped = before === undefined ? 0 : before.dropped + 1;
    this.#progress.set(call, { call, json: JSON.stringify(reported), dropped });
    this.#wake?.();
  }

  log(call: number, line: LogLine): void {
    const { lines, dropped } = this.#logs.get(call) ?? { lines: [], dropped: 0 };
    // @mutant what a server logs is bounded => never [src/agent/mcp/servers.test.ts]
    if (lines.length >= maxLines) this.#logs.set(call, { call, lines, dropped: dropped + 1 });
    else this.#logs.set(call, { call, lines: [...lines, line], dropped });
    this.#wake?.();
  }

  ask(ask: ServerAsk): void {
    this.#asks.push(ask);
    this.#wake?.();
  }

  problem(text: string): void {
    // @mutant the reported breaches of a server are bounded => never [src/agent/mcp/servers.test.ts]
    if (this.#problems.size >= maxProblems) return;
    this.#problems.add(text.slice(0, maxProblem));
    this.#wake?.();
  }

  /** @param uri of one of the few resources that are followed */
  resourceChanged(uri: string): void {
    this.#resources.add(uri);
    this.#wake?.();
  }

  /** Removes and returns the last, unsent reports of a call that has ended. */
  take(call: number): { readonly progress: ProgressReport | null; readonly log: LogReport | null } {
    const progress = this.#progress.get(call) ?? null;
    const log = this.#logs.get(call) ?? null;
    this.#progress.delete(call);
    this.#logs.delete(call);
    return { progress, log };
  }

  /** Refreshes of one sign-in are reported as one. */
  refreshed({ before, signedIn }: RefreshedSignIn): void {
    const first = this.#refreshed.get(before)?.before ?? before;
    this.#refreshed.delete(before);
    this.#refreshed.set(signedIn.state, { before: first, signedIn });
    this.#wake?.();
  }

  toolsChanged(): void {
    this.#toolsChanged = true;
    this.#wake?.();
  }

  offersChanged(): void {
    this.#offersChanged = true;
    this.#wake?.();
  }

  /** Reports that the connection may have ended. */
  closed(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Removes and returns what has been reported since the last answer; waits for a report if there is none. */
  async next(): Promise<ServerReport> {
    if (this.#isEmpty()) await this.#reported();
    const wait = this.#answeredAt + paceMs - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    this.#answeredAt = performance.now();
    const report = {
      progress: [...this.#progress.values()],
      logs: [...this.#logs.values()],
      asks: this.#asks,
      problems: [...this.#problems],
      refreshed: [...this.#refreshed.values()],
      toolsChanged: this.#toolsChanged,
      offersChanged: this.#offersChanged,
      changedResources: [...this.#resources],
      closed: this.#closed,
    };
    this.#progress.clear();
    this.#logs.clear();
    this.#asks = [];
    this.#problems.clear();
    this.#resources.clear();
    this.#refreshed.clear();
    this.#toolsChanged = false;
    this.#offersChanged = false;
    this.#closed = false;
    return report;
  }

  #isEmpty(): boolean {
    const pending = this.#progress.size + this.#logs.size + this.#asks.length;
    const reported = this.#problems.size + this.#resources.size + this.#refreshed.size;
    const isChanged = this.#toolsChanged || this.#offersChanged || this.#closed;
    return pending + reported === 0 && !isChanged;
  }

  #reported(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#silentMs);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
    });
  }
}
