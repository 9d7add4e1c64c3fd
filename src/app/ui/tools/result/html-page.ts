/**
 * Makes a harmless page of a tool's HTML: elements without scripts, styles and addresses, as many
 * as are drawn quickly. The text is read here, in small steps, since a browser's parser can make
 * millions of elements of a short text.
 */

export interface HtmlPage {
  /** A whole document, for a sandboxed frame. */
  readonly document: string;
  /** Whether something was left out because of a limit. */
  readonly cut: boolean;
  /** Approximate height in lines. */
  readonly lines: number;
}

/** Characters of a text that are read. */
const maxChars = 200_000;
// @mutant HTML of a tool: its elements are bounded => 5_000 -> 5_000_000
const maxElements = 5_000;
const deepest = 40;
/** Nested tables are laid out several times at each level. */
const deepestTables = 3;
/** Rows or columns that the cells of a page may span in addition to their own. */
const maxSpans = 500;
const maxTagChars = 20_000;

const kept = new Set(
  (
    'div p br hr strong em b i u s sub sup small mark del ins code pre kbd samp var blockquote ul ol li dl dt dd ' +
    'h1 h2 h3 h4 h5 h6 table caption thead tbody tfoot tr th td span abbr q cite details summary figure figcaption'
  ).split(' '),
);
const empty = new Set(['br', 'hr']);
/** Elements that are dropped with everything inside. */
const dropped = new Set(
  (
    'script style template iframe noscript noembed noframes textarea title xmp select object svg math video audio ' +
    'canvas head'
  ).split(' '),
);
/** Elements that begin a line. */
const lines = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 tr li dt dd pre summary caption figcaption'.split(' '),
);

const cells = ['td', 'th'];
const rows = [...cells, 'tr'];
const groups = [...rows, 'thead', 'tbody', 'tfoot'];
/**
 * Elements that a start tag ends if their end tag was left out, unless one of the `within` elements
 * is around them.
 */
const ends: Readonly<
  Record<string, { readonly open: readonly string[]; readonly within: string }>
> = {
  li: { open: ['p', 'li'], within: 'ul ol table' },
  dt: { open: ['p', 'dt', 'dd'], within: 'dl table' },
  dd: { open: ['p', 'dt', 'dd'], within: 'dl table' },
  td: { open: cells, within: 'table' },
  th: { open: cells, within: 'table' },
  tr: { open: rows, within: 'table' },
  thead: { open: groups, within: 'table' },
  tbody: { open: groups, within: 'table' },
  tfoot: { open: groups, within: 'table' },
  ...Object.fromEntries(
    'p div ul ol dl pre table hr blockquote details h1 h2 h3 h4 h5 h6'
      .split(' ')
      .map((name) => [name, { open: ['p'], within: 'div td th li dd blockquote details table' }]),
  ),
};

/**
 * The frame inherits the page's policy; its own allows nothing at all. Tables get their lines from attributes, since no
 * style is allowed.
 */
const head =
  '<!doctype html><html lang="en"><meta charset="utf-8">' +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">` +
  '<meta name="color-scheme" content="light dark"><title>HTML of a tool</title>' +
  '<body><font face="system-ui, sans-serif" size="2">';
const tableLook = ' rules="rows" frame="hsides" cellpadding="4" cellspacing="0"';

const tagName = /\/?([a-z][a-z0-9-]*)/iy;
const attribute = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;

export function* htmlPage(whole: string): Generator<void, HtmlPage> {
  const text = whole.slice(0, maxChars);
  const page = new Page();
  if (whole.length > maxChars) page.cut = true;
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('<', at);
    page.text(text.slice(at, start === -1 ? text.length : start));
    if (start === -1) break;
    at = readTag(text, start, page);
    yield;
  }
  return {
    document: `${head}${page.closingTags()}</font></body></html>`,
    cut: page.cut,
    lines: page.lines,
  };
}

