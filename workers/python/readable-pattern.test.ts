import { expect, test } from 'vitest';
import { byEcmaScript, byPython } from './readable-pattern.ts';

function allows(pattern: string, text: string): boolean {
  return new RegExp(byPython(pattern) ?? '(?!)', 'u').test(text);
}

test('a pattern matches what it matches in Python', () => {
  expect(allows('^\\w+$', 'für')).toBe(true);
  expect(allows('^[\\w-]+$', 'naïve-ключ')).toBe(true);
  expect(allows('^\\d{2}$', '٤٢')).toBe(true);
  expect(allows('^[a-z]+$', 'abc\n')).toBe(true);
  expect(allows('^\\$[$]$', '$$')).toBe(true);
  expect(allows('\\bé\\w+', 'un été')).toBe(true);
  expect(allows('t\\Bé', 'té')).toBe(true);
  expect(allows('^.+$', 'a\rb\u2028c')).toBe(true);
  expect(allows('^a\\sb[\\s]$', 'a\u0085b\u001f')).toBe(true);
  expect(allows('^[^\\W\\d_]+$', 'Åse')).toBe(true);
  expect(allows('^[\\W]+$', '–!')).toBe(true);
  expect(allows('^[x\\S]\\D$', 'éa')).toBe(true);
  expect(allows('^[.]\\.$', '..')).toBe(true);
});

test('a pattern does not match what it does not match in Python', () => {
  expect(allows('^\\w+$', 'a b')).toBe(false);
  expect(allows('^[a-z]+$', 'abc\n\n')).toBe(false);
  expect(allows('^\\\\w$', 'é')).toBe(false);
  expect(allows('^[^\\d]$', '5')).toBe(false);
  expect(allows('^[^\\W\\d_]+$', 'Å1')).toBe(false);
  expect(allows('^\\W$', 'é')).toBe(false);
  expect(allows('\\bt', 'été')).toBe(false);
  expect(allows('^.$', '\n')).toBe(false);
  expect(allows('^[.]$', 'a')).toBe(false);
});

test('a pattern that means the same in both stays as it is, and an invalid one gives null', () => {
  expect(byPython('^a+')).toBe('^a+');
  expect(byPython('[]|[^]')).toBe('[]|[^]');
  expect(byPython('(?P<year>x)')).toBeNull();
  expect(byEcmaScript('^\\w$')).toBe('^\\w$');
  expect(byEcmaScript('(?P<year>x)')).toBeNull();
});
