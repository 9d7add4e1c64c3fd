/** Reads Markdown that is still being written: what is complete is read once, only the last block again. */

import type { Token } from 'marked';
import { visibleText } from '../../parts/visible-text.ts';
import { blockHtml, isCode, markdownBlocks } from './markdown-html.ts';
import { closedStrong } from './unfinished.ts';

export type Block =
  /** Still to be sanitised. */
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'plain'; readonly text: string };

/** Characters that are read at once: more of one block is shown as it is, since it would be read anew with every picture. */
const windowChars = 8_000;
/** Code is read in no time. */
const longestCode = 200_000;
/** Characters of a text that are read at all. */
const mostChars = 400_000;
/** Blocks that are drawn, about: each is an element or more, and what is in view of a text is all of it. */
const mostBlocks = 10_000;
/** Deeper than any reader goes; the parser's time grows with the square of it. */
const tooDeep = /^[ \t]*(?:(?:[>*+-]|\d+[.)])[ \t]*){20}/m;
/** Signs that may open or close something, in one reading: likewise. */
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

/** Made to hold up the page, by somebody who knows how it is read. */
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
