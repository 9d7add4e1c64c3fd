/** Authentication headers of requests to a provider, and the removal of secrets from messages. */

import type { HttpHeader } from '../../../runtime/protocol/ask.ts';
import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import { SecretMask } from '../../../runtime/spec/secret-mask.ts';
import { secretParts, shortestMasked } from '../../../runtime/grants/secret-parts.ts';

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
    ? words.filter((word) => !schemes.test(word))
    : words.filter((word) => word.length >= minPartChars || /\d[^]*[a-z]|[a-z][^]*\d/i.test(word));
}

/** Headers that are not credentials, and so are not masked in answers. */
const ordinary =
  /^(accept.*|content-type|(http-)?referer|origin|user-agent|x-title|.*-(beta|version))$/i;
/** Placeholders that users enter as the key for a server that ignores it. */
const placeholders =
  /^(sk-)?(lm-studio|llama\.cpp|no-?key(-(needed|required))?|not-(needed|required)|placeholder)$/i;

/** Names of headers whose values are credentials. The last word counts: `x-portkey-provider` and `x-auth-mode` are none. */
const credentialName =
  /(^|-)([a-z]*(auth|authorization|authentication|token|secret|password|cookie|session)|(api|access|auth|secret)?key|passwd|pwd|pass(phrase|code)?|credentials?|jwt|bearer|signature)(-(id|value|v?\d+))?$/i;

/** A mask of the key, and of the values of custom headers that are secrets; null if there is nothing to mask. */
export function answerMask({ key, headers }: SecretAccess): SecretMask | null {
  const values = headers.filter(([name]) => !ordinary.test(name));
  const credentialParts = values.flatMap(([name, value]) => {
    const parts = secretParts(value);
    const isCredential = credentialName.test(name) || schemes.test(value.split(' ')[0] ?? '');
    if (!isCredential) return parts.filter(isRandom);
    // A user name is no secret.
    const isUser = (text: string): boolean => parts.some((part) => part.startsWith(`${text}:`));
    const randomWords = value.split(/[\s,;=]+/).filter(isRandom);
    return [...parts.filter((text) => !isUser(text) || isRandom(text)), ...randomWords];
  });
  const all = [...secretParts(key), ...credentialParts];
  const secrets = all.filter((text) => text.length >= shortestMasked && !placeholders.test(text));
  if (secrets.length === 0) return null;
  return new SecretMask([...new Set(secrets)].toSorted((a, b) => b.length - a.length));
}

/** Runs of letters and digits in words, and in names of models, versions and regions: `llama3`, `70B`, `8x7b`, `a22b`. */
const usualRun =
  /^(([A-Z]?[a-z]{0,12}|[A-Z]{0,5})\d{1,4}|\d+(bit|[a-z]{1,2}|[A-Z]{1,2})|\d+x\d+[bB]|[A-Za-z]\d{1,3}[A-Za-z]|v\d+(alpha|beta)\d*)$/;

/** Returns whether letters and digits are mixed as in keys. */
function isRandom(text: string): boolean {
  const runs = text.split(/[^A-Za-z0-9]+/);
  return runs.some((run) => /\d/.test(run) && /[a-z]/i.test(run) && !usualRun.test(run));
}

/** Replaces secrets in a text, encoded ones too, and a secret that is cut off at the end of the text. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return text;
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
