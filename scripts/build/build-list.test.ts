import { expect, test } from 'vitest';
import { buildOf, listUrl, parseFileList } from '../../src/runtime/protocol/offline.ts';
import { listBuild } from './build-list.ts';

const page =
  '<html><head>\n<script src="./assets/index-1.js"></script></head><body></body></html>\n';
const files = [
  { name: 'license.txt', content: 'Do as you like: ä' },
  { name: 'assets/index-1.js', content: new Uint8Array([1, 2, 3]) },
];

test('page and list tell those who read them the same build', () => {
  const { id, page: marked, list } = listBuild(page, files, '2026-01-02T03:04:05.000Z');
  expect(buildOf(marked)).toBe(id);
  expect(list.name).toBe(listUrl(id));
  expect(parseFileList(list.content)).toEqual([
    {
      url: 'assets/index-1.js',
      sha256: '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81',
      bytes: 3,
      shell: true,
    },
    {
      url: 'license.txt',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      bytes: 18,
      shell: false,
    },
  ]);
});

test('the id follows from the contents, not from the day or the order', () => {
  const { id } = listBuild(page, files, 'today');
  expect(listBuild(page, [...files].reverse(), 'tomorrow').id).toBe(id);
  expect(listBuild(`${page}\n`, files, 'today').id).not.toBe(id);
  const changed = [{ name: 'license.txt', content: 'Other words' }, ...files.slice(1)];
  expect(listBuild(page, changed, 'today').id).not.toBe(id);
});
