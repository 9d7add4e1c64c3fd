/** State of the form that adds or changes a provider. */

import type { Providers } from '../../../../agent/providers/model-providers.ts';
import type {
  ProviderConfig,
  ProviderDraft,
  ProviderPreset,
} from '../../../../agent/providers/provider-types.ts';
import { baseUrlOf } from '../../../../agent/providers/base-url.ts';
import {
  modelFactsText,
  readModelFacts,
  type ModelFacts,
} from '../../../../agent/providers/model-facts.ts';
import type { ProviderKind } from '../../../../runtime/spec/model.ts';
import { kindWords } from '../../parts/provider-words.ts';
import { faultOf, type Fault } from '../fault.ts';

/** Limit of published values that are offered for editing. */
const maxPublished = 100;

/** Why the provider was not saved. */
export interface FormFault extends Fault {
  /** The field at fault; absent if it is the form as a whole. */
  readonly at?: 'address';
}

export class ProviderForm {
  /** Id of the provider to change; empty for a new one. */
  readonly id: string;
  /** The key or other thing that the user must set up first; empty unless the form began with a preset. */
  readonly hint: string;
  readonly needsKey: boolean;
  readonly hasKey: boolean;
  kind: ProviderKind = $state('openai-compatible');
  name: string = $state('');
  baseUrl: string = $state('');
  key: string = $state('');
  /** Whether the stored key is to be removed. */
  forgetsKey: boolean = $state(false);
  /** Whether the key is stored, or held in memory for this visit only. */
  keep: 'kept' | 'visit' = $state('kept');
  headers: { name: string; value: string }[] = $state([]);
  /** Ids of models, one per line. */
  models: string = $state('');
  /** Facts about models in the format of {@link readModelFacts}. */
  facts: string = $state('');
  /** The stored endpoint and credentials, to which earlier tests and lists apply. */
  #before: ProviderConfig | null = null;
  /** The address that stored secrets belong to; null if there are none. */
  #keptFor: string | null = null;
  /** Names of headers with stored values. */
  #headersThere: readonly string[] = [];
  fault: FormFault | null = $state.raw(null);
  saving: boolean = $state(false);

  private constructor({
    id = '',
    hint = '',
    needsKey = false,
    hasKey = false,
  }: Partial<Pick<ProviderForm, 'id' | 'hint' | 'needsKey' | 'hasKey'>>) {
    this.id = id;
    this.hint = hint;
    this.needsKey = needsKey;
    this.hasKey = hasKey;
  }

  static begin(preset: ProviderPreset | null): ProviderForm {
    const form = new ProviderForm({
      hint: preset?.hint ?? '',
      needsKey: preset?.needsKey ?? false,
    });
    if (preset !== null) {
      form.kind = preset.kind;
      form.name = preset.name;
      form.baseUrl = preset.baseUrl;
    }
    return form;
  }

  static of(config: ProviderConfig): ProviderForm {
    const form = new ProviderForm({ id: config.id, hasKey: config.key !== 'none' });
    form.#before = config;
    form.kind = config.kind;
    form.name = config.name;
    form.baseUrl = config.baseUrl;
    form.keep = config.key === 'visit' ? 'visit' : 'kept';
    form.headers = config.headers.map((name) => ({ name, value: '' }));
    form.#headersThere = config.headers;
    form.models = config.byHand.join('\n');
    form.facts = modelFactsText(config.facts ?? []);
    if (form.hasKey || config.headers.length > 0) form.#keptFor = config.baseUrl;
    return form;
  }

  /** Whether an address is required, because the kind has no default. */
  get needsUrl(): boolean {
    return this.kind === 'openai-compatible';
  }

  /** Whether the address was changed, so that the stored key does not apply. */
  get movesKey(): boolean {
    return this.#keptFor !== null && this.#address !== this.#keptFor;
  }

  /** Whether the stored key will be sent to the current address. */
  get keepsKey(): boolean {
    return this.hasKey && !this.movesKey;
  }

