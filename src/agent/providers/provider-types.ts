/** Model providers that the user has added: their configuration, their storage, and requests to their models. */

import type { ModelFault } from '../../runtime/spec/model-error.ts';
import type { ModelInfo, ProviderKind } from '../../runtime/spec/model.ts';
import type { ModelFacts } from './model-facts.ts';
import type { Publisher } from './published-models.ts';

export interface ProviderConfig {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly name: string;
  /** The base URL without a trailing slash; empty for the kind's default. */
  readonly baseUrl: string;
  /** Names of additional headers for every request. Their values may be secret, and are stored with the keys. */
  readonly headers: readonly string[];
  /** The models listed by the provider at last, and those added by hand. */
  readonly models: readonly ModelInfo[];
  /** Ids of the models that were added by hand. */
  readonly byHand: readonly string[];
  /** The user's entries about models; already included in `models`. */
  readonly facts?: readonly ModelFacts[];
  /** The company whose published prices apply; absent if there is none. */
  readonly publisher?: Pick<Publisher, 'name' | 'read' | 'sources'>;
  /** When the provider last listed its models, in milliseconds since the epoch; null if never. */
  readonly listedAt: number | null;
  /** Whether there is a key, which is stored elsewhere, and whether it is kept or held for this visit only. */
  readonly key: 'none' | 'kept' | 'visit';
  /**
   * The extension that offers the provider. Absent for providers that the user has added, and for
   * those of Cloche itself.
   */
  readonly from?: { readonly extension: string; readonly file: string };
}

export interface ProviderDraft {
  readonly kind: ProviderKind;
  readonly name: string;
  readonly baseUrl: string;
  /** When a provider is changed, an empty value keeps the stored value of the same name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null keeps the key; empty removes it. */
  readonly key: string | null;
  /** Whether the secrets are kept, or held for this visit only. */
  readonly keep: 'kept' | 'visit';
  /** Models that were added by hand. */
  readonly models: readonly string[];
  readonly facts?: readonly ModelFacts[];
}

/** A well-known endpoint. */
export interface ProviderPreset extends Pick<ProviderConfig, 'id' | 'kind' | 'name' | 'baseUrl'> {
  readonly needsKey: boolean;
  /** Hint about what the user must set up first, such as permission for this page's origin. */
  readonly hint: string;
}

export interface Diagnosis {
  readonly ok: boolean;
  /** The model's answer, or the error. */
  readonly message: string;
  /** The next step for the user. */
  readonly hint?: string;
  /** The kind of the error; absent if there is none, or it is not a model's error. */
  readonly fault?: ModelFault;
  readonly ms: number;
}

export interface StoredProvider extends ProviderConfig {
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
}

export interface ProviderSecrets {
  /** The address for which the secrets were entered. They are sent to no other address. */
  readonly baseUrl: string;
  /** Empty if there is none. */
  readonly key: string;
  /** Values of headers by name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Stores providers, and separately their secrets. Returned values must be validated. */
export interface ProviderStore {
  list(): Promise<readonly unknown[]>;
  /** A stored provider and its secrets, read in one transaction; undefined if missing. */
  secrets(id: string): Promise<{ readonly provider: unknown; readonly secrets: unknown }>;
  /**
   * Stores a provider.
   *
   * @param secrets null removes the stored secrets. With undefined they stay, and nothing is stored if another tab has
   * removed the provider or changed its address
   * @returns false if nothing was stored for that reason
   */
  put(provider: StoredProvider, secrets: ProviderSecrets | null | undefined): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Calls the listener when another tab has changed something. @returns dispose */
  observe(listener: () => void): () => void;
}
