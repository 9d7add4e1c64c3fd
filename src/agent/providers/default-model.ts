/** The model of new sessions and plans: the one that was used last, otherwise the first that the user has added. */

import type { Sessions } from '../session/sessions.ts';
import type { ModelRef } from '../../runtime/spec/model.ts';
import type { Providers } from './model-providers.ts';

export class DefaultModel {
  /** Resolves when the stored sessions and providers are known. Never rejects. */
  readonly loaded: Promise<void>;
  readonly #sessions: Pick<Sessions, 'list'>;
  readonly #providers: Pick<Providers, 'list' | 'observe'>;
  #isLoaded = false;

  constructor(
    sessions: Pick<Sessions, 'list' | 'loaded'>,
    providers: Pick<Providers, 'list' | 'observe' | 'loaded'>,
  ) {
    this.#sessions = sessions;
    this.#providers = providers;
    this.loaded = Promise.all([sessions.loaded, providers.loaded]).then(() => {
      this.#isLoaded = true;
    });
  }

  /** Null before {@link loaded}, and if the user must choose a model. */
  get current(): ModelRef | null {
    if (!this.#isLoaded) return null;
    const real = this.#providers.list().filter(({ kind }) => kind !== 'replay');
    const there = new Set(real.map(({ id }) => id));
    const used = this.#sessions
      .list()
      .find(({ model, run }) => run === undefined && model !== null && there.has(model.provider));
    // The browser's own model calls no tools and may download gigabytes, and that of an extension is for the user to
    // choose, so neither is ever the default.
    const usual = real.filter(({ kind, from }) => kind !== 'browser' && from === undefined);
    const listed = usual.flatMap(({ models }) => models);
    return used?.model ?? listed[0]?.ref ?? null;
  }

  /** @returns dispose */
  observe(listener: () => void): () => void {
    void this.loaded.then(listener);
    return this.#providers.observe(listener);
  }
}
