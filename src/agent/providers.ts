/** The model providers that the user has added: their configuration, how they are stored, and how models are asked. */

import type { ProviderAccess } from '../protocol/models.ts';
import type {
  AskModel,
  ListedModel,
  ModelInfo,
  ModelPart,
  ModelRef,
  ModelRequest,
  ProviderKind,
} from '../spec/model.ts';
import type { ModelFacts } from './model-facts.ts';

export interface ProviderConfig {
  readonly id: string;
  readonly kind: ProviderKind;
  /** For people. */
  readonly name: string;
  /** Without a slash at the end; empty for the kind's usual one. */
  readonly baseUrl: string;
  /** Names of further headers of every request. Their values may be secret, and are stored with the keys. */
  readonly headers: readonly string[];
  /** The models that the provider listed last, and those that were added by hand. */
  readonly models: readonly ModelInfo[];
  /** Ids of the models that were added by hand. */
  readonly byHand: readonly string[];
  /** What the user entered about models; `models` includes it. */
  readonly facts?: readonly ModelFacts[];
  /** When the provider listed its models, in milliseconds since the epoch; null for never. */
  readonly listedAt: number | null;
  readonly key: 'none' | 'kept' | 'visit';
}

/** The values of the form for a provider. */
export interface ProviderDraft {
  readonly kind: ProviderKind;
  readonly name: string;
  readonly baseUrl: string;
  /** When a provider is changed, an empty value keeps that of the same name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null keeps the key; empty removes it. */
  readonly key: string | null;
  readonly keep: 'kept' | 'visit';
  /** Models that were added by hand. */
  readonly models: readonly string[];
  readonly facts?: readonly ModelFacts[];
}

/** A well-known endpoint. */
export interface ProviderPreset {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly name: string;
  readonly baseUrl: string;
  readonly needsKey: boolean;
  /** What the user has to set up there first, such as permission for this page's origin. */
  readonly hint: string;
}

/** The result of testing a model. */
export interface Diagnosis {
  readonly ok: boolean;
  /** The model's answer, or what is wrong. */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  readonly ms: number;
}

export interface Providers {
  /**
   * In the order in which they were added, then the browser's own model where there is one, then `replay`. These two can be
   * neither changed nor removed.
   */
  list(): readonly ProviderConfig[];
  observe(listener: (providers: readonly ProviderConfig[]) => void): () => void;
  /** Resolves when the stored providers are loaded. Never rejects. */
  readonly loaded: Promise<void>;
  readonly presets: readonly ProviderPreset[];
  /** @throws {ToolError} `bad-input` where the address is not valid */
  add(draft: ProviderDraft): Promise<ProviderConfig>;
  change(id: string, draft: ProviderDraft): Promise<void>;
  remove(id: string): Promise<void>;
  /** Asks the model to say hello. Never rejects. */
  test(signal: AbortSignal, ref: ModelRef): Promise<Diagnosis>;
  /** Asks the provider for its models again. @throws {ModelError} */
  sync(signal: AbortSignal, id: string): Promise<readonly ModelInfo[]>;
  info(ref: ModelRef): ModelInfo | undefined;
  /** @throws {ModelError} `model` or `key` where the model cannot be asked at all */
  ask(ref: ModelRef): AskModel;
}

export interface KeptProvider extends ProviderConfig {
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
}

export interface ProviderSecrets {
  /** The address that the secrets were entered for: they are sent to no other. */
  readonly baseUrl: string;
  /** Empty for none. */
  readonly key: string;
  /** Values of headers by name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Stores providers, and their secrets apart from them. What it returns must be validated. */
export interface ProviderStore {
  list(): Promise<readonly unknown[]>;
  /** A stored provider and its secrets, read together; undefined where there are none. */
  secrets(id: string): Promise<{ readonly provider: unknown; readonly secrets: unknown }>;
  /**
   * @param secrets null removes them; undefined changes nothing where another tab has removed the provider or given it
   * another address
   * @returns false where nothing was changed for that reason
   */
  put(provider: KeptProvider, secrets: ProviderSecrets | null | undefined): Promise<boolean>;
  /** Removes a provider with its secrets. */
  remove(id: string): Promise<void>;
  /** Calls the listener when another tab has changed something. @returns dispose */
  observe(listener: () => void): () => void;
}

/** Asks models over the network. */
export interface ModelAsker {
  /** @throws {ModelError}; the signal's reason */
  ask(
    signal: AbortSignal,
    access: ProviderAccess,
    ref: ModelRef,
    request: ModelRequest,
  ): AsyncIterable<ModelPart>;
  /** @throws {ModelError}; the signal's reason */
  list(signal: AbortSignal, access: ProviderAccess): Promise<readonly ListedModel[]>;
  /** The origin that providers must allow. */
  readonly pageOrigin: string;
}
