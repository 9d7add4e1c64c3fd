/** Zip files of other programs open with the files and folders that unpacking them creates. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFolder } from '../folder/read-folder.ts';
import { defaultLimits } from '../spec/limits.ts';
import { openZip } from './zip-source.ts';

const zips = mkdtempSync(join(tmpdir(), 'zips-'));

beforeAll(() => {
  const made = spawnSync('python3', ['-W', 'ignore', 'tests/faults/foreign_zips.py', zips]);
  expect(made.stderr.toString()).toBe('');
});

afterAll(() => {
  rmSync(zips, { recursive: true });
});

/** Returns the paths, the codes of problems, and the text of the data that the tool reads, if any. */
async function opened(path: string): Promise<[string[], string[], string | undefined]> {
  const file = new File([new Uint8Array(readFileSync(path))], 'x.zip');
  const source = await openZip(file, defaultLimits);
  const { signal } = new AbortController();
  const folder = await readFolder(signal, source, defaultLimits, () => undefined);
  const data = folder.files.find((one) => /(rates|表|straße)\.txt$/.test(one.path));
  return [
    folder.files.map((one) => one.path),
    folder.problems.map(({ code }) => code),
    data && new TextDecoder().decode(data.bytes),
  ];
}

const weather = ['data/rates.txt', 'weather.py'];
const german = ['größe.py', 'straße.txt'];
const japanese = ['天気.py', '資料/表.txt'];

test.each([
  ['plain', weather, []],
  ['backslash', weather, []],
  ['dotslash', weather, []],
  ['absolute', weather, []],
  ['doubleslash', weather, []],
  ['inside', weather, []],
  ['macos', weather, []],
  ['macos_again', weather, []],
  ['unmarked', weather, []],
  ['duplicate', weather, ['same-path']],
  ['zip64small', weather, []],
  ['streamed', weather, []],
  ['trailing', weather, []],
  ['prefixed', weather, []],
  ['shiftjis', japanese, ['guessed-names']],
  ['unicodepath', japanese, []],
  ['cp437', german, ['guessed-names']],
  ['cp1252', german, ['guessed-names']],
  ['twotop', ['README.md', 'tools/data/rates.txt', 'tools/weather.py'], []],
  ['deeptop', ['README.md', 'tools/data/rates.txt', 'tools/weather.py'], []],
])('%s.zip', async (name, files, problems) => {
  expect(await opened(join(zips, `${name}.zip`))).toEqual([files, problems, '1.5']);
});

test('small Zip64 files that zip has streamed', async () => {
  expect(await opened('tests/faults/zip64-two-entries.zip')).toEqual([
    weather,
    [],
    expect.any(String),
  ]);
  expect(await opened('tests/faults/zip64-end-record-only.zip')).toEqual([['-'], [], undefined]);
});
