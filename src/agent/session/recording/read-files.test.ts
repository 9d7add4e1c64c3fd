import { expect, test, vi } from 'vitest';
import { ToolError } from '../../../runtime/spec/error.ts';
import { fakeFile } from '../../../runtime/folder/folder.fixture.ts';
import { expectParsable, ReadFiles } from './read-files.ts';

test('each content is read once, one after the other', async () => {
  const log: string[] = [];
  const files = [fakeFile('a', 'one'), fakeFile('b', 'bad'), fakeFile('c', 'two')];
  const readFiles = new ReadFiles(async (text) => {
    log.push(text);
    await Promise.resolve();
    if (text === 'bad') throw new Error('It is something else.');
    return text.toUpperCase();
  }, vi.fn());
  readFiles.observe(() => log.push('read'));
  expect([readFiles.of(files), readFiles.of(files)]).toEqual([[], []]);
  await vi.waitFor(() => {
    expect(readFiles.of(files)).toEqual([
      { path: 'a', value: 'ONE' },
      { path: 'c', value: 'TWO' },
    ]);
  });
  // The same content at another path, in a later version of the folder.
  const [, , last] = files;
  expect(readFiles.of([{ ...last!, path: 'd' }])).toEqual([{ path: 'd', value: 'TWO' }]);
  expect(log).toEqual(['one', 'read', 'bad', 'two', 'read']);
});

test.each([
  ['too many values', `[${'[],'.repeat(200_000)}[]]`, 'it has more than 200,000 values'],
  ['nesting', '['.repeat(100_000), 'it is nested too deeply'],
  ['a cut text', '{"a": [1, 2', 'it is damaged or incomplete'],
])('%s: the text is not parsed', async (_, text, why) => {
  const invalid = (reason: string) => new ToolError('bad-input', reason);
  await expect(expectParsable(text, 16, invalid)).rejects.toThrow(why);
});

test('other text may be parsed', async () => {
  const invalid = (reason: string) => new ToolError('bad-input', reason);
  await expect(expectParsable(`[${'[],'.repeat(50_000)}[]]`, 16, invalid)).resolves.toBe(undefined);
});