  /**
   * Whether the endpoint or the credentials have changed, so that earlier tests and lists no longer
   * apply.
   */
  get needsNewTest(): boolean {
    const before = this.#before;
    if (this.kind !== before?.kind) return true;
    if (this.#address !== before.baseUrl || this.forgetsKey || this.key.trim() !== '') return true;
    const isTyped = this.headers.some(({ value }) => value.trim() !== '');
    return isTyped || this.headers.map(({ name }) => name.trim()).join() !== before.headers.join();
  }

  /** Whether the header keeps its stored value if the field is empty. */
  hasValueOf(header: string): boolean {
    const name = header.trim().toLowerCase();
    return !this.movesKey && this.#headersThere.some((there) => there.toLowerCase() === name);
  }

  /** The typed address in the form in which it is stored; unchanged if it is invalid. */
  get #address(): string {
    try {
      return baseUrlOf(this.kind, this.baseUrl);
    } catch {
      return this.baseUrl.trim();
    }
  }

  /** The company whose published prices apply; null if there is none. */
  get publisher(): NonNullable<ProviderConfig['publisher']> | null {
    const before = this.#before;
    return before?.kind === this.kind && before.baseUrl === this.#address
      ? (before.publisher ?? null)
      : null;
  }

  /** The published values of the provider's models, with what was typed for others; empty if there are none. */
  get published(): string {
    const models = this.#before?.models ?? [];
    const lines = models.flatMap(({ ref: { model }, price, context }): readonly ModelFacts[] =>
      price?.published === undefined ? [] : [{ model, price, context }],
    );
    if (lines.length === 0) return '';
    return [this.facts.trim(), modelFactsText(lines.slice(0, maxPublished))]
      .filter((text) => text !== '')
      .join('\n');
  }

  get takesUrl(): boolean {
    return this.kind !== 'browser' && this.kind !== 'replay' && this.kind !== 'extension';
  }

  get draft(): ProviderDraft {
    return {
      kind: this.kind,
      name: this.#chosenName || usualName(this.kind, this.baseUrl),
      baseUrl: this.baseUrl.trim(),
      headers: this.headers
        .map(({ name, value }) => [name.trim(), value.trim()] as const)
        .filter(([name]) => name !== ''),
      key: this.#draftKey,
      keep: this.keep,
      models: [...new Set(this.models.split(/[\n,]/).map((model) => model.trim()))].filter(Boolean),
      facts: readModelFacts(this.facts),
    };
  }

  /** The typed key; null to keep the stored one, empty for no key. */
  get #draftKey(): string | null {
    const key = this.key.trim();
    if (key !== '') return key;
    return this.hasKey && !this.forgetsKey ? null : '';
  }

  /** @returns the provider's id; null if it could not be saved, and then the fault says why */
  async save(providers: Pick<Providers, 'add' | 'change'>): Promise<string | null> {
    this.fault = this.#findMissing();
    if (this.fault !== null) return null;
    this.saving = true;
    try {
      if (this.id === '') return (await providers.add(this.draft)).id;
      await providers.change(this.id, this.draft);
      return this.id;
    } catch (thrown) {
      this.fault = faultOf(thrown);
      return null;
    } finally {
      this.saving = false;
      // The key is not shown again, so it is not held in memory.
      this.key = '';
    }
  }

  /** The name that the user has chosen; empty for a name that follows the address. */
  get #chosenName(): string {
    const name = this.name.trim();
    const before = this.#before;
    const isUsual = name === before?.name && name === usualName(before.kind, before.baseUrl);
    return isUsual ? '' : name;
  }

  #findMissing(): FormFault | null {
    const url = this.baseUrl.trim();
    if (this.needsUrl && url === '')
      return {
        message: 'Enter a base URL.',
        hint: 'For example http://localhost:11434/v1',
        at: 'address',
      };
    if (this.takesUrl && url !== '' && !/^https?:\/\/./i.test(url))
      return {
        message: 'The base URL must start with http:// or https://.',
        hint: '',
        at: 'address',
      };
    if (this.needsKey && !this.hasKey && this.key.trim() === '')
      return { message: 'Enter an API key: this provider requires one.', hint: '' };
    return null;
  }
}

/** The name of a provider that the user has not named. */
function usualName(kind: ProviderKind, baseUrl: string): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
  return host || (kind === 'replay' ? 'Replay' : kindWords[kind]);
}
