/** Zip files as tools folders: which are accepted, and with which message others are refused. */

import { expect, test } from 'vitest';
import { makeZip, type ZipEntry } from '../../../tests/support/make-zip.ts';
import { readFolder } from '../folder/read-folder.ts';
import { defaultLimits, type Limits } from '../spec/limits.ts';
import { openZip } from './zip-source.ts';

const { signal } = new AbortController();

function zipFile(entries: readonly ZipEntry[], name = 'tools.zip'): File {
  return new File([makeZip(entries)], name);
}

/**
 * Reads a zip file.
 *
 * @returns the folder's name, its files and the beginning of each problem
 */
async function opened(file: File, limits: Limits = defaultLimits): Promise<unknown[]> {
  const source = await openZip(file, limits);
  const { name, files, problems } = await readFolder(signal, source, limits, () => undefined);
  return [
    name,
    files.map(({ path, bytes }) => `${path}=${new TextDecoder().decode(bytes.slice(0, 20))}`),
    problems.map(({ code, message }) => `${code}: ${message}`),
  ];
}

test('a zip file of a folder opens as that folder', async () => {
  const zip = zipFile([
    { name: 'weather/' },
    { name: 'weather/a.py', content: 'a' },
    { name: 'weather/pkg/b.py', content: 'b', method: 0 },
    { name: 'weather/empty.py' },
    { name: 'weather/node_modules/x.js', content: 'x' },
    { name: 'weather/.DS_Store', content: 'x' },
    { name: '__MACOSX/weather/._a.py', content: 'x' },
  ]);
  expect(await opened(zip)).toEqual([
    'weather',
    ['a.py=a', 'empty.py=', 'pkg/b.py=b'],
    [
      'other-programs: “node_modules” was not read: Cloche leaves out files of other programs, such as installed packages, caches and version control.',
    ],
  ]);
  const source = await openZip(zip, defaultLimits);
  expect([source.kind, source.rereadable]).toEqual(['zip', false]);
});

test('what macOS adds is left out at any depth', async () => {
  const zip = zipFile([
    { name: 'weather/a.py', content: 'a' },
    { name: 'weather/__MACOSX/._a.py', content: 'x' },
    { name: 'weather/pkg/__MACOSX/pkg/._b.py', content: 'x' },
    { name: 'weather/pkg/.DS_Store', content: 'x' },
    { name: 'weather/x__MACOSX/b.py', content: 'b' },
  ]);
  expect(await opened(zip)).toEqual(['weather', ['a.py=a', 'x__MACOSX/b.py=b'], []]);
});

test('a zip file of files opens under its own name', async () => {
  const zip = zipFile([{ name: 'a.py', content: 'a' }, { name: 'pkg/b.py' }], 'My tools.ZIP');
  expect(await opened(zip)).toEqual(['My tools', ['a.py=a', 'pkg/b.py='], []]);
  expect(await opened(zipFile([], 'none.zip'))).toEqual(['none', [], []]);
});

test('a file keeps its date', async () => {
  const source = await openZip(zipFile([{ name: 'a.py' }]), defaultLimits);
  const { files } = await readFolder(signal, source, defaultLimits, () => undefined);
  expect(new Date(files[0]?.modifiedAt ?? 0)).toEqual(new Date(2026, 10, 22, 14, 5));
});

test('a zip file with a comment, or after other data, is accepted', async () => {
  const zip = makeZip([{ name: 'a.py', content: 'a' }], 'made by hand');
  const behind = new File(['#!/bin/sh\nexit\n', zip], 't.zip');
  expect(await opened(behind)).toEqual(['t', ['a.py=a'], []]);
});

test('names are read as UTF-8 if possible, otherwise in an encoding that the page names', async () => {
  const zip = zipFile([
    { name: 'häufig.py' },
    { name: 'geprüft.py', flags: 0 },
    { name: Uint8Array.of(0x61, 0x84, 0x2e, 0x70, 0x79), flags: 0 },
  ]);
  expect(await opened(zip)).toEqual([
    'tools',
    ['aä.py=', 'geprüft.py=', 'häufig.py='],
    [
      'guessed-names: The zip file does not name the encoding of its file names. They were read as CP437, for example “aä.py”.',
    ],
  ]);
});

