/** Where providers are kept; their keys apart from everything else, so that nothing takes them along. */

import type { ProviderConfig } from './providers.ts';

export interface KeptProvider extends ProviderConfig {
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
}

export interface ProviderSecrets {
  /** That of the provider for which they were entered: they go nowhere else. */
  readonly baseUrl: string;
  /** Empty: none. */
  readonly key: string;
  /** Values of headers by their names. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ProviderStore {
  /** To be read with distrust. */
  list(): Promise<readonly unknown[]>;
  /** What is kept of a provider and of its secrets, at one moment. Undefined: nothing. To be read with distrust. */
  secrets(id: string): Promise<{ readonly provider: unknown; readonly secrets: unknown }>;
  /**
   * @param secrets null: none are kept from here on; undefined: as they are, and so is all of it where another page has
   * given the provider another address, or has removed it
   * @returns false: so it is
   */
  put(provider: KeptProvider, secrets: ProviderSecrets | null | undefined): Promise<boolean>;
  /** With its secrets. */
  remove(id: string): Promise<void>;
  /** Told when another page has changed something. @returns dispose */
  observe(listener: () => void): () => void;
}
