/** The packages that a folder declares, and the changes of its declarations. */

import { expect, test } from 'vitest';
import { fakeFile, fakeFolder } from '../folder/folder.fixture.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import { readDeclaredPackages } from './declared.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const block = '# /// script\n# dependencies = [\n#   "requests",\n# ]\n# ///\n';

/** Returns the key of a folder whose only tool file has this text. */
function keyOf(text: string): string | undefined {
  return readDeclaredPackages(fakeFolder({ 'a.py': text }))?.key;
}

function withFiles(files: FolderSnapshot['files']): FolderSnapshot {
  return { ...fakeFolder({}), files };
}

test('a folder without declarations has none', () => {
  const files = {
    'a.py': 'import requests\n',
    'wheels/x-1-py3-none-any.whl': 'x',
    'requirements.txt': '',
  };
  expect(readDeclaredPackages(fakeFolder(files))).toBeNull();
});

test('files that declare packages are returned whole, in order, with the folder’s wheels', () => {
  const text = `"""A tool."""\n\n${block}\nx = 1\n`;
  const declared = readDeclaredPackages(
    fakeFolder({
      'z.py': text,
      'requirements.txt': 'attrs\n',
      'b.py': 'x = 1\n',
      'a.py': block,
      'wheels/x-1-py3-none-any.whl': 'x',
      'wheels/old/y-1-py3-none-any.whl': 'y',
      'wheels/readme.txt': '',
      'other/wheels/z-1-py3-none-any.whl': 'z',
    }),
  );
  expect(declared?.sources).toEqual([
    { file: 'a.py', text: block },
    { file: 'requirements.txt', text: 'attrs\n' },
    { file: 'z.py', text },
  ]);
  expect(declared?.wheels.map(({ path }) => path)).toEqual(['wheels/x-1-py3-none-any.whl']);
});

test('only tool files and the requirements.txt beside them are searched', () => {
  expect(
    readDeclaredPackages(
      fakeFolder({
        '_a.py': block,
        '.a.py': block,
        'lib/a.py': block,
        'a.txt': block,
        'lib/requirements.txt': 'attrs',
      }),
    ),
  ).toBeNull();
});

test.each([
  ['Windows line endings', (text: string) => text.replaceAll('\n', '\r\n')],
  ['old Mac line endings', (text: string) => text.replaceAll('\n', '\r')],
  ['no line after it', (text: string) => text.trimEnd()],
  ['another line separator in a comment', (text: string) => text.replace('[', '[ # \u2028')],
  ['code around it', (text: string) => `x = 1\n${text}y = 2\n`],
  ['a byte order mark', (text: string) => `\ufeff${text}`],
])('a block with %s is found up to its last line', (_, written) => {
  const other = block.replace('"requests"', '"attrs"');
  expect(keyOf(written(block))).toBeDefined();
  expect(keyOf(written(other))).not.toBe(keyOf(written(block)));
});

test.each([
  ['of another kind', '# /// pyproject\n# x = 1\n# ///\n'],
  ['that is indented', ' # /// script\n # x = 1\n # ///\n'],
  ['with more in its first line', '# /// script of mine\n# x = 1\n# ///\n'],
  ['in capitals', '# /// SCRIPT\n# x = 1\n# ///\n'],
])('a block %s declares nothing', (_, text) => {
  expect(keyOf(text)).toBeUndefined();
});

test('a block without its end or its # is left to the resolver', () => {
  expect(keyOf('# /// script\ndependencies = ["requests"]\n')).toBeDefined();
  expect(keyOf('# /// script\n# dependencies = ["requests"]\nx = 1\n')).toBeDefined();
  expect(keyOf('# /// script')).toBeDefined();
});

test('two blocks both count', () => {
  const two = (second: string) =>
    keyOf(`${block}x = 1\n# /// script\n# dependencies = ["${second}"]\n# ///\n`);
  expect(two('attrs')).not.toBe(two('numpy'));
});

test('the key depends on the declarations, not on the code', () => {
  const of = (files: Record<string, string>) => readDeclaredPackages(fakeFolder(files))?.key;
  const before = of({ 'a.py': `${block}x = 1`, 'b.py': '' });
  expect(of({ 'b.py': 'y = 2', 'a.py': `# new\n\n${block}x = 2` })).toBe(before);
  const others = [
    of({ 'c.py': `${block}x = 1`, 'b.py': '' }),
    of({ 'a.py': block.replace('requests', 'attrs') }),
    of({ 'a.py': block, 'requirements.txt': 'attrs' }),
    of({ 'a.py': block, 'b.py': block }),
    of({ 'a.py': block, 'wheels/x-1-py3-none-any.whl': 'x' }),
  ];
  expect(new Set([before, ...others]).size).toBe(6);
});

test('a comment right above a block may change what it is', () => {
  expect(keyOf(`# /// other\n${block}`)).not.toBe(keyOf(block));
});

test('the key changes when a wheel is replaced, and does not depend on the order of files', () => {
  const tool = fakeFile('a.py', block);
  const one = fakeFile('wheels/x-1-py3-none-any.whl', 'x', 1);
  const two = fakeFile('wheels/y-1-py3-none-any.whl', 'y', 1);
  const key = readDeclaredPackages(withFiles([tool, one, two]))?.key;
  expect(readDeclaredPackages(withFiles([two, one, tool]))?.key).toBe(key);
  expect(readDeclaredPackages(withFiles([tool, { ...one, modifiedAt: 2 }, two]))?.key).not.toBe(
    key,
  );
  expect(readDeclaredPackages(withFiles([tool, { ...one, size: 2 }, two]))?.key).not.toBe(key);
});

test('a file cannot make its text look like that of two files', () => {
  const one = readDeclaredPackages(fakeFolder({ 'requirements.txt': 'a\nb.py\nb' }))?.key;
  const two = readDeclaredPackages(fakeFolder({ 'requirements.txt': 'a', 'b.py': block }))?.key;
  expect(one).not.toBe(two);
});

test('a huge file is not searched, and thousands of block starts are fast', () => {
  expect(keyOf(block + ' '.repeat(1024 * 1024))).toBeUndefined();
  expect(
    readDeclaredPackages(fakeFolder({ 'requirements.txt': 'x\n'.repeat(600_000) })),
  ).toBeNull();
  const from = threadMs();
  expect(keyOf('# /// script\n'.repeat(80_000))).toBeDefined();
  expect(keyOf(`# /// script${' '.repeat(1_000_000)}x`)).toBeUndefined();
  expect(threadMs() - from).toBeLessThan(2_000);
});
