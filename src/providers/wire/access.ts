/** What a request carries so that a provider lets it in, and what of that no message may show. */

import type { HttpHeader } from '../../protocol/ask.ts';
import type { ProviderAccess } from '../../protocol/models.ts';

/** For what is asked without an SDK. */
export function accessHeaders({ kind, key, headers }: ProviderAccess): Headers {
  const sent = new Headers();
  if (kind === 'anthropic') {
    sent.set('x-api-key', key);
    sent.set('anthropic-version', '2023-06-01');
    sent.set('anthropic-dangerous-direct-browser-access', 'true');
  } else if (kind === 'google') sent.set('x-goog-api-key', key);
  else sent.set('authorization', `Bearer ${key}`);
  for (const [name, value] of headers) sent.set(name, value);
  return sent;
}

/** As they are sent: without what preflights are known to refuse, and without keys that are none. */
export function sentHeaders(headers: Headers): HttpHeader[] {
  return [...headers].filter(
    ([name, value]) => name !== 'user-agent' && !/^(bearer)?\s*$/i.test(value),
  );
}

/** What no message may show. */
export function secretsOf({ key, headers }: ProviderAccess): string[] {
  return [key, ...headers.map(([, value]) => value)].filter((secret) => secret.length >= 4);
}

/** The text without secrets, in case somebody has put one into it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
