import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { recording as isRecording } from 'virtual:cloche/page-validators';
import { fakeFolder } from '../../../runtime/folder/folder.fixture.ts';
import { ReadFiles } from './read-files.ts';
import { recordingFiles, recordingOfText } from './recording-files.ts';

const sample = readFileSync(
  new URL('../../../../tools-samples/recordings/unknown-unit.json', import.meta.url),
  'utf8',
);

test('only recordings in recordings/ are found', async () => {
  const folder = fakeFolder({
    'recordings/b.json': sample,
    'recordings/broken.json': '{',
    'recordings/other.json': '[1]',
    'recordings/deep/c.json': sample,
    'recordings/huge.json': ' '.repeat(2_000_001),
    'd.json': sample,
    't.py': '',
    'recordings/last.json': sample,
  });
  const files = new ReadFiles((text) => recordingOfText(text, isRecording), vi.fn());
  const read = () => files.of(recordingFiles(folder));
  expect(read()).toEqual([]);
  // The last file is read after the others.
  await vi.waitFor(() => expect(read()).toHaveLength(2));
  expect(read()).toEqual(
    ['b', 'last'].map((name) => ({
      path: `recordings/${name}.json`,
      value: JSON.parse(sample) as unknown,
    })),
  );
});

test('recordings are read up to a size of all together', () => {
  const large = (n: number): string => `${sample}${' '.repeat(1_500_000 - sample.length - n)}`;
  const files = Object.fromEntries(
    [1, 2, 3].map((n) => [`recordings/${String(n)}.json`, large(n)]),
  );
  const found = recordingFiles(fakeFolder(files));
  expect(found.map(({ path }) => path)).toEqual(['recordings/1.json', 'recordings/2.json']);
});
