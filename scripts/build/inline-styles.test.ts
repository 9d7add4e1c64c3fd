/** A built page with inlined styles. */

import { expect, test } from 'vitest';
import { forgetInlined, inlineStyles, refuseInlined } from './inline-styles.ts';

const page = `<head>
    <link rel="icon" href="./icon.svg">
    <link rel="stylesheet" crossorigin href="./assets/index-1.css">
  </head>`;

function bundle(css: string): Parameters<typeof inlineStyles>[1] {
  const asset = { type: 'asset', fileName: 'assets/index-1.css', source: css };
  return { 'assets/index-1.css': asset } as unknown as Parameters<typeof inlineStyles>[1];
}

test('the styles are in the page, with addresses that count from it, and no file of their own', () => {
  const files = bundle(`@font-face{src:url(./a.woff2)}b{background:url("./b.svg")}\n`);
  const { page: built, styles } = inlineStyles(page, files);
  expect(styles).toBe('@font-face{src:url(./assets/a.woff2)}b{background:url("./assets/b.svg")}');
  expect(built).toContain(`<style>${styles}</style>`);
  expect(built).not.toContain('stylesheet');
  expect(Object.keys(files)).toEqual([]);
});

test('a replacement pattern in the styles is text', () => {
  expect(inlineStyles(page, bundle("a{content:'$&'}")).page).toContain("a{content:'$&'}");
});

test.each([
  ['no stylesheet', '<head></head>', 'a{}'],
  ['two stylesheets', page + page, 'a{}'],
  ['a text that ends the element', page, 'a{content:"</style>"}'],
])('%s is refused', (_, html, css) => {
  expect(() => inlineStyles(html, bundle(css))).toThrow();
});

test('a chunk that would load what was inlined is refused', () => {
  const chunk = (code: string) =>
    ({ 'assets/a.js': { type: 'chunk', fileName: 'assets/a.js', code } }) as unknown as Parameters<
      typeof refuseInlined
    >[1];
  expect(() => {
    refuseInlined('assets/index-1.css', chunk('load("./index-1.css")'));
  }).toThrow('src/app/compose.ts');
  refuseInlined('assets/index-1.css', chunk('load("./index-2.css")'));
});

test('a chunk that names what was inlined names the page’s script instead', () => {
  const chunk = (fileName: string, code: string, isEntry: boolean) => ({
    type: 'chunk',
    fileName,
    code,
    isEntry,
  });
  const files = {
    'assets/index-1.js': chunk('assets/index-1.js', 'import("./a.js")', true),
    'assets/a.js': chunk('assets/a.js', 'd=["./b.js","./index-1.css"]', false),
  };
  forgetInlined('assets/index-1.css', files as unknown as Parameters<typeof forgetInlined>[1]);
  expect(files['assets/a.js'].code).toBe('d=["./b.js","./index-1.js"]');
});
