/** State of the form that adds or changes a provider. */

import type {
  ProviderConfig,
  ProviderDraft,
  ProviderPreset,
  Providers,
} from '../../../agent/providers.ts';
import { baseUrlOf } from '../../../agent/base-url.ts';
import { modelFactsText, readModelFacts } from '../../../agent/model-facts.ts';
import type { ProviderKind } from '../../../spec/model.ts';
import { faultOf, type Fault } from '../fault.ts';

/** Those that the user can add. */
export const kindWords: Readonly<Record<Exclude<ProviderKind, 'replay'>, string>> = {
  'openai-compatible': 'OpenAI-compatible',
  'openai-responses': 'OpenAI (responses)',
  'openai-chat': 'OpenAI (chat completions)',
  anthropic: 'Anthropic',
  google: 'Google',
  browser: 'Built into this browser',
};

/** Why it was not kept. */
export interface FormFault extends Fault {
  /** The field that it stands at; absent: the form. */
  readonly at?: 'address';
}

export class ProviderForm {
  /** Of the provider that is changed; empty for a new one. */
  readonly id: string;
  /** What must be done there first. */
  readonly hint: string;
  readonly needsKey: boolean;
  /** There is a key already. */
  readonly hasKey: boolean;
  kind: ProviderKind = $state('openai-compatible');
  name: string = $state('');
  baseUrl: string = $state('');
  key: string = $state('');
  /** The key that is there is to be forgotten. */
  forgetsKey: boolean = $state(false);
  keep: 'kept' | 'visit' = $state('kept');
  headers: { name: string; value: string }[] = $state([]);
  /** One a line. */
  models: string = $state('');
  /** As {@link readModelFacts} reads them. */
  facts: string = $state('');
  /** As they are: what was found out about the provider holds for these. */
  #before: ProviderConfig | null = null;
  /** Which address secrets that are there were typed for; null: there are none. */
  #keptFor: string | null = null;
  /** Names of headers whose values are there. */
  #headersThere: readonly string[] = [];
  #fault: FormFault | null = $state.raw(null);
  #saving: boolean = $state(false);

  private constructor(id: string, hint: string, needsKey: boolean, hasKey: boolean) {
    this.id = id;
    this.hint = hint;
    this.needsKey = needsKey;
    this.hasKey = hasKey;
  }

  static begin(preset: ProviderPreset | null): ProviderForm {
    const form = new ProviderForm('', preset?.hint ?? '', preset?.needsKey ?? false, false);
    if (preset !== null) {
      form.kind = preset.kind;
      form.name = preset.name;
      form.baseUrl = preset.baseUrl;
    }
    return form;
  }

  static of(config: ProviderConfig): ProviderForm {
    const form = new ProviderForm(config.id, '', false, config.key !== 'none');
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

  get fault(): FormFault | null {
    return this.#fault;
  }

  get saving(): boolean {
    return this.#saving;
  }

  /** The kind has no default address. */
  get needsUrl(): boolean {
    return this.kind === 'openai-compatible';
  }

  /** The address has become another one, whose key this is not. */
  get movesKey(): boolean {
    return this.#keptFor !== null && this.#address !== this.#keptFor;
  }

  /** The key that is there goes to the address that is typed. */
  get keepsKey(): boolean {
    return this.hasKey && !this.movesKey;
  }

  /** The endpoint or the credentials have changed, so earlier lists and tests no longer hold. */
  get asksAnew(): boolean {
    const before = this.#before;
    if (this.kind !== before?.kind) return true;
    if (this.#address !== before.baseUrl || this.forgetsKey || this.key.trim() !== '') return true;
    const isTyped = this.headers.some(({ value }) => value.trim() !== '');
    return isTyped || this.headers.map(({ name }) => name.trim()).join() !== before.headers.join();
  }

  /** Left empty, the header keeps the value that is there. */
  hasValueOf(header: string): boolean {
    const name = header.trim().toLowerCase();
    return !this.movesKey && this.#headersThere.some((there) => there.toLowerCase() === name);
  }

  /** What is typed, as it would be kept; where it is no address, as it is. */
  get #address(): string {
    try {
      return baseUrlOf(this.kind, this.baseUrl);
    } catch {
      return this.baseUrl.trim();
    }
  }

  get takesUrl(): boolean {
    return this.kind !== 'browser' && this.kind !== 'replay';
  }

  get draft(): ProviderDraft {
    const key = this.key.trim();
    return {
      kind: this.kind,
      name: this.name.trim() || this.#usualName(),
      baseUrl: this.baseUrl.trim(),
      headers: this.headers
        .map(({ name, value }) => [name.trim(), value.trim()] as const)
        .filter(([name]) => name !== ''),
      key: key === '' ? (this.hasKey && !this.forgetsKey ? null : '') : key,
      keep: this.keep,
      models: [...new Set(this.models.split(/[\n,]/).map((model) => model.trim()))].filter(Boolean),
      facts: readModelFacts(this.facts),
    };
  }

  /** @returns the provider's id, or null where it could not be kept: then the fault says why */
  async save(providers: Pick<Providers, 'add' | 'change'>): Promise<string | null> {
    this.#fault = this.#missing();
    if (this.#fault !== null) return null;
    this.#saving = true;
    try {
      if (this.id === '') return (await providers.add(this.draft)).id;
      await providers.change(this.id, this.draft);
      return this.id;
    } catch (thrown) {
      this.#fault = faultOf(thrown);
      return null;
    } finally {
      this.#saving = false;
      // It is never shown again, and has no business in this page's memory.
      this.key = '';
    }
  }

  #usualName(): string {
    const host = URL.canParse(this.baseUrl) ? new URL(this.baseUrl).host : '';
    return host || (this.kind === 'replay' ? 'Replay' : kindWords[this.kind]);
  }

  #missing(): FormFault | null {
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
