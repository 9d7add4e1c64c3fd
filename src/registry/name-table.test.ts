/** Tables of names. */

import { expect, test } from 'vitest';
import { nameTable, savedNameTable } from './provider-names.ts';

const lower = (id: string): Promise<string> => Promise.resolve(id.toLowerCase());

test('maps ids to names and back', async () => {
  const table = await nameTable(['A', 'b', 'A'], lower);
  expect(table.entries).toEqual([
    ['A', 'a'],
    ['b', 'b'],
  ]);
  expect([table.toWire('A'), table.toId('a'), table.toWire('a'), table.toId('A')]).toEqual([
    'a',
    'A',
    undefined,
    undefined,
  ]);
});

test('refuses all ids that would share a name, and only those', async () => {
  const table = await nameTable(['x', 'Ab', 'aB', 'ab', 'y'], lower);
  expect([table.entries.map(([id]) => id), table.refused]).toEqual([
    ['x', 'y'],
    ['Ab', 'aB', 'ab'],
  ]);
  expect([table.toWire('ab'), table.toId('ab')]).toEqual([undefined, undefined]);
});

test('does not know names of built-in object properties', async () => {
  const table = await nameTable(['a'], lower);
  expect([table.toId('__proto__'), table.toWire('constructor')]).toEqual([undefined, undefined]);
});

test('a stored table is restored as it was', () => {
  const table = savedNameTable([['m:f', 'whatever']]);
  expect([table.toWire('m:f'), table.toId('whatever')]).toEqual(['whatever', 'm:f']);
});

test.each([
  [
    ['a', 'x'],
    ['b', 'x'],
  ],
  [
    ['a', 'x'],
    ['a', 'y'],
  ],
] as const)('a stored table that is not one-to-one is refused', (one, other) => {
  expect(() => savedNameTable([one, other])).toThrow('a duplicate name');
});
