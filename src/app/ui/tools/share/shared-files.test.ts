import { expect, test } from 'vitest';
import { fakeSource } from '../../../../runtime/folder/source.fixture.ts';
import { filesIn } from './shared-files.ts';

const folder = (count: number) =>
  fakeSource(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}.py`, 'x'])));

test('every file of a link is listed', async () => {
  const files = await filesIn(folder(1_000));
  expect([files.length, files[0]]).toEqual([1_000, { path: 'f0.py', size: 0, text: 'x' }]);
});

test('a link with more files than are listed is refused', async () => {
  await expect(filesIn(folder(1_001))).rejects.toThrow('more than 1000 files');
});
