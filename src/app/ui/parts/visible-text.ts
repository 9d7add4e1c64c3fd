/**
 * The only path for foreign text into the page. It bounds the text, and spells out characters that are invisible,
 * affect the page, or reorder text.
 */

declare const visible: unique symbol;

/** A text that the page may show. The lint rule `cloche/visible-text` accepts only such texts, and Cloche's own words. */
export type VisibleText = string & { readonly [visible]: true };

/** Texts of this length are laid out in about a millisecond, in any script; characters. */
const maxChars = 1_000;

/**
 * Returns the start of a foreign text, with its invisible characters spelt out. If the text is
 * longer than `max`, the result ends in `…`. Use `ShortText` or `LongText` where users need the
 * rest.
 */
export function visibleText(text: string, max = maxChars): VisibleText {
  if (text.length <= max) return spellOut(text);
  return `${spellOut(text.slice(0, pieceEnd(text, 0, max)))}…` as VisibleText;
}

/**
 * Spells out the invisible characters of untrusted text: controls and ANSI escapes, bidirectional overrides, all
 * characters without a width, lone surrogates, and marks stacked higher than in any script, which would draw over other
 * text. Line breaks and tabs stay, and so do the joiners, selectors and tags that scripts and emoji need. Only
 * components that divide the text themselves may call it.
 */
export function spellOut(text: string): VisibleText {
  if (/^[\t\n -~]*$/.test(text)) return text as VisibleText;
  const spelt = text.replace(
    unseen,
    (found, flag?: string) => flag ?? Array.from(found, spellOutCharacter).join(''),
  );
  return spelt as VisibleText;
}

/** Returns where a long text may be cut: the end of a piece that begins at `start`. */
export function pieceEnd(text: string, start: number, size: number, limit = text.length): number {
  const end = start + size;
  if (end >= limit) return limit;
  // Line breaks are only searched for near the end: going back through megabytes without one is
  // slow.
  const near = end - Math.floor(size / 10);
  const lineBreak = text.slice(near, end).lastIndexOf('\n');
  if (lineBreak !== -1) return near + lineBreak + 1;
  const least = Math.max(start, end - maxMarks);
  let at = end;
  while (at > least && continues.test(text.slice(at, at + 2))) at -= 1;
  if (at > least) return at;
  return /^[\udc00-\udfff]/.test(text.slice(end, end + 1)) && size > 1 ? end - 1 : end;
}

/** Characters that join letters and emoji, or select how they look. */
const joiners = '\\u200c|\\u200d|\\ufe0e|\\ufe0f';
/** A selector behind a character that can have variants. */
const variant = '[\\ufe00-\\ufe0d\\u{e0100}-\\u{e01ef}](?<=(?![\\0-\\x7f])[\\p{L}\\p{So}\\p{Sm}].)';
/** The flags of England, Scotland and Wales: a black flag, and a code of tags. */
const flags = ['gbeng', 'gbsct', 'gbwls'].map((code) =>
  Array.from(`${code}\x7f`, (tag) => String.fromCodePoint(0xe0000 + tag.charCodeAt(0))).join(''),
);
const unseen = new RegExp(
  [
    `(\u{1f3f4}(?:${flags.join('|')}))`,
    // C0 except tab and line feed; a carriage return only without a line feed after it.
    // @mutant escapes of terminals are spelt out => removed
    '[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]|\\r(?!\\n)',
    // Many joiners and selectors in a row can hide text, and many marks reach beyond their line.
    `(?:${joiners}){3,}|\\p{M}{9,}`,
    // All others that have no width, line separators, and marks of annotations.
    // @mutant names that turn the direction of text are spelt out => removed
    `(?!${joiners}|${variant}|[\\u180b-\\u180d\\u180f])\\p{Default_Ignorable_Code_Point}`,
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

function spellOutCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // Few fonts contain Unicode's symbols for control characters.
  return `⟨${names.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}⟩`;
}

/**
 * Matches characters that belong to the one before: a mark, a joiner, or the second half of a
 * surrogate pair.
 */
const continues = /^[\p{M}\p{Surrogate}\u200c\u200d]/u;
/** Limit of the marks that are kept with their character; UTF-16 units. */
const maxMarks = 32;
