/** Available models by provider, with the test results of this visit. */

import type { Providers } from '../../../../agent/providers/model-providers.ts';
import type { Diagnosis, ProviderConfig } from '../../../../agent/providers/provider-types.ts';
import { withDocuments } from '../../../../agent/providers/model-facts.ts';
import type { ModelInfo, ModelRef } from '../../../../runtime/spec/model.ts';
import { replayProvider } from '../../../../runtime/spec/recording.ts';
import { Observed } from '../../parts/observed.ts';
import { faultOf, type Fault } from '../fault.ts';

/** A running test of a provider, or its result. */
export type Trial =
  | { readonly at: 'testing'; readonly model: string; readonly since: number }
  | { readonly at: 'tested'; readonly model: string; readonly diagnosis: Diagnosis }
  | { readonly at: 'listing'; readonly since: number }
  | { readonly at: 'listed'; readonly count: number }
  | { readonly at: 'failed'; readonly fault: Fault };

export interface ModelGroup {
  readonly provider: ProviderConfig;
  readonly models: readonly ModelInfo[];
}

export class Models {
  /** The providers; null until the code that asks models has loaded. */
  providers: Providers | null = $state.raw(null);
  #list: Observed<readonly ProviderConfig[]> = $state.raw(new Observed(() => []));
  loaded: boolean = $state(false);
  #trials: ReadonlyMap<string, Trial> = $state.raw(new Map());
  readonly #aborts = new Map<string, AbortController>();

  connect(providers: Providers): void {
    this.providers = providers;
    this.#list = new Observed(() => providers.list(), providers);
    void providers.loaded.then(() => {
      this.#list.refresh();
      this.loaded = true;
    });
  }

  get list(): readonly ProviderConfig[] {
    return this.#list.current;
  }

  /** Whether the user has added a provider. */
  get any(): boolean {
    return this.list.some(
      ({ kind, from }) => kind !== 'replay' && kind !== 'browser' && from === undefined,
    );
  }

  info(ref: ModelRef | null): ModelInfo | undefined {
    if (ref === null) return undefined;
    const provider = this.list.find(({ id }) => id === ref.provider);
    const info = provider?.models.find(({ ref: { model } }) => model === ref.model);
    return provider && info && withDocuments(info, provider.kind);
  }

  /** Name of a model for the user; the id if the model is not listed any more. */
  label(ref: ModelRef): string {
    // A session that plays a recording is named after it.
    if (ref.provider === replayProvider) return 'Recording';
    return this.info(ref)?.label ?? ref.model;
  }

  /** Models whose label, id or provider contains every word. */
  groups(query: string): readonly ModelGroup[] {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return this.list
      .map((provider) => ({
        provider,
        models: provider.models.filter(({ label, ref }) => {
          const text = `${label}\n${ref.model}\n${provider.name}`.toLowerCase();
          return words.every((word) => text.includes(word));
        }),
      }))
      .filter(({ models }) => models.length > 0);
  }

  trial(provider: string): Trial | undefined {
    return this.#trials.get(provider);
  }

  /** Tests a model with a short prompt. Never rejects. */
  async test(ref: ModelRef): Promise<Trial | undefined> {
    const providers = this.providers;
    if (providers === null) return undefined;
    const signal = this.#begin(ref.provider, {
      at: 'testing',
      model: ref.model,
      since: Date.now(),
    });
    const diagnosis = await providers.test(signal, ref);
    if (!signal.aborted) this.#show(ref.provider, { at: 'tested', model: ref.model, diagnosis });
    return this.trial(ref.provider);
  }

  /** Lists the models of a provider again. Never rejects. */
  async sync(id: string): Promise<void> {
    const providers = this.providers;
    if (providers === null) return;
    const signal = this.#begin(id, { at: 'listing', since: Date.now() });
    try {
      const { length: count } = await providers.sync(signal, id);
      if (!signal.aborted) this.#show(id, { at: 'listed', count });
    } catch (thrown) {
      if (!signal.aborted) this.#show(id, { at: 'failed', fault: faultOf(thrown) });
    }
  }

  stop(id: string): void {
    this.#aborts.get(id)?.abort();
    this.#show(id, undefined);
  }

  async remove(id: string): Promise<void> {
    this.stop(id);
    await this.providers?.remove(id);
  }

  #begin(id: string, trial: Trial): AbortSignal {
    this.#aborts.get(id)?.abort();
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    this.#show(id, trial);
    return abort.signal;
  }

  #show(id: string, trial: Trial | undefined): void {
    const next = new Map(this.#trials);
    if (trial === undefined) next.delete(id);
    else next.set(id, trial);
    this.#trials = next;
  }
}
