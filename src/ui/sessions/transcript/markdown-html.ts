/** Markdown as HTML that holds nothing but words: no HTML of its own, no pictures, no addresses but of the web. */

import { Marked, type Token, type Tokens, type TokensList } from 'marked';
import { lazily } from '../../parts/lazily.ts';

const marked = lazily(
  () =>
    new Marked({
      gfm: true,
      tokenizer: {
        // A single tilde strikes nothing out: models write it for "about".
        del: (source) => (source.startsWith('~~') ? false : undefined),
      },
      renderer: {
        // Somebody else's HTML is text.
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

/** One block as HTML, still to be sanitised. @throws likewise */
export function blockHtml(block: Token): string {
  return marked().parser([block]);
}

export function isCode(block: Token): block is Tokens.Code {
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
