/** Recognises patterns that are certain to match quickly: only these may run on the page's thread. */

import { isPattern } from '../../../../runtime/spec/schema-walk.ts';

const maxChars = 200;
/** Optional parts and alternatives: each may double the ways to match. */
// @mutant a pattern of names with many alternatives does not run on the page => 4 -> 4_000
const maxChoices = 4;

/**
 * Returns whether a pattern has at most one unbounded repetition, few optional parts and alternatives, no repeated groups and no
 * backreferences.
 */
export function isQuickPattern(pattern: string): boolean {
  if (pattern.length > maxChars) return false;
  // Each escape, then each character class, becomes one character; a backreference becomes `(?`, which is refused below.
  const plain = pattern
    .replace(/\\[1-9k]/g, '(?')
    .replace(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|.)/gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x');
  // @mutant a slow pattern of names does not run on the page => removed
  if (plain.includes('(?') || /\)\s*[*+{?]/.test(plain)) return false;
  if ((plain.match(/[*+]|\{\d*,\d*\}|\{\d{3,}/g) ?? []).length > 1) return false;
  if ((plain.match(/[?|]/g) ?? []).length > maxChoices) return false;
  return isPattern(pattern);
}
