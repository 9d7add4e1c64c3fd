/** Parses Markdown while it is being written, and turns its blocks into HTML, which must still be sanitised. */

import { Marked, Tokenizer, type Token, type Tokens, type TokensList } from 'marked';
import { slowLength } from '../parts/cut-text.ts';
import { spellOut } from '../parts/visible-text.ts';

export type Drawn = Block | Run;

/** Finished blocks, in order. */
interface Run {
  readonly kind: 'run';
  /** The HTML of one block each, which must still be sanitised. */
  readonly htmls: readonly string[];
}

interface ReadOptions {
  readonly grows?: boolean;
  readonly share?: number;
}

export class MarkdownReader {
  readonly #reader = new MarkdownText();
  #first: { readonly blocks: readonly Block[]; readonly drawn: readonly Drawn[] } | null = null;

  /**
   * Returns the blocks to draw for a text that may have grown since the last call; unchanged blocks
   * stay the same objects.
   * @param options.grows whether more text will follow
   * @param options.share the part of the limits that this text may use, from 0 to 1
   */
  read(text: string, options: ReadOptions = {}): readonly Drawn[] {
    const blocks = this.#reader.read(text, options);
    if (this.#first === null) {
      // The last block may grow.
      const stays = blocks.slice(0, -1);
      this.#first = { blocks: stays, drawn: joinHtml(stays) };
    }
    const { blocks: stayed, drawn } = this.#first;
    const same = stayed.every((block, index) => block === blocks[index]);
    return same ? [...drawn, ...blocks.slice(stayed.length)] : blocks;
  }
}

function joinHtml(blocks: readonly Block[]): readonly Drawn[] {
  const drawn: Drawn[] = [];
  let htmls: string[] = [];
  for (const block of blocks) {
    if (block.kind === 'html') {
      if (htmls.length === 0) drawn.push({ kind: 'run', htmls });
      htmls.push(block.html);
    } else {
      htmls = [];
      drawn.push(block);
    }
  }
  return drawn;
}

export type Block =
  /** HTML that must still be sanitised. */
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'plain'; readonly text: string };

/**
 * Limit of one block; characters. The rest of a longer block is plain text, since a block is parsed again at each
 * update.
 */
const windowChars = 8_000;
/** Limit of a code block, which is parsed quickly; characters. */
const longestCode = 60_000;
/**
 * Approximate limit of the elements of one text, which are all in the page together; the rest of the text is plain. An
 * answer that a user reads needs far fewer.
 */
// @mutant the budget of Markdown => 1_500 -> 600_000
const maxElements = 1_500;
/** Elements that a single block may have, however many texts are shown together. */
const leastElements = 600;
/** Factor by which a table may have more elements, since its cells are limited. */
const tableElements = 3;
/** Elements that a code block counts for: it has a button, and may have syntax colours. */
const codeElements = 40;
/** Characters whose layout takes as long as an element. */
const elementChars = 100;
/** Factor by which a character of a slow script takes longer to lay out than others. */
const slowTimes = 8;
/** Limit of nesting, since the parser's time grows with its square. */
const tooDeep = /^[ \t]*(?:(?:[>*+-]|\d+[.)])[ \t]*){20}/m;
/** Limit of markup characters in one parse, for the same reason. */
const maxSigns = 2_000;
/** Limit of the characters that are read for emphasis in one parse: for each sign that nothing closes, all that follow. */
// @mutant open emphasis in Markdown is bounded => 300_000 -> 300_000_000 [src/app/ui/markdown/markdown.test.ts]
const maxReadForEmphasis = 300_000;
/** Limit of the nesting of emphasis, which the parser reads again at each level. */
const deepestEmphasis = 20;
/** Limit of the cells of tables in one parse: each short row gets a cell for each column. */
const maxCells = 2_000;
/**
 * Matches what may be the row below a table's header. An exact pattern would take quadratic time.
 */
