/** Model providers that extensions offer. They exist while the extension is active, and are never stored. */

import { Observable } from '../../runtime/hooks/observe.ts';
import type { ProviderAccess } from '../../runtime/protocol/models.ts';
import type { AskModel } from '../../runtime/spec/model.ts';
import type { ProviderConfig } from './provider-types.ts';

export interface AddedProvider {
  readonly config: ProviderConfig;
  readonly reached:
    | {
        readonly by: 'code';
        /** @throws {ModelError} if the model cannot be asked */
        readonly ask: (model: string) => AskModel;
      }
    | {
        readonly by: 'network';
        /** Asks the user whether the address may be reached. @throws {ModelError}; the signal's reason */
        readonly access: (signal: AbortSignal) => Promise<ProviderAccess>;
        /** Aborts when the provider is no longer offered. */
        readonly life: AbortSignal;
      };
}

export class AddedProviders extends Observable<undefined> {
  #providers: readonly AddedProvider[] = [];

  list(): readonly AddedProvider[] {
    return this.#providers;
  }

  find(id: string): AddedProvider | undefined {
    return this.#providers.find(({ config }) => config.id === id);
  }

  /** @returns dispose */
  add(provider: AddedProvider): () => void {
    this.#set([
      ...this.#providers.filter(({ config }) => config.id !== provider.config.id),
      provider,
    ]);
    return () => this.#set(this.#providers.filter((other) => other !== provider));
  }

  #set(providers: readonly AddedProvider[]): void {
    this.#providers = providers;
    this.emit(undefined);
  }
}
