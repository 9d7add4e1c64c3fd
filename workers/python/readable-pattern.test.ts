import { expect, test } from 'vitest';
import { readablePattern } from './readable-pattern.ts';

function allows(pattern: string, text: string): boolean {
  return new RegExp(readablePattern(pattern) ?? '(?!)', 'u').test(text);
}

test('what either Python or ECMAScript allows is allowed', () => {
  expect(allows('^\\w+$', 'für')).toBe(true);
  expect(allows('^[\\w-]+$', 'naïve-ключ')).toBe(true);
  expect(allows('^\\d{2}$', '٤٢')).toBe(true);
  expect(allows('^[a-z]+$', 'abc\n')).toBe(true);
  expect(allows('^\\$[$]$', '$$')).toBe(true);
});

test('what neither allows is not', () => {
  expect(allows('^\\w+$', 'a b')).toBe(false);
  expect(allows('^[a-z]+$', 'abc\n\n')).toBe(false);
  expect(allows('^\\\\w$', 'é')).toBe(false);
  expect(allows('^[^\\d]$', '5')).toBe(false);
});

test('a pattern that needs no other reading stays as it is, and an unreadable one is none', () => {
  expect(readablePattern('^a+')).toBe('^a+');
  expect(readablePattern('(?P<year>x)')).toBeNull();
});
