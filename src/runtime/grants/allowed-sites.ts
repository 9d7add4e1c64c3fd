/** The origins whose pages may call tools, and those that are blocked. The user decides, once for each origin. */

import { Observable } from '../hooks/observe.ts';
import { asFields, parseJson } from '../spec/guards.ts';
import type { Questions } from './questions.ts';
import { remember, recall } from '../spec/browser-storage.ts';

export interface AllowedSite {
  readonly origin: string;
  readonly allowed: boolean;
  /** False if the decision is forgotten when the page is closed. */
  readonly stored: boolean;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

export interface AllowedSitesDeps {
  /** Null if the browser refuses storage; decisions then last until the page is closed. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem'> | null;
  /** Base path of the app. */
  readonly base: string;
  readonly questions: Pick<Questions, 'ask'>;
  readonly now: () => number;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

/** Key of the decision that applies to all origins without their own decision. */
export const allOthers = '*';

/** Limit of stored decisions; the oldest are dropped. */
const maxStored = 200;
/** Time for which an origin is not asked for again after "Not now"; milliseconds. */
const restMs = 30_000;
const answerMs = 4 * 60_000;

/** Calls its listeners after each decision in this page. */
export class AllowedSites extends Observable<undefined> {
  readonly #deps: AllowedSitesDeps;
  readonly #key: string;
  readonly #ofVisit = new Map<string, AllowedSite>();
  /** Stored decisions that could not be written. */
  #unwritten: readonly AllowedSite[] | null = null;
  readonly #asking = new Map<string, Promise<boolean>>();
  /** When "Not now" was answered, by origin. */
  readonly #postponed = new Map<string, number>();

  constructor(deps: AllowedSitesDeps) {
    super(deps.report);
    this.#deps = deps;
    this.#key = `cloche:sites:${deps.base}`;
  }

  /** All decisions, by origin. Other tabs may have changed the stored ones. */
  list(): readonly AllowedSite[] {
    const all = new Map(this.#readStored().map((site) => [site.origin, site]));
    for (const site of this.#ofVisit.values()) all.set(site.origin, site);
    return [...all.values()].sort((one, other) => (one.origin < other.origin ? -1 : 1));
  }

  /**
   * Drops unwritten decisions and notifies listeners after another tab has changed the stored ones.
   */
  changedElsewhere(key: string | null): void {
    if (key !== this.#key && key !== null) return;
    this.#unwritten = null;
    this.emit(undefined);
  }

  isAllowed(origin: string): boolean {
    return this.#findDecision(origin)?.allowed === true;
  }

  /**
   * Asks the user, unless the origin has been decided. Resolves with whether it is allowed. Requests of one origin share a
   * question, which stays open when one of them is aborted. Never rejects.
   */
  async ask(signal: AbortSignal, origin: string): Promise<boolean> {
    const decided = this.#findDecision(origin);
    if (decided !== undefined) return decided.allowed;
    const { now } = this.#deps;
    // @mutant other sites: after “Not now”, the user is not asked again for a while => without || now() -
    //   (this.#postponed.get(origin) ?? -Infinity) < restMs
    if (signal.aborted || now() - (this.#postponed.get(origin) ?? -Infinity) < restMs) return false;
    const asking = this.#asking.get(origin) ?? this.#askUser(origin);
    this.#asking.set(origin, asking);
    return asking;
  }

  /** Removes the decision about an origin: it will be asked for again. */
  revoke(origin: string): void {
    this.#ofVisit.delete(origin);
    this.#write(this.#readStored().filter((site) => site.origin !== origin));
    this.emit(undefined);
  }

  async #askUser(origin: string): Promise<boolean> {
    const { questions, now } = this.#deps;
    try {
      const answered = await questions.ask(
        // A page that asks and goes away cannot open and close the question at will.
        new AbortController().signal,
        { kind: 'site', origin, tool: '', file: '', callId: `site ${origin}`, caller: 'http' },
        answerMs,
      );
      const { reply } = answered;
      const allowed = reply === 'always' || reply === 'visit';
      const decided = { origin, allowed, since: now() };
      if (reply === 'visit') this.#ofVisit.set(origin, { ...decided, stored: false });
      else if (allowed || reply === 'never') {
        const others = this.#readStored().filter((site) => site.origin !== origin);
        this.#write([...others, { ...decided, stored: true }]);
      } else this.#postponed.set(origin, now());
      // @mutant other sites stay blocked => answered.ofAll === true -> false
      if (reply === 'never' && answered.ofAll === true) this.#blockOthers();
      this.emit(undefined);
      return allowed;
    } finally {
      this.#asking.delete(origin);
    }
  }

  /** Blocks all other origins without asking, until the user removes this decision. */
  #blockOthers(): void {
    const others = this.#readStored().filter((site) => site.origin !== allOthers);
    const since = this.#deps.now();
    this.#write([...others, { origin: allOthers, allowed: false, since, stored: true }]);
  }

  #findDecision(origin: string): AllowedSite | undefined {
    const stored = this.#readStored();
    const siteNamed = (name: string): AllowedSite | undefined =>
      stored.find((site) => site.origin === name);
    return this.#ofVisit.get(origin) ?? siteNamed(origin) ?? siteNamed(allOthers);
  }

  #readStored(): readonly AllowedSite[] {
    if (this.#unwritten !== null) return this.#unwritten;
    const stored = parseJson(recall(this.#deps.memory, this.#key));
    return Array.isArray(stored) ? stored.flatMap(siteIn) : [];
  }

  #write(sites: readonly AllowedSite[]): void {
    const kept = sites.slice(-maxStored);
    const facts = kept.map(({ origin, allowed, since }) => ({ origin, allowed, since }));
    // If the list cannot be stored, it lasts until the page is closed.
    const isStored = remember(this.#deps.memory, this.#key, JSON.stringify(facts));
    this.#unwritten = isStored ? null : kept;
  }
}

function siteIn(value: unknown): AllowedSite[] {
  const { origin, allowed, since } = asFields(value);
  return typeof origin === 'string' && typeof allowed === 'boolean' && typeof since === 'number'
    ? [{ origin, allowed: allowed && origin !== allOthers, since, stored: true }]
    : [];
}
