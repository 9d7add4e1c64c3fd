import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readShared, shareLink, type Shared } from './share-link.ts';

const page = 'https://cloche.example/app/';

function queryOf(link: string): string {
  return link.slice(link.indexOf('?') + 1);
}

test('a link is read back as it was made, and all of it is in the fragment', () => {
  const shared = fc.record({
    folder: fc.string({ unit: 'grapheme', maxLength: 40 }),
    tool: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    arguments: fc.json(),
    zip: fc.option(fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes))),
  });
  fc.assert(
    fc.property(shared, (each) => {
      const link = shareLink(page, each);
      expect(link.startsWith(`${page}#/open?`)).toBe(true);
      expect(readShared(queryOf(link))).toEqual(each);
    }),
  );
});

test('the spelling of numbers survives', () => {
  const args = '{"a": 3.0, "b": 10000000000000000000000000000000000000000}';
  const shared: Shared = { folder: 'f', tool: 'a:b', arguments: args, zip: null };
  expect(readShared(queryOf(shareLink(page, shared)))).toEqual(shared);
});

test.each([
  ['', 'It does not name a tool.'],
  [`tool=${'x'.repeat(301)}`, 'A name in it is too long.'],
  [`tool=a:b&arguments=${'1'.repeat(200_001)}`, 'Its arguments are too large.'],
  [`tool=a:b&zip=${'A'.repeat(700_001)}`, 'Its files are too large.'],
  ['tool=a:b&zip=%%%', 'It was cut off, or its files are damaged.'],
])('a link that cannot be read says why: %.40s', (query, fault) => {
  expect(readShared(query)).toEqual({ fault });
});

test('a link may bring files without naming a tool', () => {
  const shared: Shared = { folder: 'f', tool: '', arguments: '{}', zip: new Uint8Array([80, 75]) };
  expect(readShared(queryOf(shareLink(page, shared)))).toEqual(shared);
});

test('a link that could not be read is not made', () => {
  const of = (args: string): string =>
    shareLink(page, { folder: 'f', tool: 'a:b', arguments: args, zip: null });
  expect(() => of('1'.repeat(200_001))).toThrow('too large for a link');
  expect(readShared(queryOf(of('1'.repeat(200_000))))).toMatchObject({ tool: 'a:b' });
});
