/**
 * Authentication headers of requests to a provider, and the removal of secrets from messages. `answer-mask.ts` masks them
 * in the answers of models.
 */

import type { HttpHeader } from '../../../runtime/protocol/ask.ts';
import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import { secretParts, shortestMasked } from '../../../runtime/grants/secret-parts.ts';
import { SecretMask } from '../../../runtime/spec/secret-mask.ts';

/** The headers of requests that are made without an SDK. */
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

/** Removes headers that would fail a preflight, and empty authorization headers. */
export function filterHeaders(headers: Headers): HttpHeader[] {
  return [...headers].filter(
    ([name, value]) => name !== 'user-agent' && !/^(bearer)?\s*$/i.test(value),
  );
}

/** Shorter secrets are not removed from messages, since they would match parts of ordinary words. */
const minSecretChars = 4;
/** Minimum length of a partial secret that is removed. */
const minPartChars = 8;

/** Headers whose values are removed from messages as credentials, however short. */
const credentials = /auth|key|token|secret|pass|cookie|session/i;
/** Words that name the scheme of a header such as `Authorization`, and are no secrets. */
export const authSchemes = /^(basic|bearer|digest|token|apikey)$/i;

/** The parts of the access to a provider that may be secret. */
export type SecretAccess = Pick<ProviderAccess, 'key' | 'headers'>;

/** Returns the secrets that messages must not contain, in every spelling (plain, JSON, URL-encoded), longest first. */
export function secretsOf({ key, headers }: SecretAccess): string[] {
  const all = [
    key,
    ...secretParts(key),
    ...headers.flatMap(([name, value]) => [...secretsIn(name, value), ...secretParts(value)]),
  ];
  const whole = all.filter((secret) => secret.length >= minSecretChars);
  const spellings = whole.flatMap((secret) => {
    const escaped = JSON.stringify(secret).slice(1, -1);
    return [secret, escaped, escaped.replaceAll('/', '\\/'), encodeURIComponent(secret)];
  });
  return [...new Set(spellings)].toSorted((a, b) => b.length - a.length);
}

/** Returns the value and its words, such as the token after `Bearer`. Leaves out ordinary values such as `true`. */
function secretsIn(name: string, value: string): string[] {
  const words = [value, ...value.split(/[\s,;=]+/)];
  return credentials.test(name)
    ? words.filter((word) => !authSchemes.test(word))
    : words.filter((word) => word.length >= minPartChars || /\d[^]*[a-z]|[a-z][^]*\d/i.test(word));
}

/** Replaces secrets in a text, encoded ones too, and a secret that is cut off at the end of the text. */
export function removeSecrets(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return text;
  // The mask finds encoded secrets, too, but no short ones, and only writes asterisks. Secrets as they are in `secrets` are
  // therefore replaced before.
  const mask = new SecretMask(secrets.filter(({ length }) => length >= shortestMasked));
  // @mutant a key that a provider repeats is masked in errors and traces, however it is encoded =>
  //   mask.text(withoutPlain(text, secrets) -> withoutPlain(text, secrets
  //   [src/agent/providers/wire/echoed-keys.test.ts]
  return mask.text(withoutPlain(text, secrets), { mayBeCut: true });
}

function withoutPlain(text: string, secrets: readonly string[]): string {
  const rest = secrets.reduce((before, secret) => before.replaceAll(secret, replacement), text);
  const cut = Math.max(0, ...secrets.map((secret) => partialSecretLength(rest, secret)));
  return cut === 0 ? rest : rest.slice(0, -cut) + replacement;
}

const replacement = '[secret]';

/** Returns how many characters of the secret the text ends with. */
function partialSecretLength(text: string, secret: string): number {
  for (let length = secret.length - 1; length >= minPartChars; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}
