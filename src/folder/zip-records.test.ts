import { expect, test } from 'vitest';
import { zipName } from './zip-records.ts';

test('valid UTF-8 is decoded as UTF-8, anything else as CP437', () => {
  const utf8 = new TextEncoder().encode('ü/é.py');
  const cp437 = Uint8Array.of(0x80, 0x9c, 0xe1, 0xff, 0x41);
  expect([zipName(utf8, true), zipName(utf8, false), zipName(cp437, false)]).toEqual([
    'ü/é.py',
    'ü/é.py',
    'Ç£ß\u00a0A',
  ]);
});

test('invalid UTF-8 that is marked as UTF-8 keeps its readable part', () => {
  expect(zipName(Uint8Array.of(0x61, 0xff), true)).toBe('a\ufffd');
});
