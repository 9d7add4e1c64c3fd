/**
 * Listings of an index: downloaded, stored, reused if the network fails, and parsed. Separate METADATA is accepted only if
 * its hash is the one in the index.
 */

import { expect, test } from 'vitest';
import type { Download, Downloaded, Wish } from './download.ts';
import {
  filesOfJson,
  filesOfLinks,
  type IndexAddress,
  indexMetadata,
  indexTypes,
  listProject,
} from './index-listing.ts';
import { FakePackages, listed, never, unreachable } from './packages.fixture.ts';
import { sha256Of } from '../spec/bytes.ts';

const index: IndexAddress = {
  url: 'https://index.example/simple/',
  origin: 'https://index.example',
};
const address = 'https://index.example/simple/requests/';
const filename = 'requests-2.28.1-py3-none-any.whl';
const json = JSON.stringify({ files: [{ filename, url: `https://files.example/${filename}` }] });
const files = [listed(filename, { sha256: null, metadata: null })];
const jsonType = 'application/vnd.pypi.simple.v1+json';

function opened(answer: () => ReturnType<Download>) {
  const { store, listings, failures } = new FakePackages();
  const wishes: Wish[] = [];
  const deps = {
    store,
    download: (_: AbortSignal, wish: Wish) => {
      wishes.push(wish);
      return answer();
    },
    linksOf: (html: string, base: string) => ({
      base,
      links: [{ href: html, text: filename, attributes: {} }],
    }),
    onStorageFailure: (thrown: unknown) => void failures.push(thrown),
  };
  const list = (name = 'requests', signal = never) => listProject(signal, deps, index, name);
  return { list, wishes, listings, failures, store };
}

function text(content: string, type: string): ReturnType<Download> {
  return Promise.resolve({ bytes: new TextEncoder().encode(content), type });
}

test('a JSON listing is read and stored', async () => {
  const { list, wishes, listings } = opened(() => text(json, jsonType));
  expect(await list()).toEqual(files);
  expect(wishes).toEqual([
    {
      url: address,
      accept: indexTypes,
      maxBytes: 64 * 2 ** 20,
      localOrigin: 'https://index.example',
    },
  ]);
  expect([...listings]).toEqual([[address, { text: json, type: jsonType }]]);
});

test('an HTML listing is read from its links', async () => {
  const { list } = opened(() => text(`../${filename}`, 'text/html; charset=utf-8'));
  expect(await list()).toEqual([{ ...files[0], url: `https://index.example/simple/${filename}` }]);
});

test('without network the stored listing is used; without a stored one the failure is reported', async () => {
  const { list, listings } = opened(() => Promise.reject(unreachable()));
  await expect(list()).rejects.toMatchObject({ message: 'it cannot be reached' });
  listings.set(address, { text: json, type: jsonType });
  expect(await list()).toEqual(files);
});

test('a project that no longer exists is not found, whatever is stored', async () => {
  const { list, listings } = opened(() => Promise.resolve('not-found'));
  listings.set(address, { text: json, type: jsonType });
  expect(await list()).toBeNull();
});

test.each([['{'], ['{"files": 1}'], ['null'], ['<html>']])(
  'an invalid listing is reported, and does not replace the stored one: %s',
  async (bad) => {
    const { list, listings } = opened(() => text(bad, jsonType));
    const before = { text: json, type: jsonType };
    listings.set(address, before);
    await expect(list()).rejects.toMatchObject({
      code: 'package-unreachable',
      message: expect.stringContaining('https://index.example is not a package index: ') as string,
    });
    expect(listings.get(address)).toEqual(before);
  },
);

test.each([[null], [{ text: 1, type: 'x' }], [{ text: 'x' }], ['x']])(
  'an invalid stored listing is ignored: %j',
  async (stored) => {
    const { list, listings } = opened(() => Promise.reject(unreachable()));
    listings.set(address, stored);
    await expect(list()).rejects.toMatchObject({ message: 'it cannot be reached' });
  },
);

test('a failure of storage is only reported', async () => {
  const fake = new FakePackages();
  fake.storage = new Error('full');
  const deps = {
    store: fake.store,
    download: () => text(json, jsonType),
    linksOf: () => ({ base: address, links: [] }),
    onStorageFailure: (thrown: unknown) => void fake.failures.push(thrown),
  };
  expect(await listProject(never, deps, index, 'requests')).toEqual(files);
  await Promise.resolve();
  expect(fake.failures).toEqual([fake.storage]);
  const failing = { ...deps, download: () => Promise.reject(unreachable()) };
  await expect(listProject(never, failing, index, 'requests')).rejects.toMatchObject({
    message: 'it cannot be reached',
  });
});

