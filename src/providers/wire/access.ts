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

/** Characters of what can be hidden: less would be found in every word. */
const shortest = 4;
/** Characters of a part of a secret that says something of it. */
const shortestPart = 8;

/** Headers whose values are credentials, however short. */
const credentials = /auth|key|token|secret|pass|cookie|session/i;
const schemes = /^(basic|bearer|digest|token|apikey)$/i;

/** What no message may show, in the spellings that a message may have; the longest first. */
export function secretsOf({ key, headers }: ProviderAccess): string[] {
  const all = [key, ...headers.flatMap(([name, value]) => secretsIn(name, value))];
  const whole = all.filter((secret) => secret.length >= shortest);
  const spelt = whole.flatMap((secret) => {
    const escaped = JSON.stringify(secret).slice(1, -1);
    return [secret, escaped, escaped.replaceAll('/', '\\/'), encodeURIComponent(secret)];
  });
  return [...new Set(spelt)].toSorted((a, b) => b.length - a.length);
}

/** The value and the words of it, such as the one behind `Bearer`; not `true` and the like, which no message is without. */
function secretsIn(name: string, value: string): string[] {
  const words = [value, ...value.split(/[\s,;=]+/)];
  return credentials.test(name)
    ? words.filter((word) => !schemes.test(word))
    : words.filter((word) => word.length >= shortestPart || /\d[^]*[a-z]|[a-z][^]*\d/i.test(word));
}

/** The text without secrets, in case somebody has put one into it, and without the part of one where it was cut. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const rest = secrets.reduce((before, secret) => before.replaceAll(secret, hidden), text);
  const cut = Math.max(0, ...secrets.map((secret) => beginningAtEnd(rest, secret)));
  return cut === 0 ? rest : rest.slice(0, -cut) + hidden;
}

const hidden = '[secret]';

/** How much of the secret the text ends with. */
function beginningAtEnd(text: string, secret: string): number {
  for (let length = secret.length - 1; length >= shortestPart; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}
