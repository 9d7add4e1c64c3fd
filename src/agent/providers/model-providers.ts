/** The model providers that the user has added: stores them with their keys, lists their models, and asks them. */

import type { AddedProvider, AddedProviders } from './added-providers.ts';
import { withDocuments, withFacts } from './model-facts.ts';
import { publisherOf, withPublished } from './published-models.ts';
import type { ModelAsker } from './model-asker.ts';
import type {
  StoredProvider,
  ProviderSecrets,
  ProviderStore,
  Diagnosis,
  ProviderConfig,
  ProviderDraft,
  ProviderPreset,
} from './provider-types.ts';
import { wait } from '../../runtime/async/wait.ts';
import { Observable } from '../../runtime/hooks/observe.ts';
import type { ProviderAccess } from '../../runtime/protocol/models.ts';
import type { Limits } from '../../runtime/spec/limits.ts';
import type { AskModel, ModelInfo, ModelRef } from '../../runtime/spec/model.ts';
import { defaultUrls } from './base-url.ts';
import { askBuiltIn, builtInInfo, type BuiltInModel } from './browser-model.ts';
import { readStoredProvider, readSecrets } from './stored-provider.ts';
import { presetsFor } from './presets.ts';
import {
  validateDraft,
  keepsSecrets,
  needsSecrets,
  noSecrets,
  withModelsByHand,
} from './provider-draft.ts';
import {
  changedInOtherTab,
  keyNotFound,
  modelNotFound,
  unknownProvider,
  unreadableSecrets,
} from './provider-faults.ts';
import { testModel } from './test-model.ts';

export interface ProviderDeps {
  readonly store: ProviderStore;
  readonly asker: Pick<ModelAsker, 'ask' | 'list' | 'pageOrigin'>;
  readonly limits: Pick<Limits, 'modelFirstMs' | 'models'>;
  readonly added: Pick<AddedProviders, 'list' | 'find' | 'observe'>;
  /** Null if this browser has no built-in model. */
  readonly builtIn: BuiltInModel | null;
  newId(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Receives errors of storage and of listeners. */
  report(thrown: unknown): void;
}

/** Time for which secrets that were read from storage are used; milliseconds. */
const readMs = 5_000;

const browser: ProviderConfig = {
  baseUrl: '',
  headers: [],
  byHand: [],
  listedAt: null,
  key: 'none',
  id: 'browser',
  kind: 'browser',
  name: 'This browser',
  models: [builtInInfo],
};

export class ModelProviders extends Observable<readonly ProviderConfig[]> {
  /** Resolves when the stored providers are loaded. Never rejects. */
  readonly loaded: Promise<void>;
  readonly presets: readonly ProviderPreset[];
  readonly #deps: ProviderDeps;
  #providers: readonly StoredProvider[] = [];
  /** Null after a change. */
  #list: readonly ProviderConfig[] | null = null;
  /** Secrets that are used until the page closes and never stored, and those that storage refused. */
  readonly #use = new Map<string, ProviderSecrets>();
  /** Secrets that were read from storage, until the time when they are read again. */
  readonly #read = new Map<
    string,
    { readonly secrets: ProviderSecrets | undefined; readonly until: number }
  >();
  /** Counts the changes that make running reads outdated. */
  #reads = 0;
  /** Ids of providers that storage refused. They exist until the page is closed. */
  readonly #unstored = new Set<string>();
  /** Counts changes of the list, to detect one that happens during a read. */
  #changes = 0;

