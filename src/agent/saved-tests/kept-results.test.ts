import { expect, test } from 'vitest';
import type { SavedTest, TestResult } from '../../runtime/spec/saved-test.ts';
import { StoredTestResults, type StoredTestResult } from './kept-results.ts';
import { fakeMemory } from './saved-tests.fixture.ts';

const one: SavedTest = {
  id: 'tests/a.json#0',
  file: 'tests/a.json',
  index: 0,
  line: 2,
  name: 'one',
  tool: 'a:f',
  arguments: '{}',
  expect: null,
};
const passed: StoredTestResult = { state: 'passed', reasons: [], result: null, hash: 'h' };
const result: TestResult = {
  resultType: 'success',
  text: '3.0',
  isJson: true,
  callId: 'c',
  durationMs: 2,
};

test('results are kept by folder and test', () => {
  const results = new StoredTestResults(fakeMemory(), 'key');
  const kept: StoredTestResult = { ...passed, state: 'failed', reasons: ['no'], result };
  results.save('a', [[one, kept]]);
  expect(results.load('a', [one])).toEqual(new Map([[one.id, kept]]));
  expect(results.load('b', [one])).toEqual(new Map());
  expect(results.load('a', [{ ...one, arguments: '{"n": 1}' }])).toEqual(new Map());
});

test('long results and reasons are cut, and the folders tested longest ago make room', () => {
  const results = new StoredTestResults(fakeMemory(), 'key');
  const long = {
    ...passed,
    reasons: ['r'.repeat(1_000)],
    result: { ...result, text: 'x'.repeat(3_000) },
  };
  results.save('long', [[one, long]]);
  expect(results.load('long', [one]).get(one.id)).toEqual({
    ...passed,
    reasons: ['r'.repeat(300)],
  });
  const many = Array.from({ length: 150 }, (_, index): [SavedTest, StoredTestResult] => [
    { ...one, id: `tests/a.json#${index}` },
    { ...passed, result: { ...result, text: 'x'.repeat(2_000) } },
  ]);
  for (const folder of ['first', 'second']) results.save(folder, many);
  expect(results.load('second', [one]).size).toBe(1);
  expect(results.load('first', [one]).size).toBe(0);
});

test.each([
  'no JSON',
  '[]',
  '{"a": {"tests/a.json#0": {"mark": "x", "state": "passed"}}}',
  '{"a": 1}',
])('anything else in the storage is ignored: %s', (text) => {
  const results = new StoredTestResults({ getItem: () => text, setItem: () => undefined }, 'key');
  expect(results.load('a', [one])).toEqual(new Map());
});

test('without storage, nothing is kept', () => {
  const full = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  for (const memory of [null, { getItem: () => null, setItem: full }]) {
    const results = new StoredTestResults(memory, 'key');
    results.save('a', [[one, passed]]);
    expect(results.load('a', [one])).toEqual(new Map());
  }
});
