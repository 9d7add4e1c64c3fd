/**
 * The mask for the answers of a provider's models. Answers are code and texts, which a wrong mask would spoil. They are
 * therefore masked only where something is surely a secret, while messages (`secretsOf`) lose all that may be one.
 */

import { secretParts, shortestMasked } from '../../../runtime/grants/secret-parts.ts';
import { SecretMask } from '../../../runtime/spec/secret-mask.ts';
import { authSchemes, type SecretAccess } from './access.ts';

/** Headers that are not credentials, whatever their values. */
const ordinary =
  /^(accept.*|content-type|(http-)?referer|origin|user-agent|x-title|.*-(beta|version))$/i;
/** Names of headers whose values are credentials. The last word counts: `x-portkey-provider` and `x-auth-mode` are none. */
const credentialName =
  /(^|-)([a-z]*(auth|authorization|authentication|token|secret|password|cookie|session)|(api|access|auth|secret)?key|passwd|pwd|pass(phrase|code)?|credentials?|jwt|bearer|signature)(-(id|value|v?\d+))?$/i;
/** Placeholders that users enter as the key for a server that ignores it. */
const placeholders =
  /^(sk-)?(lm-studio|llama\.cpp|no-?key(-(needed|required))?|not-(needed|required)|placeholder)$/i;
/** Runs of letters and digits in words, and in names of models, versions and regions: `llama3`, `70B`, `8x7b`, `a22b`. */
const usualRun =
  /^(([A-Z]?[a-z]{0,12}|[A-Z]{0,5})\d{1,4}|\d+(bit|[a-z]{1,2}|[A-Z]{1,2})|\d+x\d+[bB]|[A-Za-z]\d{1,3}[A-Za-z]|v\d+(alpha|beta)\d*)$/;

/** A mask of the key, and of the values of custom headers that are secrets; null if there is nothing to mask. */
export function answerMask({ key, headers }: SecretAccess): SecretMask | null {
  const inHeaders = headers.flatMap(([name, value]) => secretsInHeader(name, value));
  const secrets = [...secretParts(key), ...inHeaders].filter(
    (text) => text.length >= shortestMasked && !placeholders.test(text),
  );
  if (secrets.length === 0) return null;
  return new SecretMask([...new Set(secrets)].toSorted((a, b) => b.length - a.length));
}

/** Returns the parts of a header's value that are surely secret. */
function secretsInHeader(name: string, value: string): string[] {
  if (ordinary.test(name)) return [];
  // Of `Basic dXNlcm5hbWU6…`: the value, the value without its scheme, `username:password`, `username` and `password`.
  const parts = secretParts(value);
  const isCredential = credentialName.test(name) || authSchemes.test(value.split(' ')[0] ?? '');
  if (!isCredential) return parts.filter(isRandom);
  const isUserName = (text: string): boolean => parts.some((part) => part.startsWith(`${text}:`));
  const secret = parts.filter((text) => !isUserName(text) || isRandom(text));
  // Keys among other words of the value, such as in a cookie.
  const randomWords = value.split(/[\s,;=]+/).filter(isRandom);
  return [...secret, ...randomWords];
}

/** Returns whether letters and digits are mixed as in keys. */
function isRandom(text: string): boolean {
  const runs = text.split(/[^A-Za-z0-9]+/);
  return runs.some((run) => /\d/.test(run) && /[a-z]/i.test(run) && !usualRun.test(run));
}
