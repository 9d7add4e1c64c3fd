/** Translates patterns of schemas: JSON Schema uses ECMAScript's rules, but Python authors often mean Python's. */

import { isPattern } from '../../src/runtime/spec/schema-walk.ts';

/** Turns a pattern into one for the argument check; null if it is not a valid ECMAScript pattern. */
export type Reading = (pattern: string) => string | null;

/** Reads a pattern by ECMAScript's rules, as JSON Schema specifies. */
export function byEcmaScript(pattern: string): string | null {
  return isPattern(pattern) ? pattern : null;
}

/**
 * Reads a pattern by Python's rules: `\w`, `\d` and `\b` include letters and digits of every
 * script, `.` excludes only line feeds, and `$` also matches before a final line feed.
 */
export function byPython(pattern: string): string | null {
  if (!isPattern(pattern)) return null;
  const python = pattern.replace(tokens, (token) =>
    /^\[[^]/.test(token) ? classByPython(token) : (outside.get(token) ?? token),
  );
  return isPattern(python) ? python : pattern;
}

const word = '\\p{L}\\p{N}_';
const space = '\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const before = `(?<=[${word}])`;
const notBefore = `(?<![${word}])`;
const after = `(?=[${word}])`;
const notAfter = `(?![${word}])`;

/** Escapes, classes, and the two special characters that differ. */
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

/** Complements of classes, which cannot be part of another class. */
const complements = new Map([
  ['\\W', `[^${word}]`],
  ['\\S', `[^${space}]`],
]);

/** A character class by Python’s rules. Complements such as `\W` become alternatives, since no class can contain them. */
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