  constructor(deps: ProviderDeps) {
    super((thrown) => deps.report(thrown));
    this.#deps = deps;
    this.presets = presetsFor(deps.asker.pageOrigin);
    deps.store.observe(() => {
      this.#forgetRead();
      void this.#load();
    });
    deps.added.observe(() => this.#notify());
    this.loaded = this.#load();
  }

  /** The providers in the order in which they were added, then those of extensions, the browser's own model, and `replay`. */
  list(): readonly ProviderConfig[] {
    return (this.#list ??= this.#allConfigs());
  }

  #allConfigs(): readonly ProviderConfig[] {
    const stored = this.#providers.map((provider) => configOf(provider, this.#deps.now()));
    const added = this.#deps.added.list().map(({ config }) => config);
    return [...stored, ...added, ...(this.#deps.builtIn === null ? [] : [browser])];
  }

  /** @throws {ToolError} `bad-input` if the address or another value is not valid */
  async add(draft: ProviderDraft): Promise<ProviderConfig> {
    const { provider, secrets } = validateDraft(draft, this.#deps.newId(), this.#deps.now(), null);
    await this.#put(provider, secrets, draft.keep);
    return configOf(provider, this.#deps.now());
  }

  async change(id: string, draft: ProviderDraft): Promise<void> {
    const provider = this.#find(id);
    if (provider === undefined) throw unknownProvider();
    const before = { provider, secrets: noSecrets(provider.baseUrl) };
    if (!this.#unstored.has(id) && keepsSecrets(draft, provider, this.#use.has(id))) {
      const next = validateDraft(draft, id, provider.addedAt, before).provider;
      if ((await this.#store({ ...next, key: provider.key }, undefined)) === 'gone')
        throw changedInOtherTab(provider);
      return;
    }
    if (needsSecrets(draft)) before.secrets = await this.#secretsToChange(provider);
    const next = validateDraft(draft, id, provider.addedAt, before);
    await this.#put(next.provider, next.secrets, draft.keep);
  }

  async remove(id: string): Promise<void> {
    this.#use.delete(id);
    this.#forgetRead();
    this.#unstored.delete(id);
    this.#set(this.#providers.filter((provider) => provider.id !== id));
    await this.#deps.store.remove(id);
  }

  /** Asks the model to say hello. Never rejects. */
  test(signal: AbortSignal, ref: ModelRef): Promise<Diagnosis> {
    return testModel(
      signal,
      () => this.ask(ref),
      () => performance.now(),
    );
  }

  /** Requests the provider's list of models. @throws {ModelError} */
  async sync(signal: AbortSignal, id: string): Promise<readonly ModelInfo[]> {
    const provider = this.#find(id);
    if (provider === undefined) return this.list().find((one) => one.id === id)?.models ?? [];
    const all = await this.#deps.asker.list(signal, await wait(signal, this.#access(provider)));
    const listed = all.map(({ id: model, ...info }): ModelInfo => ({
      ...info,
      ref: { provider: id, model },
    }));
    const now = this.#find(id);
    if (now === undefined) return listed;
    const byHand = now.byHand.filter((model) => !listed.some(({ ref }) => ref.model === model));
    const models = withModelsByHand(id, { models: listed, byHand: [] }, byHand);
    await this.#store({ ...now, models, byHand, listedAt: this.#deps.now() }, undefined);
    return models;
  }

  info({ provider, model }: ModelRef): ModelInfo | undefined {
    const config = this.list().find(({ id }) => id === provider);
    const info = config?.models.find(({ ref }) => ref.model === model);
    return info && config && withDocuments(info, config.kind);
  }

  /** The name of a provider, or its id if it is not known here. Ids have no meaning in other browsers. */
  nameOf(id: string): string {
    return this.list().find((provider) => provider.id === id)?.name ?? id;
  }

  idOf(name: string): string | undefined {
    return this.list().find((provider) => provider.name === name)?.id;
  }

  /** @throws {ModelError} `model` or `key` if the model cannot be asked at all */
  ask(ref: ModelRef): AskModel {
    const { builtIn, asker, limits } = this.#deps;
    if (ref.provider === browser.id && builtIn !== null)
      return askBuiltIn(builtIn, limits.modelFirstMs);
    const added = this.#deps.added.find(ref.provider);
    if (added !== undefined) return this.#askAdded(added, ref);
    const provider = this.#find(ref.provider);
    if (provider === undefined) throw modelNotFound(ref);
    if (provider.key === 'visit' && !this.#use.has(provider.id)) throw keyNotFound(provider);
    const getAccess = (): Promise<ProviderAccess> => this.#access(provider);
    return async function* (signal, request, onExchanges) {
      yield* asker.ask(signal, await wait(signal, getAccess()), ref, request, onExchanges);
    };
  }

  #askAdded({ reached }: AddedProvider, ref: ModelRef): AskModel {
    if (reached.by === 'code') return reached.ask(ref.model);
    const { access, life } = reached;
    const { asker } = this.#deps;
    return async function* (signal, request, onExchanges) {
      const either = AbortSignal.any([signal, life]);
      yield* asker.ask(either, await wait(either, access(either)), ref, request, onExchanges);
    };
  }

  async #access(provider: StoredProvider): Promise<ProviderAccess> {
    const { kind, name, baseUrl, headers } = provider;
    if (kind === 'browser' || kind === 'replay' || kind === 'extension') throw unknownProvider();
    const secrets = (await this.#secrets(provider)) ?? noSecrets(baseUrl);
    const without = headers.filter((header) => (secrets.headers[header] ?? '') === '');
    if ((provider.key !== 'none' && secrets.key === '') || without.length > 0)
      throw keyNotFound(provider);
    return {
      kind,
      name,
      key: secrets.key,
      baseUrl: baseUrl === '' ? defaultUrls[kind] : baseUrl,
      headers: headers.map((header) => [header, secrets.headers[header] ?? '']),
    };
  }

  /** Returns the secrets if they were entered for the provider's current address. */
  async #secrets({ id, baseUrl }: StoredProvider): Promise<ProviderSecrets | undefined> {
    try {
      const secrets = this.#use.get(id) ?? (await this.#readSecrets(id));
      return secrets?.baseUrl === baseUrl ? secrets : undefined;
    } catch (thrown) {
      this.#deps.report(thrown);
      return undefined;
    }
  }

  /** Reads stored secrets, or those that were read just now: a turn may ask a model many times in a second. */
  async #readSecrets(id: string): Promise<ProviderSecrets | undefined> {
    const known = this.#read.get(id);
    if (known !== undefined && this.#deps.now() < known.until) return known.secrets;
    const reads = this.#reads;
    const secrets = readSecrets(await this.#deps.store.secrets(id));
    // The secrets may have been changed during the read.
    if (reads === this.#reads) this.#read.set(id, { secrets, until: this.#deps.now() + readMs });
    return secrets;
  }

  #forgetRead(): void {
    this.#reads += 1;
    this.#read.clear();
  }

  /**
   * Returns the secrets that a change must preserve.
   *
   * @throws {ToolError} if they cannot be read, or another tab changed the address: saving would then lose them
   */
  async #secretsToChange(provider: StoredProvider): Promise<ProviderSecrets> {
    const { id, baseUrl, key, headers } = provider;
    const none = noSecrets(baseUrl);
    const visitSecrets = this.#use.get(id);
    if (visitSecrets !== undefined) return visitSecrets.baseUrl === baseUrl ? visitSecrets : none;
    if (key === 'none' && headers.length === 0) return none;
    const { store, limits } = this.#deps;
    const stored = await store.secrets(id).catch((thrown: unknown) => {
      this.#deps.report(thrown);
      throw unreadableSecrets(provider, thrown);
    });
    if (stored.provider === undefined && this.#unstored.has(id)) return none;
    if (readStoredProvider(stored.provider, limits.models)?.baseUrl !== baseUrl) {
      await this.#load();
      throw changedInOtherTab(provider);
    }
    const secrets = readSecrets(stored);
    return secrets?.baseUrl === baseUrl ? secrets : none;
  }

  async #put(
    provider: StoredProvider,
    secrets: ProviderSecrets,
    keep: ProviderDraft['keep'],
  ): Promise<void> {
    const none = secrets.key === '' && Object.keys(secrets.headers).length === 0;
    if (keep === 'visit' && !none) this.#use.set(provider.id, secrets);
    else this.#use.delete(provider.id);
    const stored = await this.#store(provider, keep === 'visit' || none ? null : secrets);
    // Storage failed: use the secrets until the page closes.
    if (stored === 'refused' && !none) this.#use.set(provider.id, secrets);
  }

  /**
   * Saves a provider. `refused`: storage failed, and the provider exists until the page closes. `gone`: another tab has
   * changed or removed the provider, so nothing was saved and the list was loaded again.
   */
  async #store(
    provider: StoredProvider,
    secrets: ProviderSecrets | null | undefined,
  ): Promise<'stored' | 'refused' | 'gone'> {
    const others = this.#providers.filter(({ id }) => id !== provider.id);
    this.#set([...others, provider]);
    try {
      const isStored = await this.#deps.store.put(provider, secrets);
      this.#forgetRead();
      if (!isStored) {
        await this.#load();
        return 'gone';
      }
      this.#unstored.delete(provider.id);
      return 'stored';
    } catch (thrown) {
      this.#unstored.add(provider.id);
      this.#deps.report(thrown);
      return 'refused';
    }
  }

  async #load(): Promise<void> {
    const before = this.#changes;
    try {
      const all = await this.#deps.store.list();
      // The result may be older than a change made by this page.
      if (before !== this.#changes) {
        await this.#load();
        return;
      }
      const read = all.map((value) => readStoredProvider(value, this.#deps.limits.models));
      const unstored = this.#providers.filter(({ id }) => this.#unstored.has(id));
      const kept = read.filter((provider) => provider !== undefined);
      this.#set([...kept.filter(({ id }) => !this.#unstored.has(id)), ...unstored]);
      // Another tab may have changed a provider's address, or removed the provider.
      for (const [id, { baseUrl }] of this.#use)
        if (this.#find(id)?.baseUrl !== baseUrl) this.#use.delete(id);
    } catch (thrown) {
      this.#deps.report(thrown);
    }
  }

  #set(kept: readonly StoredProvider[]): void {
    this.#changes += 1;
    this.#providers = kept.toSorted((a, b) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1));
    this.#notify();
  }

  #notify(): void {
    this.#list = null;
    this.emit(this.list());
  }

  #find(id: string): StoredProvider | undefined {
    return this.#providers.find((provider) => provider.id === id);
  }
}

/** The public members, which a fake can have too. */
export type Providers = Omit<ModelProviders, 'nameOf' | 'idOf'>;

/** The user's entries about models take precedence over the provider's, and those over the company's published ones. */
function configOf({ addedAt: _, ...config }: StoredProvider, now: number): ProviderConfig {
  const { models, facts = [] } = config;
  const publisher = publisherOf(config);
  const today = new Date(now).toISOString().slice(0, 10);
  const { name, read, sources } = publisher ?? { name: '', read: '', sources: [] };
  return {
    ...config,
    ...(publisher === null ? {} : { publisher: { name, read, sources } }),
    models: models.map((info) => withFacts(withPublished(info, publisher, today), facts)),
  };
}
