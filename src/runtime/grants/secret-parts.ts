/**
 * Finds the parts of a secret that are masked in responses, so that a host that repeats it does not
 * give it to a tool.
 */

/** Shorter texts would mask much that is no secret, and a tool could find them by guessing; characters. */
export const shortestMasked = 8;

/**
 * Returns the texts to mask, longer ones first: the value, the key without its scheme, and parts that a host may repeat, such
 * as the password of a `Basic` header, or `abc` of `token="abc"`.
 */
export function secretParts(value: string): string[] {
  const key = keyOf(value);
  const decoded = decodedBasic(value);
  const pairs = [...key.matchAll(/=\s*"?([^\s",;=]+)/g)].map(([, text = '']) => text);
  // @mutant the password of a secret is masked => without ...userAndPassword(decoded)
  const all = [value, key, ...pairs, decoded, ...userAndPassword(key), ...userAndPassword(decoded)];
  const distinct = [...new Set(all)].filter(({ length }) => length >= shortestMasked);
  return distinct.sort((a, b) => b.length - a.length);
}

/** Returns whether a secret is long enough to be masked; for a `Basic` header, whether its password is. */
export function isMasked(value: string): boolean {
  const [, password] = userAndPassword(decodedBasic(value));
  return (password ?? keyOf(value)).length >= shortestMasked;
}

/** Returns `user:password` of a `Basic` header; empty for others. */
function decodedBasic(value: string): string {
  if (!/^basic\s/i.test(value)) return '';
  try {
    return atob(keyOf(value));
  } catch {
    return '';
  }
}

/** The value of a header without a scheme such as `Bearer`. */
function keyOf(value: string): string {
  return value.replace(/^[A-Za-z][A-Za-z0-9-]*\s+/, '').trim();
}

/** User name and password. */
function userAndPassword(text: string): string[] {
  const colon = text.indexOf(':');
  return colon < 0 ? [] : [text.slice(0, colon), text.slice(colon + 1)];
}
