import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recording as isRecording } from 'virtual:cloche/page-validators';
import { fakeFolder } from '../../../runtime/folder/folder.fixture.ts';
import { folderRecordings } from './recording-files.ts';

const sample = readFileSync(
  new URL('../../../../tools-samples/recordings/unknown-unit.json', import.meta.url),
  'utf8',
);

test('only recordings in recordings/ are found', () => {
  const folder = fakeFolder({
    'recordings/b.json': sample,
    'recordings/broken.json': '{',
    'recordings/other.json': '[1]',
    'recordings/deep/c.json': sample,
    'recordings/huge.json': ' '.repeat(2_000_001),
    'd.json': sample,
    't.py': '',
  });
  expect(folderRecordings(folder, isRecording)).toEqual([
    { path: 'recordings/b.json', recording: JSON.parse(sample) as unknown },
  ]);
});

test('recordings are read up to a size of all together', () => {
  const large = (n: number): string => `${sample}${' '.repeat(1_500_000 - sample.length - n)}`;
  const files = Object.fromEntries(
    [1, 2, 3].map((n) => [`recordings/${String(n)}.json`, large(n)]),
  );
  const found = folderRecordings(fakeFolder(files), isRecording);
  expect(found.map(({ path }) => path)).toEqual(['recordings/1.json', 'recordings/2.json']);
});
