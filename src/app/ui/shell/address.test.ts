import { expect, test } from 'vitest';
import { formatAddress, parseAddress, subjectOf, type Address } from './address.ts';

test('every address is parsed back to the same place', () => {
  const addresses: Address[] = [
    { place: { at: 'home' }, panel: null },
    { place: { at: 'home' }, panel: 'problems' },
    { place: { at: 'sessions' }, panel: 'console' },
    { place: { at: 'tool', name: 'weather_tools:get_temperatures', line: null }, panel: 'details' },
    { place: { at: 'tool', name: 'a/b c:д?#%', line: 12 }, panel: 'runs' },
    { place: { at: 'file', path: 'pkg/häufig used.py', line: 3 }, panel: null },
    { place: { at: 'call', id: '6f1c-22' }, panel: null },
    { place: { at: 'settings' }, panel: 'problems' },
    { place: { at: 'policy' }, panel: 'runs' },
    { place: { at: 'settings', section: 'limits' }, panel: null },
    { place: { at: 'policy', section: 'network' }, panel: 'python' },
    { place: { at: 'help', page: '', section: '' }, panel: null },
    { place: { at: 'help', page: 'tests', section: 'the-format' }, panel: 'tests' },
    { place: { at: 'home' }, panel: 'python' },
    { place: { at: 'sessions' }, panel: 'runs' },
    { place: { at: 'session', id: 'new', entry: null, beside: [] }, panel: null },
    { place: { at: 'session', id: '6f1c-22', entry: 0, beside: [] }, panel: null },
    { place: { at: 'session', id: '6f1c-22', entry: 41, beside: [] }, panel: 'problems' },
    { place: { at: 'session', id: '6f1c', entry: null, beside: ['a/b', 'new'] }, panel: null },
  ];
  expect(addresses.map((address) => parseAddress(formatAddress(address)))).toEqual(addresses);
});

test('addresses are readable', () => {
  const place = { at: 'tool', name: 'weather_tools:get_temperatures', line: 8 } as const;
  expect(formatAddress({ place, panel: 'runs' })).toBe(
    '#/tools/weather_tools:get_temperatures?line=8&panel=runs',
  );
  expect(formatAddress({ place: { at: 'home' }, panel: null })).toBe('#/');
});

test('the start page has no hash', () => {
  expect(['', '#', '#/'].map((hash) => parseAddress(hash).place.at)).toEqual([
    'home',
    'home',
    'home',
  ]);
});

test('an unknown address is parsed as such, and can be quoted', () => {
  const bad = [
    '#/tools',
    '#/tools/x/y',
    '#/tools/x/source/z',
    '#/else/x',
    '#/tools/%E0%A4%A',
    '#/calls/a/b',
    '#/settings/x/y',
    '#/policy/x/y',
    '#/sessions/a/b/c/d',
  ];
  expect(bad.map((hash) => parseAddress(hash).place)).toEqual(
    bad.map((hash) => ({ at: 'nowhere', hash })),
  );
  expect(parseAddress('#/tools/x?line=-1&panel=evil')).toEqual({
    place: { at: 'tool', name: 'x', line: null },
    panel: null,
  });
});

test('an address of an earlier version leads to the same tool', () => {
  const old = ['#/tools/a:b/source?line=3', '#/tools/a:b/tests'];
  expect(old.map((hash) => formatAddress(parseAddress(hash)))).toEqual([
    '#/tools/a:b?line=3',
    '#/tools/a:b?panel=tests',
  ]);
});

test('lines and places within the same thing share a subject', () => {
  const subjects = [
    '#/tools/a:b',
    '#/tools/a:b?line=3',
    '#/files/a.py',
    '#/files/a.py?line=9',
    '#/sessions/6f1c?at=9',
  ];
  expect(subjects.map((hash) => subjectOf(parseAddress(hash).place))).toEqual([
    'tools/a:b',
    'tools/a:b',
    'files/a.py',
    'files/a.py',
    'sessions/6f1c',
  ]);
});
