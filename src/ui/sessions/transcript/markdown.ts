/** Reads Markdown while it is being written, and turns its blocks into HTML that is still to be sanitised. */

import { Marked, type Token, type Tokens, type TokensList } from 'marked';
import { lazy } from '../../parts/lazy.ts';
import { visibleText } from '../../parts/visible-text.ts';

export type Drawn = Block | Run;

/** Blocks that stay as they are, one behind the other. */
interface Run {
  readonly kind: 'run';
  /** One block each; still to be sanitised. */
  readonly htmls: readonly string[];
}

export class MarkdownRuns {
  readonly #reader = new MarkdownText();
  #first: { readonly blocks: readonly Block[]; readonly drawn: readonly Drawn[] } | null = null;

  /** What is to be drawn of a text, which may have grown since the last time; what stays are the same objects. @param grows it will go on */
  read(text: string, grows = false): readonly Drawn[] {
    const blocks = this.#reader.read(text, grows);
    if (this.#first === null) {
      // The last one may grow.
      const stays = blocks.slice(0, -1);
      this.#first = { blocks: stays, drawn: together(stays) };
    }
    const { blocks: stayed, drawn } = this.#first;
    const same = stayed.every((block, index) => block === blocks[index]);
    return same ? [...drawn, ...blocks.slice(stayed.length)] : blocks;
  }
}

function together(blocks: readonly Block[]): readonly Drawn[] {
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
  /** Still to be sanitised. */
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'plain'; readonly text: string };

/** Characters that are parsed at once. The rest of a longer block is shown as plain text, since it would be parsed again at every update. */
const windowChars = 8_000;
/** Code is read in no time. */
const longestCode = 200_000;
/** Characters of a text that are read at all. */
const mostChars = 400_000;
/** Blocks that are drawn, about: each is an element or more, and what is in view of a text is all of it. */
const mostBlocks = 10_000;
/** Deeper than any reader goes; the parser's time grows with the square of it. */
const tooDeep = /^[ \t]*(?:(?:[>*+-]|\d+[.)])[ \t]*){20}/m;
/** Characters of markup in one parse, limited for the same reason. */
const mostSigns = 2_000;
const fence = /^\s{0,3}(?:```|~~~)/;

export class MarkdownText {
  /** As it came. */
  #text = '';
  /** As it is shown. */
  #visible = '';
  readonly #complete: Block[] = [];
  /** From the last block on, the text is shown as it is. */
  #plain = false;
  /** Where in what is shown the last block begins. */
  #lastAt = 0;

  /**
   * The blocks of a text, which may have grown since the last time; those that stay are the same objects.
   *
   * @param grows it will go on
   */
  read(text: string, grows = false): readonly Block[] {
    if (!text.startsWith(this.#text)) this.#forget();
    // Half a character or half a line break says what it is once the other half is there.
    const held = /[\ud800-\udbff\r]$/.test(text) ? 1 : 0;
    const until = Math.max(this.#text.length, text.length - held);
    this.#visible += visibleText(text.slice(this.#text.length, until)).replaceAll('\r\n', '\n');
    this.#text = text.slice(0, until);
    const rest = held === 0 ? '' : visibleText(text.slice(until));
    const last = this.#last(rest, grows);
    return [...this.#complete, ...last];
  }

  /** What is not complete yet; moves to the complete ones what has another block behind it. */
  #last(rest: string, grows: boolean): readonly Block[] {
    const plain = (): readonly Block[] => [
      { kind: 'plain', text: this.#visible.slice(this.#lastAt) + rest },
    ];
    while (!this.#plain) {
      const left = this.#visible.slice(this.#lastAt);
      const room = fence.test(left) ? longestCode : windowChars;
      const whole = left.length <= room;
      const part = whole ? left : left.slice(0, room);
      if (this.#lastAt > mostChars || this.#complete.length > mostBlocks || isHard(part)) break;
      try {
        const tokens = markdownBlocks(part);
        const from = this.#lastAt;
        const end = tokens.findLastIndex(isBlock);
        for (const token of tokens.slice(0, Math.max(0, end))) {
          this.#lastAt += token.raw.length;
          if (isBlock(token)) this.#complete.push(blockOf(token));
        }
        if (whole) {
          const open = this.#visible.slice(this.#lastAt) + rest;
          const read = grows && !fence.test(open) ? closedStrong(open) : open;
          return markdownBlocks(read).filter(isBlock).map(blockOf);
        }
        if (this.#lastAt === from) break;
      } catch {
        // The parser gives up on what is nested beyond its stack.
        return plain();
      }
    }
    this.#plain = true;
    return plain();
  }

  #forget(): void {
    this.#text = '';
    this.#visible = '';
    this.#complete.length = 0;
    this.#lastAt = 0;
    this.#plain = false;
  }
}

/** Made to hold up the page, by someone who knows how it is read. */
function isHard(part: string): boolean {
  if (fence.test(part)) return false;
  return tooDeep.test(part) || (part.match(/[_*~`[<]/g)?.length ?? 0) > mostSigns;
}

