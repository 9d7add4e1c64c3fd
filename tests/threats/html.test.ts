/** docs/decisions/attacks.md row 25: untrusted HTML becomes a harmless tree, with the browser's own sanitizer or a library's. */

import { fileURLToPath } from 'node:url';
import { test, type Page } from '@playwright/test';
import { build } from 'vite';
import { blockHtml, markdownBlocks } from '../../src/app/ui/markdown/markdown.ts';
import type * as SafeHtml from '../../src/app/ui/markdown/safe-html.ts';
import { expect } from '../support/expect.ts';

declare const safe: typeof SafeHtml;

const hostile = [
  '<img src=x onerror="top.taken = 1"><svg onload="top.taken = 1"><script>top.taken = 1</script>',
  '<a href="javascript:top.taken=1" onclick="top.taken = 1" style="position:fixed;inset:0">a</a>',
  '<a href=" java\nscript:top.taken=1">a</a><a href="jAvAsCrIpT&colon;top.taken=1">b</a>',
  '<iframe srcdoc="<script>top.taken = 1</script>"></iframe><object data="x"></object><embed src=x>',
  '<form action="//evil.example"><input name=key><button formaction="javascript:1">Go</button></form>',
  '<style>* { background: url(//evil.example) }</style><link rel=stylesheet href=//evil.example>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=1&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=top.taken=1>">',
  '<template><script>top.taken = 1</script></template><div id=body name=forms data-x=1 aria-label=y>z</div>',
  '<noscript><p title="</noscript><img src=x onerror=top.taken=1>"></noscript>',
  '<base href="//evil.example"><meta http-equiv=refresh content="0;url=//evil.example">',
  '<p is=x-y slot=z class=wide onpointerenter=top.taken=1>words<x-y autofocus onfocus=1></x-y>',
  '<a href="data:text/html,x">a</a><a href="blob:x">b</a><a href="file:///etc/passwd">c</a><a href="ms-msdt:/id">d</a>',
  '<a href="vbscript:x">a</a><a href="../api/tools">b</a><a href="//evil.example">c</a>',
  `${'<div>'.repeat(600)}<img src=x onerror=top.taken=1>`,
];

const plain = `# A *title*\n\nWords, \`code\` & <b>no tags</b>, [a link](https://docs.example/a?b=1&c="2") and ~~less~~.
\n1. one\n   - two\n\n3) three\n\n> quoted\n\n| a | b |\n| - | -: |\n| 1 | \`2\` |\n\n---\n\n- [x] done\n\n![a picture](https://pictures.example/1.png)\n\nmailto:a@b.example\n`;

async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('../../src/app/ui/markdown/safe-html.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, name: 'safe', formats: ['iife'] } },
  });
  const [first] = Array.isArray(built) ? built : [built];
  const [chunk] = 'output' in first ? first.output : [];
  if (chunk?.type !== 'chunk') throw new Error('Nothing was built.');
  return chunk.code;
}

/** Takes the browser's own sanitizer away, or leaves it. @returns the type of what was there */
function without(page: Page, isLibrary: boolean): Promise<string> {
  return page.evaluate((takesAway) => {
    const { prototype } = Element as unknown as { prototype: { setHTML?: unknown } };
    const had = typeof prototype.setHTML;
    if (takesAway) delete prototype.setHTML;
    return had;
  }, isLibrary);
}

let code = '';
test.beforeAll(async () => {
  code = await bundle();
});

for (const way of ['the browser', 'the library'])
  test(`nothing runs, loads, leads away or lies above the page (${way})`, async ({ page }) => {
    await page.setContent('<!doctype html><body></body>');
    // Otherwise no test would cover the first way.
    expect(await without(page, way === 'the library')).toBe('function');
    await page.addScriptTag({ content: code });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const kept = await page.evaluate((texts) => {
      for (const text of texts) document.body.append(safe.safeTree(text));
      const all = [...document.body.querySelectorAll('*:not(script)')];
      return {
        tags: [...new Set(all.map(({ localName }) => localName))].sort(),
        attributes: [...new Set(all.flatMap((one) => one.getAttributeNames()))].sort(),
        links: all.map((one) => one.getAttribute('href')).filter((href) => href !== null),
      };
    }, hostile);
    // The last request that is made shows that earlier ones would have been seen.
    const last = 'http://last.invalid/';
    const lastMade = page.waitForRequest(last);
    await page.evaluate((address) => {
      new Image().src = address;
    }, last);
    await lastMade;
    const allowed =
      'a blockquote br code del div em h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul';
    expect(kept.tags.filter((tag) => !allowed.split(' ').includes(tag))).toEqual([]);
    expect(kept.attributes.filter((name) => !['href', 'class'].includes(name))).toEqual([]);
    expect(kept.links).toEqual([]);
    expect(requests).toEqual([last]);
    expect(await page.evaluate(() => 'taken' in window)).toBe(false);
  });

for (const way of ['the browser', 'the library'])
  test(`hundreds of thousands of blocks are no more than slow (${way})`, async ({ page }) => {
    await page.setContent('<!doctype html><body></body>');
    await without(page, way === 'the library');
    await page.addScriptTag({ content: code });
    const count = await page.evaluate(
      () => safe.safeTree('<p>a</p>'.repeat(300_000)).childElementCount,
    );
    expect(count).toBe(300_000);
  });

test('a browser whose sanitizer does not know what we tell it is not relied on', async ({
  page,
}) => {
  await page.setContent('<!doctype html><body></body>');
  await page.evaluate(() => {
    Object.assign(Element.prototype, {
      setHTML(this: Element, html: string) {
        this.innerHTML = html;
      },
    });
  });
  await page.addScriptTag({ content: code });
  const kept = await page.evaluate(() => {
    const room = document.createElement('div');
    room.append(safe.safeTree('<p id="a">b</p><img title="c">'));
    return room.innerHTML;
  });
  expect(kept).toBe('<p>b</p>');
});

test('both leave Markdown as it is', async ({ page }) => {
  const html = markdownBlocks(plain).map(blockHtml).join('');
  const trees: string[] = [];
  for (const isLibrary of [false, true]) {
    await page.setContent('<!doctype html><body></body>');
    await without(page, isLibrary);
    await page.addScriptTag({ content: code });
    const tree = await page.evaluate((text) => {
      const room = document.createElement('div');
      room.append(safe.safeTree(text));
      return room.innerHTML;
    }, html);
    trees.push(tree);
  }
  const asWritten = await page.evaluate((text) => {
    const { body } = new DOMParser().parseFromString(text, 'text/html');
    return body.innerHTML;
  }, html);
  expect(trees).toEqual([asWritten, asWritten]);
});
