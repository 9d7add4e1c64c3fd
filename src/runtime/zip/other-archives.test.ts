import { expect, test } from 'vitest';
import { noArchive, otherArchive } from './other-archives.ts';

const tar = new Uint8Array(512);
tar.set(new TextEncoder().encode('ustar'), 257);
const gzip = [0x1f, 0x8b, 0x08];
const zip = [0x50, 0x4b, 3, 4];

test.each<[string, Iterable<number>, string]>([
  ['tools', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], '7z'],
  ['tools.zip', new TextEncoder().encode('Rar!\x1a\x07\x01'), 'RAR'],
  ['tools.gz', gzip, 'gzip'],
  ['tools.tar.gz', gzip, 'tar'],
  ['tools.TGZ', gzip, 'tar'],
  ['tools', tar, 'tar'],
  ['old.tar', [0x61], 'tar'],
  ['tools.tar.zst', [0x28, 0xb5, 0x2f, 0xfd], 'tar'],
  ['tools.7z.001', [], '7z'],
  ['tools.xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'xz'],
  ['tools.bz2', [], 'bzip2'],
])('%s is named as an archive', (name, head, format) => {
  const said = otherArchive(name, Uint8Array.from(head))?.message;
  expect(said?.startsWith(`“${name}” is a ${format} archive.`)).toBe(true);
});

test.each([
  ['tools.zip', zip],
  ['tools.7z', zip],
  ['a.py', [0x69, 0x6d]],
  ['target', []],
  ['tar', []],
  ['cat.png', [0x89, 0x50]],
])('%s is not', (name, head) => {
  expect(otherArchive(name, Uint8Array.from(head))).toBe(undefined);
});

test.each([
  ['', 'is an empty file'],
  ['<!DOCTYPE html>\n<title>Sign in</title>', 'is a web page'],
  ['\n<html lang="en">', 'is a web page'],
  ['version https://git-lfs.github.com/spec/v1\n', 'is a pointer to a file in Git LFS'],
])('the error says what was downloaded in place of a zip file: %j', (text, what) => {
  const found = noArchive('a.zip', new TextEncoder().encode(text));
  expect(found?.message).toBe(`“a.zip” ${what}, not a zip file.`);
});

test('other files cause no such error', () => {
  for (const text of ['PK\x03\x04', 'hello', '{}', '<a'])
    expect(noArchive('a.zip', new TextEncoder().encode(text))).toBeUndefined();
});