function isBlock({ type }: Token): boolean {
  return type !== 'space' && type !== 'def';
}

function blockOf(token: Token): Block {
  if (isCode(token)) return { kind: 'code', language: token.lang ?? '', text: token.text };
  return { kind: 'html', html: blockHtml(token) };
}

/** Emphasis does not reach over these. */
const boundary = /\n[ \t]*(?=\n|[-*+] |\d+[.)] |[#>|])/g;

/** Closes strong emphasis that is still open at the end of a growing text. */
export function closedStrong(block: string): string {
  const from = [...block.matchAll(boundary)].at(-1)?.index ?? 0;
  const words = block.slice(from);
  const bare = words.replace(/`[^`]*`/g, (code) => 'x'.repeat(code.length)).trimEnd();
  // Within code a star is a star.
  if (bare.includes('`')) return block;
  // The stars that end it may be half of what they will be.
  const before = bare.replace(/\*+$/, '');
  const stars = bare.length - before.length;
  const kept = block.slice(0, from + before.length);
  const isOpen = (before.match(/\*\*/g)?.length ?? 0) % 2 === 1;
  // Stars with a space behind them open nothing.
  if (isOpen) return /\*\*\s[^*]*$/.test(before) ? block : `${kept.trimEnd()}**`;
  // These stars open emphasis without content so far.
  return stars > 1 || (stars === 1 && /\s$/.test(before)) ? kept : block;
}

const marked = lazy(
  () =>
    new Marked({
      gfm: true,
      tokenizer: {
        // A single tilde strikes nothing out: models write it for "about".
        del: (source) => (source.startsWith('~~') ? false : undefined),
      },
      renderer: {
        // Untrusted HTML is shown as text.
        html: ({ text }) => escaped(text),
        heading({ tokens, depth }) {
          // The page has its own first headings.
          const level = String(Math.min(6, depth + 2));
          return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
        },
        code: ({ text }) => `<pre dir="ltr"><code>${escaped(text)}</code></pre>`,
        codespan: ({ text }) => `<code dir="ltr">${escaped(text)}</code>`,
        checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
        link({ href, tokens }) {
          const words = this.parser.parseInline(tokens);
          return linked(href, words, words === escaped(href));
        },
        // Never fetched: an address tells its server who reads, and when.
        image: ({ href, text }) => linked(href, `Image: ${escaped(text)}`, false),
      },
    }),
);

/** The blocks of a text. @throws where it is nested absurdly deep */
export function markdownBlocks(text: string): TokensList {
  return marked().lexer(text);
}

/** One block as HTML, still to be sanitised. @throws where it is nested absurdly deep */
export function blockHtml(block: Token): string {
  return marked().parser([block]);
}

function isCode(block: Token): block is Tokens.Code {
  return block.type === 'code';
}

function linked(href: string, words: string, saysWhere: boolean): string {
  const address = webAddress(href);
  if (address === null) return saysWhere ? words : `${words} (${escaped(href)})`;
  const where = address.protocol === 'mailto:' ? address.pathname : address.host;
  const host = saysWhere ? '' : ` <span class="host">(${escaped(where)})</span>`;
  return `<a href="${escaped(address.href)}" target="_blank" rel="noopener noreferrer">${words}</a>${host}`;
}

/** Null for what is of no server: a part of this page is nothing that a model may lead to. */
function webAddress(href: string): URL | null {
  if (!/^(https?|mailto):/i.test(href) || !URL.canParse(href)) return null;
  return new URL(href);
}

function escaped(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (character) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] ?? '',
  );
}
