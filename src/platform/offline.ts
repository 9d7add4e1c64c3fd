/** Keeps the page openable offline, and learns when the server has another build than the page's. */

import { isDeployed } from '../protocol/deployed.ts';
import { buildOf } from '../protocol/offline.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { OfflineState } from '../spec/offline.ts';
import type { BuildStore } from './build-store.ts';

export interface OfflineDeps {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly build: string;
  readonly store: Pick<
    BuildStore,
    'isComplete' | 'has' | 'store' | 'confirm' | 'dropOthers' | 'clear'
  >;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Why nothing can be stored here; resolves when that is known. */
  readonly obstacle: Promise<string | undefined>;
  /** Resolves when storing takes nothing away from what the person waits for. */
  readonly quiet: Promise<void>;
  /** What the person chose, kept between visits. */
  readonly choice: { declined: boolean };
  readonly now: () => number;
  readonly onState: (state: OfflineState) => void;
  /** The server has this other build, whole; null: it has none but the page's own. */
  readonly onUpdate: (build: string | null) => void;
}

/** Coming back to the page many times in a minute asks once. */
const leastBetweenLooksMs = 60_000;
const lookMs = 20_000;

export class Offline {
  readonly #deps: OfflineDeps;
  #state: OfflineState = { at: 'unknown' };
  #storing = new AbortController();
  #lookedAt = -Infinity;
  /** A build that the server is known to have whole. */
  #proven: string | undefined;

  constructor(deps: OfflineDeps) {
    this.#deps = deps;
  }

  /** What is to be done at the start of a visit. */
  async start(): Promise<void> {
    const { obstacle, choice, quiet, store } = this.#deps;
    const reason = await obstacle;
    if (reason !== undefined) this.#become({ at: 'unavailable', reason });
    else if (await store.isComplete().catch(() => false)) this.#become({ at: 'ready' });
    else if (choice.declined) this.#become({ at: 'declined' });
    await quiet;
    if (this.#state.at === 'unknown') await this.#store();
    await this.look();
  }

  /** Asks the server which build it has, if that was not asked just now. */
  async lookAgain(): Promise<void> {
    if (this.#deps.now() - this.#lookedAt >= leastBetweenLooksMs) await this.look();
  }

  async look(): Promise<void> {
    const { now, build, onUpdate, store } = this.#deps;
    this.#lookedAt = now();
    const served = await this.#served();
    if (served === undefined) return;
    onUpdate(served === build ? null : served);
    if (served !== build) return;
    if (this.#state.at === 'failed') await this.#store();
    // A failure here costs nothing but space.
    await store.dropOthers().catch(() => {});
    await store.confirm().catch(() => {});
  }

  /** Stores the files because the person wants it so. */
  async store(): Promise<void> {
    this.#deps.choice.declined = false;
    await this.#store();
  }

  /** Removes them, and stores none until the person wants it so. */
  async remove(): Promise<void> {
    this.#deps.choice.declined = true;
    this.#storing.abort();
    await this.#deps.store.clear();
    this.#become({ at: 'declined' });
  }

  async #store(): Promise<void> {
    if (this.#state.at === 'storing' || this.#state.at === 'unavailable') return;
    const { signal } = (this.#storing = new AbortController());
    this.#become({ at: 'storing', done: 0, total: 0 });
    try {
      await this.#deps.store.store(signal, (done, total) => {
        if (!signal.aborted) this.#become({ at: 'storing', done, total });
      });
      if (!signal.aborted) this.#become({ at: 'ready' });
    } catch (thrown) {
      if (signal.aborted) return;
      const hint = (thrown instanceof ToolError ? thrown.hint : undefined) ?? 'Reload the page.';
      this.#become({ at: 'failed', message: errorText(thrown), hint });
    }
  }

  /** The build that the server has whole; `undefined` where there is none, or no answer. */
  async #served(): Promise<string | undefined> {
    const { base, build, fetch, store } = this.#deps;
    const signal = AbortSignal.timeout(lookMs);
    const init = { cache: 'no-store', redirect: 'error', signal } as const;
    const response = await fetch(base.href, init).catch(() => null);
    if (response?.status !== 200) return undefined;
    const served = buildOf(await response.text().catch(() => ''));
    if (served === undefined || served === build || served === this.#proven) return served;
    const stored = (url: string): Promise<boolean> => store.has(url).catch(() => false);
    const whole = await isDeployed(signal, served, { base: base.href, stored, fetch });
    if (whole) this.#proven = served;
    return whole ? served : undefined;
  }

  #become(state: OfflineState): void {
    this.#state = state;
    this.#deps.onState(state);
  }
}
