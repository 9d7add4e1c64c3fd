/** Names as providers accept them, and tables of names. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  nameTable,
  propertyNames,
  propertyWireName,
  savedNameTable,
  toolNames,
  wireName,
} from './provider-names.ts';

/** Names that the strictest provider accepts. */
const accepted = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

function hash(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 10);
}

test.each([
  ['weather_tools:get_temperatures', 'weather_tools__get_temperatures'],
  ['a:b', 'a__b'],
  ['_a:b_', '_a__b_'],
  ['A1:B2', 'A1__B2'],
])('%s is %s', async (id, wire) => {
  expect(await wireName(id)).toBe(wire);
});

test.each([
  ['a__b:c', 'a_b_c'],
  ['a:b__c', 'a_b_c'],
  ['a_:b', 'a_b'],
  ['a:_b', 'a_b'],
  ['a-b:c', 'a-b_c'],
  ['a.b:c', 'a_b_c'],
  ['a:b:c', 'a_b_c'],
  ['2d:plot', 't_2d_plot'],
  ['-:-', 't_-_-'],
  ['天気:今日', 't'],
  ['caf\u00e9:f', 'caf_f'],
  ['noseparator', 'noseparator'],
  [`${'m'.repeat(40)}:${'f'.repeat(40)}`, `${'m'.repeat(40)}_${'f'.repeat(11)}`],
  [`${'m'.repeat(51)}:${'f'.repeat(40)}`, 'm'.repeat(51)],
])('%s is the slug %s and a hash', async (id, slug) => {
  expect(await wireName(id)).toBe(`${slug}_h${hash(id)}`);
});

test('the longest readable name has 64 characters', async () => {
  const fits = `${'m'.repeat(31)}:${'f'.repeat(31)}`;
  expect(await wireName(fits)).toBe(fits.replace(':', '__'));
  expect(await wireName(`${fits}f`)).toMatch(/_h[0-9a-f]{10}$/);
});

test('2,000 awkward names are all accepted, and can be mapped back', async () => {
  const ids = new Set<string>();
  const parts = [
    'a',
    'b',
    '_',
    '__',
    'h',
    '-',
    '.',
    '1',
    'é',
    '天',
    ' ',
    'a_h0123456789',
    '👩‍🔬',
    'A',
  ];
  for (let n = 0; ids.size < 2_000; n += 1) {
    let rest = n;
    let id = '';
    for (let i = 0; i < 4; i += 1) {
      id += (parts[rest % parts.length] ?? '') + (i === 1 ? ':' : '');
      rest = Math.floor(rest / parts.length);
    }
    ids.add(n % 7 === 0 ? id + 'x'.repeat(n % 90) : id);
  }
  const table = await toolNames(ids);
  expect(table.refused).toEqual([]);
  expect(table.entries).toHaveLength(2_000);
  for (const [id, wire] of table.entries) {
    expect(wire).toMatch(accepted);
    expect(table.toId(wire)).toBe(id);
  }
});

test('any id gets an accepted name, always the same one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (id) => {
      const wire = await wireName(id);
      expect(wire).toMatch(accepted);
      expect(await wireName(id)).toBe(wire);
    }),
    { numRuns: 50 },
  );
});

test('a readable name never equals a hashed one', async () => {
  const hashed = await wireName('a__b:c');
  const copied = hashed.replace('_h', ':h');
  expect(await wireName(copied)).not.toBe(hashed);
});

test('a table refuses ids that UTF-8 cannot tell apart', async () => {
  const table = await toolNames(['a:\ud800', 'a:\ud801', 'a:b']);
  expect([table.entries, table.refused]).toEqual([[['a:b', 'a__b']], ['a:\ud800', 'a:\ud801']]);
});

test('parameters keep their names if Anthropic accepts them', async () => {
  expect(await propertyWireName('max.results-1_x')).toBe('max.results-1_x');
  expect(await propertyWireName('größe')).toBe(`gr_e_h${hash('größe')}`);
  expect(await propertyWireName('')).toBe(`t_h${hash('')}`);
  const names = await propertyNames({ properties: { a: {}, 'b c': {} } });
  expect(names.toId(names.toWire('b c') ?? '')).toBe('b c');
  expect((await propertyNames({ type: 'object' })).entries).toEqual([]);
});

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
