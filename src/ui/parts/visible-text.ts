/** Makes characters visible that are invisible, affect the page, or reorder text. */

/**
 * Untrusted text with its invisible characters spelt out: controls and ANSI escapes, bidirectional overrides, zero-
 * width and tag characters, lone surrogates. Line breaks and tabs stay, and so do the joiners that scripts and emoji
 * need.
 */
export function visibleText(text: string): string {
  return text.replace(unseen, spell);
}

const unseen = new RegExp(
  [
    // C0 except tab and line feed; a carriage return only without a line feed after it.
    '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]|\\r(?!\\n)',
    // Soft hyphen, Arabic letter mark, Mongolian separator, zero-width space, direction marks.
    '[\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f]',
    // Line separators, bidirectional embeddings, overrides and isolates, invisible operators, byte order mark.
    '[\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]',
    // Tags and supplementary variation selectors can hide text.
    '[\\u{e0000}-\\u{e01ef}]',
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