test.each([[''], ['.'], ['..'], ['../secret'], ['a/b'], ['A'], ['-a'], ['a?b'], ['__proto__']])(
  'the sandbox cannot reach other addresses with a project name: %j',
  async (name) => {
    const { list, wishes } = opened(() => text(json, jsonType));
    await expect(list(name)).rejects.toMatchObject({ code: 'package-broken' });
    expect(wishes).toEqual([]);
  },
);

test('an abort is not a failure of the network', async () => {
  const reason = new Error('another folder');
  const stop = new AbortController();
  const { list, listings } = opened(() => {
    stop.abort(reason);
    return Promise.reject(unreachable());
  });
  listings.set(address, { text: json, type: jsonType });
  await expect(list('requests', stop.signal)).rejects.toBe(reason);
});

const bytes = new TextEncoder().encode('Name: a\n');
const file = {
  filename: 'a-1-py3-none-any.whl',
  url: 'https://files.example/a-1-py3-none-any.whl',
  sha256: null,
  requiresPython: null,
  yanked: false,
};

function read(metadata: { sha256: string | null } | null, found: Downloaded | 'not-found') {
  const asked: string[] = [];
  const given = indexMetadata(
    never,
    (_, { url }) => {
      asked.push(url);
      return Promise.resolve(found);
    },
    { ...file, metadata },
    '',
  );
  return given.then((value) => [asked.length, value]);
}

test('the hash is checked if the index gives one', async () => {
  const downloaded = { bytes, type: '' };
  const sha256 = await sha256Of(bytes);
  expect(await read({ sha256 }, downloaded)).toEqual([1, 'Name: a\n']);
  expect(await read({ sha256: null }, downloaded)).toEqual([1, 'Name: a\n']);
  await expect(read({ sha256: 'ab'.repeat(32) }, downloaded)).rejects.toThrow(
    'its hash is different',
  );
});

test('without separate METADATA, the wheel must be read', async () => {
  expect(await read(null, 'not-found')).toEqual([0, null]);
  expect(await read({ sha256: null }, 'not-found')).toEqual([1, null]);
});

const hash = 'ab'.repeat(32);
const plain = {
  filename,
  url: `https://index.example/simple/requests/${filename}`,
  sha256: null,
  requiresPython: null,
  yanked: false,
  metadata: null,
};

function jsonFiles(...files: unknown[]) {
  return filesOfJson(JSON.stringify({ meta: { 'api-version': '1.1' }, files }), address);
}

function link(href: string, attributes: Record<string, string> = {}, text = filename) {
  return filesOfLinks([{ href, text, attributes }], address);
}

test('a file of a JSON listing', () => {
  expect(
    jsonFiles({
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
  expect(jsonFiles({ filename, url: filename })).toEqual([plain]);
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
  expect(jsonFiles({ filename, url: filename, yanked })).toEqual([{ ...plain, yanked: is }]);
});

test.each([
  [{ 'core-metadata': true }, { sha256: null }],
  [{ 'core-metadata': {} }, { sha256: null }],
  [{ 'dist-info-metadata': { sha256: hash.toUpperCase() } }, { sha256: hash }],
  [{ 'core-metadata': false, 'dist-info-metadata': true }, null],
  [{ 'core-metadata': false }, null],
  [{}, null],
])('separate METADATA in JSON: %j', (value, metadata) => {
  expect(jsonFiles({ filename, url: filename, ...value })).toEqual([{ ...plain, metadata }]);
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
  expect(jsonFiles({ filename, url: filename, hashes })).toEqual([plain]);
});

test('anything that is not a file of the listing is left out', () => {
  expect(
    jsonFiles(
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
  expect(jsonFiles({ filename, url: filename, 'requires-python': 3 })).toEqual([plain]);
  expect(jsonFiles({ filename, url: filename, 'requires-python': '' })).toEqual([plain]);
  expect(jsonFiles({ filename, url: `${filename}#sha256=${hash}` })).toEqual([plain]);
});

test.each([['{'], ['null'], ['[]'], ['"x"'], ['{}'], ['{"files":{}}'], ['']])(
  'not a listing: %s',
  (text) => {
    expect(() => filesOfJson(text, address)).toThrow();
  },
);

test('a hundred thousand files are cut to the limit', () => {
  const files = Array<object>(100_000).fill({ filename, url: filename });
  expect(jsonFiles(...files)).toHaveLength(50_000);
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
