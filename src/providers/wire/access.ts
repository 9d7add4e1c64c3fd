/** Authentication headers of requests to a provider, and the removal of secrets from messages. */

import type { HttpHeader } from '../../protocol/ask.ts';
import type { ProviderAccess } from '../../protocol/models.ts';
import { SecretMask } from '../../spec/secret-mask.ts';
import { secretParts, shortestMasked } from '../../grants/secret-parts.ts';

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
export function sentHeaders(headers: Headers): HttpHeader[] {
  return [...headers].filter(
    ([name, value]) => name !== 'user-agent' && !/^(bearer)?\s*$/i.test(value),
  );
}

/** Shorter secrets are not removed, since they would match parts of ordinary words. */
const minSecretChars = 4;
/** Minimum length of a partial secret that is removed. */
const minPartChars = 8;

/** Headers whose values are credentials, however short. */
const credentials = /auth|key|token|secret|pass|cookie|session/i;
const schemes = /^(basic|bearer|digest|token|apikey)$/i;

/** Returns the secrets that messages must not contain, in every spelling (plain, JSON, URL-encoded), longest first. */
export function secretsOf({ key, headers }: ProviderAccess): string[] {
  const all = [
    ...[key, ...secretParts(key)],
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
    ? words.filter((word) => !schemes.test(word))
    : words.filter((word) => word.length >= minPartChars || /\d[^]*[a-z]|[a-z][^]*\d/i.test(word));
}

/** Headers that are not credentials, and so are not masked in answers. */
const ordinary =
  /^(accept.*|content-type|(http-)?referer|origin|user-agent|x-title|.*-(beta|version))$/i;
/** Placeholders that users enter as the key for a server that ignores it. */
const placeholders =
  /^(sk-)?(lm-studio|llama\.cpp|no-?key(-(needed|required))?|not-(needed|required)|placeholder)$/i;

/** A mask of the key and of the values of custom headers; null if there is nothing to mask. */
export function answerMask({ key, headers }: ProviderAccess): SecretMask | null {
  const values = headers.filter(([name]) => !ordinary.test(name));
  const words = values.flatMap(([name, value]) =>
    credentials.test(name) ? secretsIn(name, value) : [],
  );
  const all = [...secretParts(key), ...values.flatMap(([, value]) => secretParts(value)), ...words];
  const secrets = all.filter((text) => text.length >= shortestMasked && !placeholders.test(text));
  if (secrets.length === 0) return null;
  return new SecretMask([...new Set(secrets)].toSorted((a, b) => b.length - a.length));
}

const masks = new WeakMap<readonly string[], SecretMask>();

/** Replaces secrets in a text, encoded ones too, and a secret that is cut off at the end of the text. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let mask = masks.get(secrets);
  mask ??= new SecretMask(secrets.filter(({ length }) => length >= shortestMasked));
  masks.set(secrets, mask);
  return mask.text(withoutPlain(text, secrets));
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
