/** Makes characters visible that are invisible, affect the page, or reorder text. */

/**
 * Untrusted text with its invisible characters spelt out: controls and ANSI escapes, bidirectional overrides, all
 * characters without a width, and lone surrogates; also marks stacked higher than in any script, which would draw over
 * other text. Line breaks and tabs stay, and so do the joiners and selectors that scripts and emoji need.
 */
export function visibleText(text: string): string {
  if (/^[\t\n -~]*$/.test(text)) return text;
  return text.replace(unseen, (found) => Array.from(found, spell).join(''));
}

/** What joins letters and emoji, or selects how they look. */
const joiners = '\\u200c|\\u200d|\\ufe0e|\\ufe0f';
const unseen = new RegExp(
  [
    // C0 except tab and line feed; a carriage return only without a line feed after it.
    '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]|\\r(?!\\n)',
    // Many joiners and selectors in a row can hide text, and many marks reach beyond their line.
    `(?:${joiners}){3,}|\\p{M}{9,}`,
    // All others that have no width, line separators, and marks of annotations.
    `(?!${joiners}|[\\u180b-\\u180d\\u180f])\\p{Default_Ignorable_Code_Point}`,
    '[\\u2028\\u2029\\ufff9-\\ufffb]',
    '\\p{Surrogate}',
  ].join('|'),
  'gu',
);

const names: ReadonlyMap<number, string> = new Map([
  [0x00, 'NUL'],
  [0x07, 'BEL'],
  [0x08, 'BS'],
  [0x0d, 'CR'],
  [0x1b, 'ESC'],
  [0x7f, 'DEL'],
]);

function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // Few fonts contain Unicode's symbols for control characters.
  return `⟨${names.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}⟩`;
}