const tableRule = /^(?=[^-]*-)[-:| \t>]*$/;
/** The first half of a line break, or a character with the marks, joiners and tags that belong to it. */
const unfinished = /(?:\r|[^\0-\x7f][\u200d\u200c\p{M}\p{Surrogate}\u{e0020}-\u{e007f}]*)$/u;
/** Longer sequences are spelt out, whatever follows; UTF-16 units. */
const maxUnfinished = 128;
/** A code block at the start, up to its end if it has one; as the parser reads it. */
const fenced =
  /^(?:[ \t]*\n)* {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})[^\n]*(?:\n(?! {0,3}\1[~`]* *(?:\n|$))[^\n]*)*(?:\n {0,3}\1[~`]* *)?/;

export class MarkdownText {
  /** The text as received. */
  #text = '';
  /** The text as shown, as far as it has been needed. */
  #visible = '';
  /** Characters of the received text that are in the shown one. */
  #spelt = 0;
  readonly #complete: Block[] = [];
  /** Elements of the complete blocks. */
  #elements = 0;
  #max = maxElements;
  /** From the last block on, the text is plain. */
  #plain = false;
  /** Offset of the last block in the shown text. */
  #lastAt = 0;

  /**
   * The blocks of a text that may have grown since the last call; unchanged ones stay the same objects.
   * @param options.grows whether more text will follow
   * @param options.share the part of the limits that this text may use, from 0 to 1
   */
  read(text: string, { grows = false, share = 1 }: ReadOptions = {}): readonly Block[] {
    this.#max = maxElements * share;
    if (!text.startsWith(this.#text)) this.#forget();
    const until = text.length - unfinishedLength(text.slice(this.#text.length));
    this.#text = text.slice(0, until);
    const rest = spellOut(text.slice(until));
    const last = this.#last(rest, grows);
    return [...this.#complete, ...last];
  }

  /** The unfinished end of the text; blocks that others follow move to the finished ones. */
  #last(rest: string, grows: boolean): readonly Block[] {
    const plain = (): readonly Block[] => [
      {
        kind: 'plain',
        text: this.#visible.slice(this.#lastAt) + this.#text.slice(this.#spelt) + rest,
      },
    ];
    while (!this.#plain) {
      this.#spellOutNext();
      const unread = this.#visible.slice(this.#lastAt);
      const code = codeLength(unread);
      const part = unread.slice(0, code || windowChars);
      const whole = part.length === unread.length;
      const hard = code > 0 ? code === longestCode : isHard(part);
      if (this.#elements > this.#max || hard) break;
      try {
        const tokens = markdownBlocks(part);
        const from = this.#lastAt;
        // A code block that has ended does not grow.
        const end = code > 0 && !whole ? tokens.length : tokens.findLastIndex(isBlock);
        for (const token of tokens.slice(0, Math.max(0, end))) {
          const block = isBlock(token) ? blockOf(token) : null;
          // The renderer takes time for links and definitions that draw nothing, too.
          this.#elements += 1 + this.#cost(block);
          if (this.#elements === Infinity) break;
          this.#lastAt += token.raw.length;
          if (block !== null) this.#complete.push(block);
          if (this.#elements > this.#max) break;
        }
        if (this.#elements > this.#max) break;
        if (whole) {
          const open = this.#visible.slice(this.#lastAt) + rest;
          const read = grows && tokens[end]?.type !== 'code' ? closeStrong(open) : open;
          const last = (read === part ? tokens : markdownBlocks(read)).filter(isBlock).map(blockOf);
          if (last.some((block) => this.#cost(block) === Infinity)) break;
          return last;
        }
        if (this.#lastAt === from) break;
      } catch {
        // The parser overflows the stack on excessive nesting, or reads too much for emphasis.
        break;
      }
    }
    this.#plain = true;
    return plain();
  }

  /**
   * Spells out as much of the text as is parsed at once. Most of a long text stays plain, and spelling out a character
   * takes as long as showing ten others.
   */
  #spellOutNext(): void {
    while (this.#spelt < this.#text.length && this.#visible.length - this.#lastAt < longestCode) {
      const next = this.#text.slice(this.#spelt, this.#spelt + windowChars);
      const isLast = this.#spelt + next.length === this.#text.length;
      const whole = isLast ? next : next.slice(0, next.length - unfinishedLength(next));
      this.#visible += spellOut(whole).replaceAll('\r\n', '\n');
      this.#spelt += whole.length;
    }
  }

  /** Elements of a block; infinite if it alone has too many. */
  #cost(block: Block | null): number {
    const cost = block === null ? 0 : costOf(block);
    if (block?.kind !== 'html') return cost;
    const max = Math.max(this.#max, leastElements);
    return cost > (block.html.startsWith('<table') ? tableElements * max : max) ? Infinity : cost;
  }

  #forget(): void {
    this.#elements = 0;
    this.#text = '';
    this.#visible = '';
    this.#spelt = 0;
    this.#complete.length = 0;
    this.#lastAt = 0;
    this.#plain = false;
  }
}

/** Length of the end of a text that must be read together with what follows. */
function unfinishedLength(text: string): number {
  const length = unfinished.exec(text.slice(-maxUnfinished))?.[0].length ?? 0;
  if (length < maxUnfinished) return length;
  return /[\ud800-\udbff]$/.test(text) ? 1 : 0;
}

/** Returns whether a text was made to block the page, by exploiting the parser. @param part no code block at its start */
function isHard(part: string): boolean {
  if (tooDeep.test(part) || (part.match(/[_*~`[<]/g)?.length ?? 0) > maxSigns) return true;
  let columns = 0;
  let cells = 0;
  for (const line of part.split('\n')) {
    if (tableRule.test(line)) columns = Math.max(columns, line.split('|').length);
    else if (line.trim() === '') columns = 0;
    cells += columns;
  }
  return cells > maxCells;
}

/** Characters of the code block with which a text begins; 0 if it begins with something else. */
function codeLength(text: string): number {
  return fenced.exec(text.slice(0, longestCode))?.[0].length ?? 0;
}

function costOf(block: Block): number {
  if (block.kind !== 'html') return codeElements + block.text.length / elementChars;
  const slow = slowLength(block.html);
  return block.html.split('<').length / 2 + (block.html.length + slowTimes * slow) / elementChars;
}

function isBlock({ type }: Token): boolean {
  return type !== 'space' && type !== 'def';
}

function blockOf(token: Token): Block {
  if (isCode(token)) return { kind: 'code', language: token.lang ?? '', text: token.text };
  return { kind: 'html', html: blockHtml(token) };
}

/** Emphasis does not extend beyond these boundaries. */
const boundary = /\n[ \t]*(?=\n|[-*+] |\d+[.)] |[#>|])/g;

/** Closes open strong emphasis at the end of a growing text. */
export function closeStrong(block: string): string {
  const from = [...block.matchAll(boundary)].at(-1)?.index ?? 0;
  const words = block.slice(from);
  const bare = words.replace(/`[^`]*`/g, (code) => 'x'.repeat(code.length)).trimEnd();
  // Stars in code are not markup.
  if (bare.includes('`')) return block;
  // Trailing stars may be incomplete.
  const before = bare.replace(/\*+$/, '');
  const stars = bare.length - before.length;
  const kept = block.slice(0, from + before.length);
  const isOpen = (before.match(/\*\*/g)?.length ?? 0) % 2 === 1;
  // Stars before a space open no emphasis.
  if (isOpen) return /\*\*\s[^*]*$/.test(before) ? block : `${kept.trimEnd()}**`;
  // The stars have just opened emphasis, which is still empty.
  return stars > 1 || (stars === 1 && /\s$/.test(before)) ? kept : block;
}

const marked = new Marked({
  gfm: true,
  renderer: {
    // Untrusted HTML is shown as text.
    // @mutant HTML in Markdown is text => escapeHtml(text) -> text
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth }) {
      // The page has its own top-level headings.
      const level = String(Math.min(6, depth + 2));
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    code: ({ text }) => `<pre dir="ltr"><code>${escapeHtml(text)}</code></pre>`,
    codespan: ({ text }) => `<code dir="ltr">${escapeHtml(text)}</code>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      return linkHtml(href, words, { saysWhere: words === escapeHtml(href) });
    },
    // Images are never loaded, since a request would reveal to the server who reads the text,
    // and when.
    image: ({ href, text }) => linkHtml(href, `Image: ${escapeHtml(text)}`, { saysWhere: false }),
  },
});

/** Reads emphasis in one text, within limits. */
class BoundedTokenizer extends Tokenizer {
  #read = 0;
  #depth = 0;

  /** @throws {Error} beyond a limit */
  override emStrong(
    source: string,
    masked: string,
    before = '',
  ): Tokens.Em | Tokens.Strong | undefined {
    this.#depth += 1;
    if (this.#depth > deepestEmphasis)
      throw new Error('The emphasis of a text is nested too deep.');
    const found = super.emStrong(source, masked, before);
    this.#depth -= 1;
    if (found !== undefined || mayOpen(source, before)) this.#count(found?.raw ?? source);
    return found;
  }

  /** @throws {Error} beyond the limit */
  override del(source: string, masked: string, before = ''): Tokens.Del | undefined {
    // A single tilde does not strike out text, since models write it for "about".
    if (!source.startsWith('~~')) return undefined;
    const found = super.del(source, masked, before);
    this.#count(found?.raw ?? source);
    return found;
  }

  #count({ length }: string): void {
    this.#read += length;
    if (this.#read > maxReadForEmphasis) throw new Error('The emphasis of a text is not closed.');
  }
}

/** Whether the parser looks for the end of emphasis: a name such as `a_b` or a term such as `x*(` opens none. */
function mayOpen(source: string, before: string): boolean {
  const next = /^(?:\*+(?!\*)|_+(?!_))(\S)/u.exec(source)?.[1];
  if (next === undefined) return false;
  const isInWord = /[\p{L}\p{N}]/u.test(before);
  return !isInWord || (source.startsWith('*') && !/(?!~)[\p{P}\p{S}]/u.test(next));
}

/** The blocks of a text. @throws if it is nested too deep, or too much of its emphasis is not closed */
export function markdownBlocks(text: string): TokensList {
  return marked.lexer(text, { ...marked.defaults, tokenizer: new BoundedTokenizer() });
}

/** A block as HTML, which must still be sanitised. @throws if it is nested too deep */
export function blockHtml(block: Token): string {
  return marked.parser([block]);
}

function isCode(block: Token): block is Tokens.Code {
  return block.type === 'code';
}

/** A link. @param options.saysWhere whether the words are its address; otherwise they are followed by its host */
function linkHtml(href: string, words: string, { saysWhere }: { saysWhere: boolean }): string {
  const address = webAddress(href);
  if (address === null) return saysWhere ? words : `${words} (${escapeHtml(href)})`;
  const where = address.protocol === 'mailto:' ? address.pathname : address.host;
  const host = saysWhere ? '' : ` <span class="host">(${escapeHtml(where)})</span>`;
  return `<a href="${escapeHtml(address.href)}" target="_blank" rel="noopener noreferrer">${words}</a>${host}`;
}

/** Null for addresses without a server, since models must not link to parts of this page. */
function webAddress(href: string): URL | null {
  // @mutant links in Markdown lead into the web => without /^(https?|mailto):/i.test(href) || !
  if (!/^(https?|mailto):/i.test(href) || !URL.canParse(href)) return null;
  return new URL(href);
}

function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (character) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] ?? '',
  );
}