test('paths that lead outside the folder are left out and reported', async () => {
  const outside = [
    '../up.py',
    'a/../../x.py',
    '..\\up.py',
    'C:/x.py',
    './C:\\y.py',
    '\\\\host\\share\\x.py',
  ];
  const names = [...outside, 'n\0.py', 'ok.py', '/etc/x.py', 'a\\b.py'];
  const [, files, problems] = await opened(zipFile(names.map((name) => ({ name }))));
  expect(files).toEqual(['a/b.py=', 'etc/x.py=', 'ok.py=']);
  const climbs = 'its path leads out of the folder, by “..”';
  expect(problems).toEqual([
    `bad-path: “../up.py” was skipped: ${climbs}.`,
    `bad-path: “..\\up.py” was skipped: ${climbs}.`,
    'bad-path: “./C:\\y.py” was skipped: its path begins with a drive letter.',
    'bad-path: “C:/x.py” was skipped: its path begins with a drive letter.',
    'bad-path: “\\\\host\\share\\x.py” was skipped: its path leads to another computer.',
    `bad-path: “a/../../x.py” was skipped: ${climbs}.`,
    'bad-path: “n\ufffd.py” was skipped: its path has a control character.',
  ]);
  // An invalid name is not used as the folder's name either.
  expect((await opened(zipFile([{ name: '../a.py' }, { name: '../b.py' }])))[0]).toBe('tools');
});

test('a bad entry does not affect the others', async () => {
  const zip = zipFile([
    { name: 'encrypted.py', content: 'x', flags: 1 },
    { name: 'link.py', content: '/etc/passwd', mode: 0o120777, method: 0 },
    { name: 'lzma.py', content: 'x', method: 14 },
    { name: 'odd.py', content: 'x', method: 77 },
    { name: 'damaged.py', content: 'x', claims: { crc: 1 } },
    { name: 'stored.py', content: 'x', claims: { crc: 1 }, method: 0 },
    { name: 'short.py', content: 'x', claims: { bytes: 2 } },
    { name: 'long.py', content: 'xx', claims: { bytes: 1 } },
    { name: 'twice.py', content: '1' },
    { name: 'twice.py', content: '2' },
    { name: 'good.py', content: 'good' },
  ]);
  const [, files, problems] = await opened(zip);
  expect(files).toEqual(['good.py=good', 'twice.py=2']);
  const unreadable = (name: string, why: string) =>
    `unreadable: “${name}.py” could not be read: ${why}`;
  expect(problems).toEqual([
    unreadable('damaged', 'its content is damaged in the zip file'),
    unreadable('encrypted', 'it is encrypted.'),
    unreadable('link', 'it is a symbolic link, not a file.'),
    unreadable('long', 'its content is larger than the zip file says'),
    unreadable('lzma', 'it is compressed by LZMA (method 14), which browsers cannot unpack.'),
    unreadable(
      'odd',
      'it is compressed by an unknown method (method 77), which browsers cannot unpack.',
    ),
    unreadable('short', 'its content is damaged in the zip file'),
    unreadable('stored', 'its content is damaged in the zip file'),
    'same-path: “twice.py” is in the zip file more than once. Only the last copy is loaded, as when the file is unpacked.',
  ]);
});

test('a zip bomb is left out, whatever size it declares', async () => {
  const limits = { ...defaultLimits, fileBytes: 10_000_000, folderBytes: 15_000_000 };
  const zeros = new Uint8Array(30_000_000);
  const zip = zipFile([
    { name: 'honest.bin', content: zeros },
    { name: 'lying.bin', content: zeros, claims: { bytes: 100 } },
    { name: 'c.bin', content: zeros.subarray(0, 9_000_000) },
    { name: 'd.bin', content: zeros.subarray(0, 9_000_000) },
    { name: 'a.py', content: 'a' },
  ]);
  const [, files, problems] = await opened(zip, limits);
  expect((files as string[]).map((file) => file.split('=')[0])).toEqual(['a.py', 'c.bin']);
  expect(problems).toEqual([
    'folder-too-large: The folder is larger than 14.3 MB: “d.bin” was skipped.',
    'file-too-large: “honest.bin” was skipped: it is 28.7 MB, more than the limit of 9.5 MB for one file.',
    'unreadable: “lying.bin” could not be read: its content is larger than the zip file says',
  ]);
});

test('an entry above the size limit for files is never unpacked', async () => {
  const zip = zipFile([{ name: 'a.bin', content: 'x'.repeat(1_001) }]);
  const source = await openZip(zip, { ...defaultLimits, fileBytes: 1_000 });
  const everything = { enter: () => true, unlisted: () => undefined };
  for await (const entry of source.entries(signal, everything))
    await expect(entry.file()).rejects.toMatchObject({ code: 'limit' });
  expect.assertions(1);
});

test('a zip file with too many entries is refused, whatever number it declares', async () => {
  const limits = { ...defaultLimits, folderFiles: 10 };
  const zip = zipFile(Array.from({ length: 41 }, (_, index) => ({ name: `${index}.py` })));
  await expect(openZip(zip, limits)).rejects.toMatchObject({
    code: 'limit',
    message: '“tools.zip” holds more than 40 entries.',
  });
});

