/** Reads Markdown that is still being written: what is complete is read once, only the last block again. */

import type { Token } from 'marked';
import { visibleText } from '../text/visible-text.ts';
import { blockHtml, isCode, markdownBlocks } from './markdown-html.ts';

export type Block =
  /** Still to be sanitised. */
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'plain'; readonly text: string };

/** Characters of one block beyond which reading it anew with every picture would hold up the page. */
const longestBlock = 50_000;

export class MarkdownText {
  /** As it came. */
  #text = '';
  /** As it is shown. */
  #visible = '';
  readonly #complete: Block[] = [];
  /** Where in what is shown the last block begins. */
  #lastAt = 0;

  /** The blocks of a text, which may have grown since the last time; those that stay are the same objects. */
  read(text: string): readonly Block[] {
    if (!text.startsWith(this.#text)) this.#forget();
    // Half a character or half a line break says what it is once the other half is there.
    const held = /[\ud800-\udbff\r]$/.test(text) ? 1 : 0;
    const until = Math.max(this.#text.length, text.length - held);
    this.#visible += visibleText(text.slice(this.#text.length, until)).replaceAll('\r\n', '\n');
    this.#text = text.slice(0, until);
    const rest = held === 0 ? '' : visibleText(text.slice(until));
    const last = this.#last(rest);
    return [...this.#complete, ...last];
  }

  /** What is not complete yet; moves to the complete ones what has another block behind it. */
  #last(rest: string): readonly Block[] {
    const open = (): string => this.#visible.slice(this.#lastAt) + rest;
    if (open().length > longestBlock) return [{ kind: 'plain', text: open() }];
    try {
      const tokens = markdownBlocks(this.#visible.slice(this.#lastAt));
      const end = tokens.findLastIndex(isBlock);
      for (const token of tokens.slice(0, Math.max(0, end))) {
        this.#lastAt += token.raw.length;
        if (isBlock(token)) this.#complete.push(blockOf(token));
      }
      const left = rest === '' ? tokens.slice(Math.max(0, end)) : markdownBlocks(open());
      return left.filter(isBlock).map(blockOf);
    } catch {
      // Nested deeper than any reader goes.
      return [{ kind: 'plain', text: open() }];
    }
  }

  #forget(): void {
    this.#text = '';
    this.#visible = '';
    this.#complete.length = 0;
    this.#lastAt = 0;
  }
}

function isBlock({ type }: Token): boolean {
  return type !== 'space' && type !== 'def';
}

function blockOf(token: Token): Block {
  if (isCode(token)) return { kind: 'code', language: token.lang ?? '', text: token.text };
  return { kind: 'html', html: blockHtml(token) };
}
