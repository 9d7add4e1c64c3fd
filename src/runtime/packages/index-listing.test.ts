/**
 * Listings of an index: downloaded, stored, and reused if the network fails. Separate METADATA is accepted only if its hash
 * is the one in the index.
 */

import { expect, test } from 'vitest';
import type { Download, Wish, Downloaded } from './download.ts';
import { listProject, type IndexAddress, indexMetadata } from './index-listing.ts';
import { FakePackages, listed, never, unreachable } from './packages.fixture.ts';
import { indexTypes } from './simple-index.ts';
import { sha256Of } from '../spec/sha256.ts';

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
