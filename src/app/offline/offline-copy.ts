/** The copy of the app for offline use: when it is stored, replaced and deleted. Detects when the server has another build. */

import { buildOf, type InitWithoutRedirects, isDeployed } from '../../runtime/protocol/offline.ts';
import { errorText, hintOf } from '../../runtime/spec/error.ts';
import type { OfflineState } from '../../runtime/spec/offline.ts';
import type { BuildStore } from './build-store.ts';

export interface OfflineCopyDeps {
  /** The app's address, with a slash at the end. */
  readonly base: URL;
  readonly build: string;
  readonly store: Pick<
    BuildStore,
    'isComplete' | 'has' | 'store' | 'confirm' | 'dropOthers' | 'clear'
  >;
  readonly fetch: (url: string, init: InitWithoutRedirects) => Promise<Response>;
  /** Resolves to the reason that nothing can be stored, or to undefined. */
  readonly obstacle: Promise<string | undefined>;
  /** Resolves when storing does not delay anything that the user waits for. */
  readonly quiet: Promise<void>;
  /** The user's choice, stored between visits. */
  readonly choice: { declined: boolean };
  readonly now: () => number;
  readonly onState: (state: OfflineState) => void;
  /** Called with another build that is completely deployed on the server; null if the server has this page's build. */
  readonly onUpdate: (build: string | null) => void;
}

/** Limits how often returning to the page checks for updates. */
const minCheckIntervalMs = 60_000;
const checkTimeoutMs = 20_000;

export class OfflineCopy {
  readonly #deps: OfflineCopyDeps;
  #state: OfflineState = { at: 'unknown' };
  #storing = new AbortController();
  #checkedAt = -Infinity;
  /** A build that is known to be completely deployed. */
  #deployedBuild: string | undefined;

  constructor(deps: OfflineCopyDeps) {
    this.#deps = deps;
  }

  /** Call this once when the page opens. */
  async start(): Promise<void> {
    const { obstacle, choice, quiet, store } = this.#deps;
    const reason = await obstacle;
    if (reason !== undefined) this.#setState({ at: 'unavailable', reason });
    else if (await store.isComplete().catch(() => false)) this.#setState({ at: 'ready' });
    else if (choice.declined) this.#setState({ at: 'declined' });
    await quiet;
    if (this.#state.at === 'unknown') await this.#store();
    await this.look();
  }

  /** Checks for updates, unless that was done recently. */
  async lookAgain(): Promise<void> {
    if (this.#deps.now() - this.#checkedAt >= minCheckIntervalMs) await this.look();
  }

  /** Checks for updates. If the server has this build, also tidies up what is stored. */
  async look(): Promise<void> {
    const { now, build, onUpdate, store } = this.#deps;
    this.#checkedAt = now();
    const deployed = await this.#findDeployed();
    if (deployed === undefined) return;
    onUpdate(deployed === build ? null : deployed);
    if (deployed !== build) return;
    if (this.#state.at === 'failed') await this.#store();
    // A failure only wastes space.
    await store.dropOthers().catch(() => {});
    await store.confirm().catch(() => {});
  }

  /** Stores the files at the user's request. */
  async store(): Promise<void> {
    this.#deps.choice.declined = false;
    await this.#store();
  }

  /** Deletes the files, and stores none until the user asks for it. */
  async remove(): Promise<void> {
    this.#deps.choice.declined = true;
    this.#storing.abort();
    await this.#deps.store.clear();
    this.#setState({ at: 'declined' });
  }

  async #store(): Promise<void> {
    if (this.#state.at === 'storing' || this.#state.at === 'unavailable') return;
    const storing = (this.#storing = new AbortController());
    const { signal } = storing;
    this.#setState({ at: 'storing', done: 0, total: 0 });
    try {
      await this.#deps.store.store(signal, (done, total) => {
        if (!signal.aborted) this.#setState({ at: 'storing', done, total });
      });
      if (!signal.aborted) this.#setState({ at: 'ready' });
    } catch (thrown) {
      if (signal.aborted) return;
      const hint = hintOf(thrown) ?? 'Reload the page.';
      this.#setState({ at: 'failed', message: errorText(thrown), hint });
    } finally {
      // The worker's progress has its own channel, so that it can arrive after the worker's answer.
      storing.abort();
    }
  }

  /** Resolves to the build that is completely deployed on the server; undefined if there is none, or no answer. */
  async #findDeployed(): Promise<string | undefined> {
    const { base, build, fetch, store } = this.#deps;
    const signal = AbortSignal.timeout(checkTimeoutMs);
    const init = { cache: 'no-store', redirect: 'error', signal } as const;
    const response = await fetch(base.href, init).catch(() => null);
    if (response?.status !== 200) return undefined;
    const deployed = buildOf(await response.text().catch(() => ''));
    if (deployed === undefined || deployed === build || deployed === this.#deployedBuild)
      return deployed;
    const stored = (url: string): Promise<boolean> => store.has(url).catch(() => false);
    const whole = await isDeployed(signal, deployed, { base: base.href, stored, fetch });
    if (whole) this.#deployedBuild = deployed;
    return whole ? deployed : undefined;
  }

  #setState(state: OfflineState): void {
    this.#state = state;
    this.#deps.onState(state);
  }
}
