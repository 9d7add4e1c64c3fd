/** The model providers that the person has added, and what is asked of them. */

import { withFacts } from '../agent/model-facts.ts';
import type { ModelAsker } from '../agent/model-asker.ts';
import type { KeptProvider, ProviderSecrets, ProviderStore } from '../agent/provider-store.ts';
import type { Diagnosis, ProviderConfig, ProviderDraft, Providers } from '../agent/providers.ts';
import { ToolError } from '../spec/error.ts';
import type { ProviderAccess } from '../protocol/models.ts';
import type { Limits } from '../spec/limits.ts';
import { ModelError } from '../spec/model-error.ts';
import type { AskModel, ModelInfo, ModelRef } from '../spec/model.ts';
import { usualUrls } from './base-url.ts';
import { askBuiltIn, builtInInfo, type BuiltInModel } from './browser-model.ts';
import { readKept, readSecrets } from './kept-provider.ts';
import { presetsFor } from './presets.ts';
import { drafted, noSecrets, withByHand } from './provider-draft.ts';
import { sayHello } from './say-hello.ts';

export interface ProviderEffects {
  readonly store: ProviderStore;
  readonly asker: ModelAsker;
  readonly limits: Pick<Limits, 'modelFirstMs' | 'models'>;
  /** Null where this browser has none. */
  readonly builtIn: BuiltInModel | null;
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Told of what storage failed with. */
  report(thrown: unknown): void;
}

const bare = { baseUrl: '', headers: [], byHand: [], listedAt: null, key: 'none' } as const;
const replay: ProviderConfig = {
  ...bare,
  id: 'replay',
  kind: 'replay',
  name: 'Recordings',
  models: [],
};
const browser: ProviderConfig = {
  ...bare,
  ...{ id: 'browser', kind: 'browser', name: 'This browser', models: [builtInInfo] },
};

export class ModelProviders implements Providers {
  readonly loaded: Promise<void>;
  readonly presets: Providers['presets'];
  readonly #effects: ProviderEffects;
  #kept: readonly KeptProvider[] = [];
  /** Those of this visit, which no storage ever sees, and those that storage refused. */
  readonly #visit = new Map<string, ProviderSecrets>();
  /** Providers that storage refused: they are there until the page is closed. */
  readonly #unkept = new Set<string>();
  readonly #listeners = new Set<(providers: readonly ProviderConfig[]) => void>();
  readonly #unfollow: () => void;
  /** Counts what this page has changed. */
  #changes = 0;

  constructor(effects: ProviderEffects) {
    this.#effects = effects;
    this.presets = presetsFor(effects.asker.pageOrigin);
    this.#unfollow = effects.store.observe(() => void this.#load());
    this.loaded = this.#load();
  }

  /** Follows other pages no more. */
  close(): void {
    this.#unfollow();
    this.#listeners.clear();
    this.#visit.clear();
  }

