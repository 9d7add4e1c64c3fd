/** Patterns of schemas, which Python programs write by Python's rules and JSON Schema reads by ECMAScript's. */

/** A pattern as the argument check can use it; null where ECMAScript cannot read it. */
export type Reading = (pattern: string) => string | null;

/** By ECMAScript's rules, as JSON Schema has it. */
export function byEcmaScript(pattern: string): string | null {
  return isReadable(pattern) ? pattern : null;
}

/**
 * By Python's rules: its `\w`, `\d` and `\b` know every script's letters and digits, its `.` leaves out line feeds
 * alone, and its `$` stands before a last one too.
 */
export function byPython(pattern: string): string | null {
  if (!isReadable(pattern)) return null;
  const python = pattern.replace(tokens, (token) =>
    /^\[[^]/.test(token) ? classByPython(token) : (outside.get(token) ?? token),
  );
  return isReadable(python) ? python : pattern;
}

const word = '\\p{L}\\p{N}_';
const space = '\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const before = `(?<=[${word}])`;
const notBefore = `(?<![${word}])`;
const after = `(?=[${word}])`;
const notAfter = `(?![${word}])`;

/** Escapes, classes, and what means something by itself. */
const tokens = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|[.$]/gu;

const outside = new Map([
  ['\\w', `[${word}]`],
  ['\\W', `[^${word}]`],
  ['\\d', '\\p{Nd}'],
  ['\\D', '\\P{Nd}'],
  ['\\s', `[${space}]`],
  ['\\S', `[^${space}]`],
  ['\\b', `(?:${before}${notAfter}|${notBefore}${after})`],
  ['\\B', `(?:${before}${after}|${notBefore}${notAfter})`],
  ['.', '[^\\n]'],
  ['$', '(?=\\n?$)'],
]);

const inside = new Map([
  ['\\w', word],
  ['\\d', '\\p{Nd}'],
  ['\\D', '\\P{Nd}'],
  ['\\s', space],
]);

/** What no class can hold beside other things: what is not in another. */
const complements = new Map([
  ['\\W', `[^${word}]`],
  ['\\S', `[^${space}]`],
]);

function classByPython(token: string): string {
  const [, not = '', body = ''] = /^\[(\^?)([^]*)\]$/.exec(token) ?? [];
  const others = new Set<string>();
  const plain = body.replace(/\\[^]/gu, (escape) => {
    const complement = complements.get(escape);
    if (complement === undefined) return inside.get(escape) ?? escape;
    others.add(complement);
    return '';
  });
  if (others.size === 0) return `[${not}${plain}]`;
  const any = [...(plain === '' ? [] : [`[${plain}]`]), ...others].join('|');
  return not === '' ? `(?:${any})` : `(?:(?!${any})[^])`;
}

function isReadable(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