test('another archive that is named as a zip file is named in the message', async () => {
  const file = new File([Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4)], 'x.zip');
  await expect(openZip(file, defaultLimits)).rejects.toMatchObject({
    message: expect.stringMatching(/^“x\.zip” is a 7z archive\./) as string,
  });
});

const whole = makeZip([{ name: 'a.py', content: 'a'.repeat(100) }]);

function changed(at: number, ...bytes: number[]): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(whole);
  copy.set(bytes, at < 0 ? copy.length + at : at);
  return copy;
}

test.each([
  ['an empty file', new Uint8Array(), 'is an empty file, not a zip file.'],
  ['a text', new TextEncoder().encode('hello'), 'is not a zip file, or it is truncated.'],
  ['a truncated zip', whole.subarray(0, -30), 'is not a zip file, or it is truncated.'],
  [
    'a zip without its beginning',
    whole.subarray(10),
    'is damaged: it is shorter than its directory says.',
  ],
  ['one with a wrong table', changed(-10, 20), 'is damaged: its directory is inconsistent.'],
  [
    'one with a wrong count',
    changed(-14, 2, 0, 2, 0),
    'is damaged: its directory is inconsistent.',
  ],
  ['one of several', changed(-18, 1), 'is one part of a split zip file.'],
  [
    'a Zip64 without its end record',
    changed(-10, 0xff, 0xff, 0xff, 0xff),
    'is damaged: it is shorter than its directory says.',
  ],
])('%s is refused', async (_what, bytes, message) => {
  const file = new File([new Uint8Array(bytes)], 'x.zip');
  await expect(openZip(file, defaultLimits)).rejects.toMatchObject({
    code: 'bad-input',
    message: `“x.zip” ${message}`,
  });
});

test('an entry that claims more bytes than the file has is refused at once', async () => {
  const table = whole.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  const [, files, problems] = await opened(
    new File([changed(table + 20, 0xfe, 0xff, 0xff, 0xff)], 'x.zip'),
  );
  expect([files, problems]).toEqual([
    [],
    ['unreadable: “a.py” could not be read: the zip file is damaged here'],
  ]);
});

test('a folder without a slash behind its name, and a named pipe, as some programs mark them', async () => {
  const zip = zipFile([
    { name: 'sub', mode: 0o040755 },
    { name: 'sub/a.py', content: 'a' },
    { name: '-', mode: 0o010600, content: 'piped' },
  ]);
  expect(await opened(zip)).toEqual(['tools', ['-=piped', 'sub/a.py=a'], []]);
});

test('a damaged header affects only its entry', async () => {
  const [, files, problems] = await opened(new File([changed(0, 0)], 'x.zip'));
  expect([files, problems]).toEqual([
    [],
    ['unreadable: “a.py” could not be read: the zip file is damaged here'],
  ]);
});

test('reading can be aborted', async () => {
  const stop = new AbortController();
  const source = await openZip(zipFile([{ name: 'a.py' }]), defaultLimits);
  stop.abort();
  const reading = readFolder(stop.signal, source, defaultLimits, () => undefined);
  await expect(reading).rejects.toMatchObject({ code: 'aborted' });
});

/** A zip file whose end record has other bytes before and behind it. */
async function withBytes(before: readonly number[], comment: readonly number[]): Promise<File> {
  const zip = new Uint8Array(await zipFile([{ name: 'a.py', content: 'a' }]).arrayBuffer());
  const end = zip.slice(-22);
  new DataView(end.buffer).setUint16(20, comment.length, true);
  const bytes = [zip.slice(0, -22), Uint8Array.from(before), end, Uint8Array.from(comment)];
  return new File(bytes, 'tools.zip');
}

const endSign = [0x50, 0x4b, 5, 6];
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const signature = [0x50, 0x4b, 5, 5, 4, 0, 1, 2, 3, 4];

test.each<[string, number[], number[]]>([
  [
    'the sign of an end record in the comment',
    [],
    [...endSign, ...Array.from('a comment of its own', (char) => char.charCodeAt(0))],
  ],
  ['an empty end record in the comment', [], [...endSign, ...zeros(18)]],
  [
    'many signs in the comment',
    [],
    Array.from({ length: 12 }, () => [...endSign, ...zeros(20)]).flat(),
  ],
  ['a signature before the end record', signature, []],
  ['padding before the end record', zeros(10), []],
])('a zip file with %s opens', async (_, before, comment) => {
  expect(await opened(await withBytes(before, comment))).toEqual(['tools', ['a.py=a'], []]);
});

test('a directory may end with a signature', async () => {
  const file = await withBytes(signature, []);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 10, view.getUint32(bytes.length - 10, true) + 10, true);
  expect(await opened(new File([bytes], 'tools.zip'))).toEqual(['tools', ['a.py=a'], []]);
});
