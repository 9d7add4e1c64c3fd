/** Patterns of schemas, which Python programs write by Python's rules and JSON Schema reads by ECMAScript's. */

/**
 * A pattern that allows what the given one allows by either's rules; null where ECMAScript cannot read it.
 *
 * Python's `\w` and `\d` know every script's letters and digits, and its `$` stands before a last line feed too.
 */
export function readablePattern(pattern: string): string | null {
  if (!isReadable(pattern)) return null;
  const python = byPythonsRules(pattern);
  if (python === pattern) return pattern;
  const either = `(?:${pattern})|(?:${python})`;
  return isReadable(either) ? either : pattern;
}

const tokens = /\\[wd]|\\.|\[\^?|\]|\$|[^\\[\]$]+/gsu;

function byPythonsRules(pattern: string): string {
  let inClass = false;
  return pattern.replace(tokens, (token) => {
    if (token === '\\w') return inClass ? '\\p{L}\\p{N}_' : '[\\p{L}\\p{N}_]';
    if (token === '\\d') return '\\p{Nd}';
    if (token.startsWith('[')) inClass = true;
    else if (token === ']') inClass = false;
    else if (token === '$' && !inClass) return '(?=\\n?$)';
    return token;
  });
}

function isReadable(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
