/** How one provider is reached: where it is, and what it wants to be shown. */

import type { ProviderKind } from '../agent/providers.ts';

/** Kinds that are asked over HTTP. */
export type HttpKind = Exclude<ProviderKind, 'browser' | 'replay'>;

export interface ProviderAccess {
  readonly kind: HttpKind;
  /** For people. */
  readonly name: string;
  /** Never empty; without a slash at the end. */
  readonly baseUrl: string;
  /** Empty: none. */
  readonly key: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** What no message may show. */
export function secretsOf({ key, headers }: ProviderAccess): string[] {
  return [key, ...headers.map(([, value]) => value)].filter((secret) => secret.length >= 4);
}

/** The text without secrets, in case somebody has put one into it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
