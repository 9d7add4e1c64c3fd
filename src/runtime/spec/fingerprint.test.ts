/** Fingerprints. */

import { expect, test } from 'vitest';
import { createFingerprint } from './fingerprint.ts';

function mark(...texts: string[]): string {
  const fingerprint = createFingerprint();
  for (const text of texts) fingerprint.add(text);
  return fingerprint.value();
}

test('is the same in every run of every browser', () => {
  expect(mark('weather_tools:get', '天気')).toBe(mark('weather_tools:get', '天気'));
  expect(mark()).toMatch(/^[0-9a-f]{16}$/);
  expect(mark('a')).toMatchInlineSnapshot(`"70c1a3ba0a285a69"`);
});

test('differs for 100,000 similar texts', () => {
  const marks = new Set<string>();
  for (let n = 0; n < 50_000; n += 1) marks.add(mark(`tool ${n}`)).add(mark(`{"line":${n}}`, 'x'));
  expect(marks.size).toBe(100_000);
});

test('depends on the boundaries between texts and on their order', () => {
  const marks = [
    mark('ab', 'c'),
    mark('a', 'bc'),
    mark('abc'),
    mark('c', 'ab'),
    mark('abc', ''),
    mark('', 'abc'),
  ];
  expect(new Set(marks).size).toBe(marks.length);
});

test('more text can be added after reading the value', () => {
  const fingerprint = createFingerprint();
  fingerprint.add('a');
  const first = fingerprint.value();
  expect(fingerprint.value()).toBe(first);
  fingerprint.add('b');
  expect(fingerprint.value()).toBe(mark('a', 'b'));
});
