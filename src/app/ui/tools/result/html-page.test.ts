import fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlPage, type HtmlPage } from './html-page.ts';
import { threadMs } from '../../../../../tests/support/thread-time.ts';

function page(html: string): HtmlPage {
  const steps = htmlPage(html);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function body(html: string): string {
  return /<font[^>]*>(.*)<\/font><\/body><\/html>$/s.exec(page(html).document)?.[1] ?? '';
}

test('tables, lists and words stay', () => {
  const table =
    '<table class=x><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td align=right>1 &lt; 2';
  expect(body(table)).toBe(
    '<table rules="rows" frame="hsides" cellpadding="4" cellspacing="0"><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td align="right">1 &lt; 2</td></tr></tbody></table>',
  );
  expect(body('<UL><li>one<li><b>two</b></UL><p dir=rtl>&amp;<br/>x')).toBe(
    '<ul><li>one</li><li><b>two</b></li></ul><p dir="rtl">&amp;<br>x</p>',
  );
});

test('end tags may be left out', () => {
  const rows = '<tr><td>1<td>2'.repeat(100);
  expect(page(`<table><tbody>${rows}<p>x<p>y<table><tr><td>z</table>`).cut).toBe(false);
  expect(body('<ul><li><p>a<ul><li>b</ul><li>c</ul><dl><dt>d<dd>e<dt>f')).toBe(
    '<ul><li><p>a</p><ul><li>b</li></ul></li><li>c</li></ul><dl><dt>d</dt><dd>e</dd><dt>f</dt></dl>',
  );
  expect(body('<p>x'.repeat(3))).toBe('<p>x</p><p>x</p><p>x</p>');
});

test('the policy of the page comes before anything of the tool', () => {
  const { document } = page('<p>x</p>');
  expect(document.indexOf("default-src 'none'")).toBeGreaterThan(0);
  expect(document.indexOf("default-src 'none'")).toBeLessThan(document.indexOf('<p>x'));
});

test('scripts, styles, frames, addresses and handlers are left out', () => {
  const hostile = [
    '<script>top.taken = 1</script>',
    '<SCRIPT src="//evil.example">x</SCRIPT >',
    '<style>* { background: url(//evil.example) }</style>',
    '<link rel=dns-prefetch href=//evil.example><base href=//evil.example>',
    '<meta http-equiv=refresh content="0;url=//evil.example">',
    '<iframe srcdoc="<script>1</script>"></iframe><svg onload=1><a/></svg>',
    '<form action=//evil.example><input autofocus onfocus=1></form>',
    '<video src=//evil.example></video><!-- <script>1</script> --><?x y?><!doctype y>',
  ];
  expect(hostile.map(body)).toEqual(hostile.map(() => ''));
  expect(body('<a href="javascript:1" onclick=1 style="x">words</a>')).toBe('words');
  expect(
    body('<img src="//evil.example" alt="a <b>"> <p onclick="1" style="position:fixed">x'),
  ).toBe('[Image: a &lt;b&gt;] <p>x</p>');
});

test('nothing but known elements and attributes comes out, whatever goes in', () => {
  const piece = fc.constantFrom(
    ...[
      '<',
      '>',
      '"',
      "'",
      '/',
      '=',
      ' ',
      'a',
      'script',
      'table',
      '<td colspan=3 ',
      '</',
      '<!--',
      '-->',
    ],
    ...[
      '<p title="',
      "<img alt='",
      '&lt;',
      '<style',
      '</style',
      '<svg>',
      '\0',
      'onload',
      '<b',
      '<x-y',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const left = body(pieces.join('')).replace(
        /<\/?(?:table|p|b|td)(?: (?:colspan="\d+"|rules="rows"|frame="hsides"|cell\w+="\d"))*>/g,
        '',
      );
      expect(left).not.toMatch(/[<>]/);
    }),
    { numRuns: 1_000 },
  );
});

test('elements, nesting, tables in tables, spans and length are bounded', () => {
  const count = (html: string, name: string): number => html.split(`<${name}`).length - 1;
  const many = page('<p>x</p>'.repeat(20_000));
  expect([count(many.document, 'p>'), many.cut]).toEqual([5_000, true]);
  expect(count(body('<div>'.repeat(1_000)), 'div')).toBe(40);
  expect(count(body('<table><tr><td>'.repeat(100)), 'table')).toBe(3);
  const spans = body('<td colspan=400>x</td>'.repeat(3));
  expect(count(spans, 'td colspan')).toBe(1);
  expect(page('<td colspan=65000>').cut).toBe(true);
  expect(page('x'.repeat(1_000_000)).document.length).toBeLessThan(201_000);
  expect([page('<p>x').cut, page('<td colspan=3>').cut]).toEqual([false, false]);
});

test('texts that were made to take long do not', () => {
  const texts = [
    '<script>'.repeat(25_000),
    '<'.repeat(200_000),
    `<p ${'a="" '.repeat(40_000)}>`,
    `<p ${'"'.repeat(200_000)}`,
    '<!--'.repeat(50_000),
    '</p>'.repeat(50_000),
    `<a ${' '.repeat(200_000)}`,
    '<b a=1>'.repeat(10_000) + '<p>'.repeat(10_000),
  ];
  for (const text of texts) {
    const began = threadMs();
    page(text);
    expect.soft(threadMs() - began, text.slice(0, 20)).toBeLessThan(1_000);
  }
});