  list(): readonly ProviderConfig[] {
    const own = this.#kept.map(configOf);
    return [...own, ...(this.#effects.builtIn === null ? [] : [browser]), replay];
  }

  observe(listener: (providers: readonly ProviderConfig[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async add(draft: ProviderDraft): Promise<ProviderConfig> {
    const { provider, secrets } = drafted(draft, this.#effects.newId(), this.#effects.now(), null);
    await this.#put(provider, secrets, draft.keep);
    return configOf(provider);
  }

  async change(id: string, draft: ProviderDraft): Promise<void> {
    const provider = this.#find(id);
    if (provider === undefined) throw unknownProvider();
    const secrets = (await this.#secrets(provider)) ?? noSecrets(provider.baseUrl);
    const next = drafted(draft, id, provider.addedAt, { provider, secrets });
    await this.#put(next.provider, next.secrets, draft.keep);
  }

  async remove(id: string): Promise<void> {
    this.#visit.delete(id);
    this.#unkept.delete(id);
    this.#set(this.#kept.filter((provider) => provider.id !== id));
    await this.#effects.store.remove(id);
  }

  test(signal: AbortSignal, ref: ModelRef): Promise<Diagnosis> {
    return sayHello(
      signal,
      () => this.ask(ref),
      () => performance.now(),
    );
  }

  async sync(signal: AbortSignal, id: string): Promise<readonly ModelInfo[]> {
    const provider = this.#find(id);
    if (provider === undefined) return this.list().find((one) => one.id === id)?.models ?? [];
    const all = await this.#effects.asker.list(signal, await this.#access(provider));
    const listed = all.map(({ id: model, ...info }): ModelInfo => ({
      ...info,
      ref: { provider: id, model },
    }));
    const now = this.#find(id);
    if (now === undefined) return listed;
    const byHand = now.byHand.filter((model) => !listed.some(({ ref }) => ref.model === model));
    const models = withByHand(id, { models: listed, byHand: [] }, byHand);
    await this.#store({ ...now, models, byHand, listedAt: this.#effects.now() }, undefined);
    return models;
  }

  info({ provider, model }: ModelRef): ModelInfo | undefined {
    const config = this.list().find(({ id }) => id === provider);
    return config?.models.find(({ ref }) => ref.model === model);
  }

  ask(ref: ModelRef): AskModel {
    const { builtIn, asker, limits } = this.#effects;
    if (ref.provider === browser.id && builtIn !== null)
      return askBuiltIn(builtIn, limits.modelFirstMs);
    const provider = this.#find(ref.provider);
    if (provider === undefined) throw notThere(ref);
    if (provider.key === 'visit' && !this.#visit.has(provider.id)) throw keyIsGone(provider);
    const access = (): Promise<ProviderAccess> => this.#access(provider);
    return async function* (signal, request) {
      yield* asker.ask(signal, await access(), ref, request);
    };
  }

  async #access(provider: KeptProvider): Promise<ProviderAccess> {
    const { kind, name, baseUrl, headers } = provider;
    if (kind === 'browser' || kind === 'replay') throw unknownProvider();
    const secrets = (await this.#secrets(provider)) ?? noSecrets(baseUrl);
    const without = headers.filter((header) => (secrets.headers[header] ?? '') === '');
    if ((provider.key !== 'none' && secrets.key === '') || without.length > 0)
      throw keyIsGone(provider);
    return {
      ...{ kind, name, key: secrets.key },
      baseUrl: baseUrl === '' ? usualUrls[kind] : baseUrl,
      headers: headers.map((header) => [header, secrets.headers[header] ?? '']),
    };
  }

  /** Those of the address that `provider` has, which it may not have any more. */
  async #secrets({ id, baseUrl }: KeptProvider): Promise<ProviderSecrets | undefined> {
    try {
      const secrets = this.#visit.get(id) ?? readSecrets(await this.#effects.store.secrets(id));
      return secrets?.baseUrl === baseUrl ? secrets : undefined;
    } catch (thrown) {
      this.#effects.report(thrown);
      return undefined;
    }
  }

  async #put(
    provider: KeptProvider,
    secrets: ProviderSecrets,
    keep: ProviderDraft['keep'],
  ): Promise<void> {
    const none = secrets.key === '' && Object.keys(secrets.headers).length === 0;
    if (keep === 'visit' && !none) this.#visit.set(provider.id, secrets);
    else this.#visit.delete(provider.id);
    const stored = await this.#store(provider, keep === 'visit' || none ? null : secrets);
    // Then it holds for this visit, as everything does where nothing is kept.
    if (!stored && !none) this.#visit.set(provider.id, secrets);
  }

  /** False where storage refused: it is there all the same, until the page is closed. */
  async #store(
    provider: KeptProvider,
    secrets: ProviderSecrets | null | undefined,
  ): Promise<boolean> {
    const others = this.#kept.filter(({ id }) => id !== provider.id);
    this.#set([...others, provider]);
    try {
      await this.#effects.store.put(provider, secrets);
      this.#unkept.delete(provider.id);
      return true;
    } catch (thrown) {
      this.#unkept.add(provider.id);
      this.#effects.report(thrown);
      return false;
    }
  }

  async #load(): Promise<void> {
    const before = this.#changes;
    try {
      const all = await this.#effects.store.list();
      // What was read may be from before a change of this page.
      if (before !== this.#changes) {
        await this.#load();
        return;
      }
      const read = all.map((value) => readKept(value, this.#effects.limits.models));
      const unkept = this.#kept.filter(({ id }) => this.#unkept.has(id));
      const kept = read.filter((provider) => provider !== undefined);
      this.#set([...kept.filter(({ id }) => !this.#unkept.has(id)), ...unkept]);
      // Another page may have given a provider another address, or have removed it.
      for (const [id, { baseUrl }] of this.#visit)
        if (this.#find(id)?.baseUrl !== baseUrl) this.#visit.delete(id);
    } catch (thrown) {
      this.#effects.report(thrown);
    }
  }

  #set(kept: readonly KeptProvider[]): void {
    this.#changes += 1;
    this.#kept = kept.toSorted((a, b) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1));
    for (const listener of [...this.#listeners]) {
      try {
        listener(this.list());
      } catch (thrown) {
        this.#effects.report(thrown);
      }
    }
  }

  #find(id: string): KeptProvider | undefined {
    return this.#kept.find((provider) => provider.id === id);
  }
}

function configOf({ addedAt: _, ...config }: KeptProvider): ProviderConfig {
  const { models, facts = [] } = config;
  return { ...config, models: models.map((info) => withFacts(info, facts)) };
}

function unknownProvider(): ToolError {
  return new ToolError(
    'not-found',
    'There is no such provider that could be changed.',
    'It may have been removed in another tab.',
  );
}

function notThere({ provider }: ModelRef): ModelError {
  if (provider === replay.id)
    return new ModelError(
      'model',
      'Recordings answer only in the sessions that play them.',
      'Open a recording, or choose a model.',
    );
  return new ModelError(
    'model',
    provider === browser.id
      ? 'This browser has no model of its own.'
      : 'The provider of this model is not there any more.',
    'Choose another model.',
  );
}

function keyIsGone({ name, key }: ProviderConfig): ModelError {
  return new ModelError(
    'key',
    key === 'kept'
      ? `What was kept as the key of ${name} cannot be read, or is for another address.`
      : `The key of ${name}, or a header of it, was kept for one visit only.`,
    'Enter it anew in the settings of this provider.',
  );
}
