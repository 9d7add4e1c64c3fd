/** Listings of package indexes: what is read from them, and what is ignored. */

import { expect, test } from 'vitest';
import { filesOfJson, filesOfLinks } from './simple-index.ts';

const address = 'https://index.example/simple/requests/';
const hash = 'ab'.repeat(32);
const filename = 'requests-2.28.1-py3-none-any.whl';
const plain = {
  filename,
  url: `https://index.example/simple/requests/${filename}`,
  sha256: null,
  requiresPython: null,
  yanked: false,
  metadata: null,
};

function json(...files: unknown[]) {
  return filesOfJson(JSON.stringify({ meta: { 'api-version': '1.1' }, files }), address);
}

function link(href: string, attributes: Record<string, string> = {}, text = filename) {
  return filesOfLinks([{ href, text, attributes }], address);
}

test('a file of a JSON listing', () => {
  expect(
    json({
      filename,
      url: `../../packages/${filename}`,
      hashes: { md5: 'x', sha256: hash.toUpperCase() },
      'requires-python': '>=3.7',
      yanked: false,
      'core-metadata': { sha256: hash },
    }),
  ).toEqual([
    {
      filename,
      url: `https://index.example/packages/${filename}`,
      sha256: hash,
      requiresPython: '>=3.7',
      yanked: false,
      metadata: { sha256: hash },
    },
  ]);
  expect(json({ filename, url: filename })).toEqual([plain]);
});

test.each([
  [undefined, false],
  [false, false],
  [null, false],
  ['', false],
  [true, true],
  ['it is broken', true],
  [1, false],
])('yanked in JSON: %j', (yanked, is) => {
  expect(json({ filename, url: filename, yanked })).toEqual([{ ...plain, yanked: is }]);
});

test.each([
  [{ 'core-metadata': true }, { sha256: null }],
  [{ 'core-metadata': {} }, { sha256: null }],
  [{ 'dist-info-metadata': { sha256: hash.toUpperCase() } }, { sha256: hash }],
  [{ 'core-metadata': false, 'dist-info-metadata': true }, null],
  [{ 'core-metadata': false }, null],
  [{}, null],
])('separate METADATA in JSON: %j', (value, metadata) => {
  expect(json({ filename, url: filename, ...value })).toEqual([{ ...plain, metadata }]);
});

test.each([
  [{ sha256: 'xyz' }],
  [{ sha256: `${hash}0` }],
  [{ sha256: 1 }],
  [{ sha256: null }],
  [{ md5: hash }],
  [null],
  ['x'],
  [[]],
])('invalid hashes: %j', (hashes) => {
  expect(json({ filename, url: filename, hashes })).toEqual([plain]);
});

test('anything that is not a file of the listing is left out', () => {
  expect(
    json(
      null,
      1,
      'x',
      [],
      {},
      { filename },
      { url: filename },
      { filename: 1, url: filename },
      { filename, url: 1 },
      { filename, url: 'https://[' },
      { filename, url: 'javascript:alert(1)' },
      { filename, url: 'data:application/zip,x' },
      { filename, url: 'file:///etc/passwd' },
      { filename, url: 'blob:https://cloche.example/x' },
    ),
  ).toEqual([]);
  expect(json({ filename, url: filename, 'requires-python': 3 })).toEqual([plain]);
  expect(json({ filename, url: filename, 'requires-python': '' })).toEqual([plain]);
  expect(json({ filename, url: `${filename}#sha256=${hash}` })).toEqual([plain]);
});

test.each([['{'], ['null'], ['[]'], ['"x"'], ['{}'], ['{"files":{}}'], ['']])(
  'not a listing: %s',
  (text) => {
    expect(() => filesOfJson(text, address)).toThrow();
  },
);

test('a hundred thousand files are cut to the limit', () => {
  const files = Array<object>(100_000).fill({ filename, url: filename });
  expect(json(...files)).toHaveLength(50_000);
  const links = files.map(() => ({ href: filename, text: filename, attributes: {} }));
  expect(filesOfLinks(links, address)).toHaveLength(50_000);
});

test('a file of an HTML listing', () => {
  expect(
    link(
      `../../packages/${filename}#sha256=${hash.toUpperCase()}`,
      { 'data-requires-python': '>=3.7', 'data-core-metadata': `sha256=${hash}` },
      `\n ${filename} `,
    ),
  ).toEqual([
    {
      filename,
      url: `https://index.example/packages/${filename}`,
      sha256: hash,
      requiresPython: '>=3.7',
      yanked: false,
      metadata: { sha256: hash },
    },
  ]);
});

test.each([
  [{}, {}],
  [{ 'data-yanked': '' }, { yanked: true }],
  [{ 'data-yanked': 'it is broken' }, { yanked: true }],
  [{ 'data-requires-python': '' }, {}],
  [{ 'data-dist-info-metadata': 'true' }, { metadata: { sha256: null } }],
  [{ 'data-core-metadata': 'sha256=x' }, { metadata: { sha256: null } }],
  [{ 'data-core-metadata': 'false', 'data-dist-info-metadata': 'true' }, {}],
])('attributes in HTML: %j', (attributes, value) => {
  expect(link(filename, attributes)).toEqual([{ ...plain, ...value }]);
});

test.each([[`#sha256=${hash}0`], ['#sha256='], [`#md5=${hash}`], [`#x&sha256=${hash}`], ['#']])(
  'fragments without a valid hash: %s',
  (fragment) => {
    expect(link(filename + fragment)).toEqual([plain]);
  },
);

test.each([['javascript:alert(1)'], ['data:,x'], ['mailto:a@b.example'], ['https://['], ['//']])(
  'links that cannot be fetched: %s',
  (href) => {
    expect(link(href)).toEqual([]);
  },
);