/** Reads a tag. @returns the offset at which the text continues */
function readTag(text: string, start: number, page: Page): number {
  if (text.startsWith('<!--', start)) return endOf(text, '-->', start + 4);
  if (/[!?]/.test(text.charAt(start + 1))) return endOf(text, '>', start + 1);
  tagName.lastIndex = start + 1;
  const [tag, given = ''] = tagName.exec(text) ?? [];
  if (tag === undefined) {
    page.text('<');
    return start + 1;
  }
  const name = given.toLowerCase();
  const isEnd = tag.startsWith('/');
  const attributes = new Map<string, string>();
  let at = start + 1 + tag.length;
  while (at < text.length && at - start < maxTagChars) {
    attribute.lastIndex = at;
    const found = attribute.exec(text);
    if (found === null || attribute.lastIndex === at) break;
    at = attribute.lastIndex;
    const [, key = '', double, single, bare] = found;
    attributes.set(key.toLowerCase(), double ?? single ?? bare ?? '');
  }
  at = endOf(text, '>', at);
  if (isEnd) page.end(name);
  // @mutant HTML of a tool: elements are dropped with their content => removed
  else if (dropped.has(name)) return afterElement(text, name, at);
  else page.begin(name, attributes);
  return at;
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

/**
 * Returns the offset after an element that is dropped with its content; the end of the text if it
 * is not closed.
 */
function afterElement(text: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  end.lastIndex = from;
  return end.test(text) ? endOf(text, '>', end.lastIndex) : text.length;
}

class Page {
  cut = false;
  lines = 1;
  #html = '';
  #elements = 0;
  #spans = 0;
  readonly #open: string[] = [];

  text(text: string): void {
    this.lines += text.length / 100;
    this.#html += text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  }

  begin(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'img') {
      this.text(`[Image${attributes.has('alt') ? `: ${attributes.get('alt') ?? ''}` : ''}]`);
      return;
    }
    // @mutant HTML of a tool: only known elements => removed
    if (!kept.has(name)) return;
    this.#endBefore(name);
    const tables = name === 'table' ? this.#open.filter((one) => one === 'table').length : 0;
    if (
      this.#elements === maxElements ||
      this.#open.length === deepest ||
      tables === deepestTables
    ) {
      this.cut = true;
      return;
    }
    this.#elements += 1;
    if (lines.has(name)) this.lines += 1;
    this.#html += `<${name}${name === 'table' ? tableLook : ''}${this.#spanAttributes(attributes)}>`;
    if (!empty.has(name)) this.#open.push(name);
  }

  end(name: string): void {
    const index = this.#open.lastIndexOf(name);
    // An end tag inside a cell does not end what is around its table.
    if (index === -1 || (name !== 'table' && this.#open.lastIndexOf('table') > index)) return;
    this.#close(index);
  }

  closingTags(): string {
    this.#close(0);
    return this.#html;
  }

  #endBefore(name: string): void {
    const ending = Object.hasOwn(ends, name) ? ends[name] : undefined;
    if (ending === undefined) return;
    const around = ending.within.split(' ');
    const inside = this.#open.findLastIndex(
      (one) => around.includes(one) && !ending.open.includes(one),
    );
    const index = this.#open.findIndex((one, at) => at > inside && ending.open.includes(one));
    if (index !== -1) this.#close(index);
  }

  #close(index: number): void {
    for (const one of this.#open.splice(index).reverse()) this.#html += `</${one}>`;
  }

  /** Attributes with one of a few values. */
  #spanAttributes(attributes: ReadonlyMap<string, string>): string {
    let text = '';
    for (const name of ['colspan', 'rowspan', 'start']) {
      const value = Number(attributes.get(name) ?? 1);
      if (!Number.isInteger(value) || value <= 1) continue;
      if (name !== 'start') {
        if (this.#spans + value > maxSpans) {
          this.cut = true;
          continue;
        }
        this.#spans += value;
      }
      text += ` ${name}="${String(value)}"`;
    }
    for (const [name, values] of [
      ['align', 'left right center'],
      ['dir', 'ltr rtl auto'],
      ['scope', 'row col'],
    ] as const) {
      const value = attributes.get(name)?.toLowerCase() ?? '';
      if (value !== '' && values.split(' ').includes(value)) text += ` ${name}="${value}"`;
    }
    return text;
  }
}
