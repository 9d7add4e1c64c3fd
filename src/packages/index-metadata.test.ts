/** Separate METADATA is accepted only if its hash is the one in the index. */

import { sha256Of } from '../spec/sha256.ts';
import { expect, test } from 'vitest';
import type { Downloaded } from './download.ts';
import { indexMetadata } from './index-listing.ts';

const never = new AbortController().signal;
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
  const text = indexMetadata(
    never,
    (_, { url }) => {
      asked.push(url);
      return Promise.resolve(found);
    },
    { ...file, metadata },
    '',
  );
  return text.then((value) => [asked.length, value]);
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
