/** The model providers that the person has added: what the page and the loop are given of them. */

import type { ModelFacts } from './model-facts.ts';
import type { AskModel, ModelInfo, ModelRef, ProviderKind } from '../spec/model.ts';

export interface ProviderConfig {
  readonly id: string;
  readonly kind: ProviderKind;
  /** For people. */
  readonly name: string;
  /** Without a slash at the end; empty for the kind's usual one. */
  readonly baseUrl: string;
  /** Names of the headers that every request carries besides; their values may be secrets and stay with the keys. */
  readonly headers: readonly string[];
  /** As the provider listed them last, and those that were added by hand. */
  readonly models: readonly ModelInfo[];
  /** Ids of those that were added by hand. */
  readonly byHand: readonly string[];
  /** What the person says of its models; `models` has it already. */
  readonly facts?: readonly ModelFacts[];
  /** When it listed them; milliseconds since the epoch; null: never. */
  readonly listedAt: number | null;
  readonly key: 'none' | 'kept' | 'visit';
}

/** What a form says of a provider. */
export interface ProviderDraft {
  readonly kind: ProviderKind;
  readonly name: string;
  readonly baseUrl: string;
  /** When a provider is changed, an empty value leaves that of the same name as it is. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null: leave it as it is; empty: none. */
  readonly key: string | null;
  readonly keep: 'kept' | 'visit';
  /** Added by hand. */
  readonly models: readonly string[];
  /** Absent: none. */
  readonly facts?: readonly ModelFacts[];
}

/** A well-known endpoint, to begin from. */
export interface ProviderPreset {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly name: string;
  readonly baseUrl: string;
  readonly needsKey: boolean;
  /** What has to be done there first, as letting pages of this address ask. */
  readonly hint: string;
}

/** How a test went. `steps` are told as they happen. */
export interface Diagnosis {
  readonly ok: boolean;
  /** What the model said, or what is wrong. */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  readonly ms: number;
}

export interface Providers {
  /**
   * In the order in which they were added; then the browser's own model, where there is one; `replay` is always there
   * and comes last. These two can be neither changed nor removed.
   */
  list(): readonly ProviderConfig[];
  observe(listener: (providers: readonly ProviderConfig[]) => void): () => void;
  /** When those of earlier visits are there. Never rejects. */
  readonly loaded: Promise<void>;
  readonly presets: readonly ProviderPreset[];
  /** @throws {ToolError} `bad-input` where an address is none */
  add(draft: ProviderDraft): Promise<ProviderConfig>;
  change(id: string, draft: ProviderDraft): Promise<void>;
  remove(id: string): Promise<void>;
  /** Asks the model to say hello. Never rejects. */
  test(signal: AbortSignal, ref: ModelRef): Promise<Diagnosis>;
  /** Has the provider list its models anew. @throws {ModelError} */
  sync(signal: AbortSignal, id: string): Promise<readonly ModelInfo[]>;
  info(ref: ModelRef): ModelInfo | undefined;
  /** @throws {ModelError} `model` or `key` where it cannot be asked at all */
  ask(ref: ModelRef): AskModel;
}
