/** Locks are validated when they are read. */

import { expect, test } from 'vitest';
import { locked, problem } from './packages.fixture.ts';
import { parseLock } from './store.ts';

const wheel = locked('x-1-py3-none-any.whl');
const warning = problem('a.py', { severity: 'warning', line: null, column: 3 });
const lock = { version: 1, wheels: [wheel], warnings: [warning], at: 5 };

test('a lock is read as it was stored', () => {
  expect(parseLock(structuredClone(lock))).toEqual(lock);
  expect(parseLock({ ...lock, wheels: [], warnings: [] })).toEqual({
    ...lock,
    wheels: [],
    warnings: [],
  });
  for (const from of ['folder', 'site', 'distribution', 'index'])
    expect(parseLock({ ...lock, wheels: [{ ...wheel, from }] })).not.toBeNull();
});

test.each([
  [undefined],
  [null],
  ['lock'],
  [[]],
  [{}],
  [{ ...lock, version: 2 }],
  [{ ...lock, at: 'now' }],
  [{ ...lock, wheels: {} }],
  [{ ...lock, wheels: undefined }],
  [{ ...lock, wheels: [wheel, null] }],
  [{ ...lock, warnings: undefined }],
  [{ ...lock, warnings: [null] }],
  [{ ...lock, warnings: [{ ...warning, severity: 'error' }] }],
  [{ ...lock, warnings: [{ ...warning, line: '1' }] }],
  [{ ...lock, warnings: [{ ...warning, message: 1 }] }],
])('not a lock: %j', (value) => {
  expect(parseLock(value)).toBeNull();
});

test.each([
  [{ name: 1 }],
  [{ version: null }],
  [{ filename: undefined }],
  [{ url: 1 }],
  [{ from: 'elsewhere' }],
  [{ from: 'toString' }],
  [{ sha256: null }],
  [{ sha256: '' }],
  [{ sha256: '../../x' }],
  [{ sha256: wheel.sha256.toUpperCase() }],
  [{ sha256: `${wheel.sha256}\n` }],
  [{ bytes: '1' }],
  [{ neededBy: 'a.py' }],
  [{ neededBy: [1] }],
  [{ neededBy: undefined }],
])('not a wheel of a lock: %j', (part) => {
  expect(parseLock({ ...lock, wheels: [wheel, { ...wheel, ...part }] })).toBeNull();
});
