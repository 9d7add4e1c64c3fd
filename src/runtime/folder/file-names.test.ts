import { expect, test } from 'vitest';
import { comparableName, lookalikeName } from './file-names.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

test('names that some file system takes for the same have the same form', () => {
  const same = [
    '.GIT',
    '.Git',
    '.git.',
    '.git . .',
    '.git::$INDEX_ALLOCATION',
    '.git:config',
    '.g\u200cit',
    '\ufeff.git',
    '.gi\u202et\u202c',
    '.g\u00adit',
    '.g\ufe0fit',
    '.gi\u2060t',
    '.ｇｉｔ',
    '．git',
    '․git',
    '.gıt',
    '.𝐠𝐢𝐭',
    '.ⓖit',
    '.git\u00a0',
    '.git\u3000.',
  ];
  for (const name of same) expect([name, comparableName(name)]).toEqual([name, '.git']);
  expect(comparableName('E\u0301té')).toBe(comparableName('ÉTÉ'));
  expect(comparableName('STRASSE')).toBe(comparableName('straße'));
  expect(comparableName('ﬁle')).toBe('file');
});

test('other names keep their own form', () => {
  const names = ['.gitignore', 'git', '.gi', 'git-notes.txt', '天気.py', 'отчёт.txt', '..git'];
  for (const name of names) expect([name, comparableName(name)]).toEqual([name, name]);
});

test('letters that look alike are different for the file system, and equal for a reader', () => {
  const alike = ['.gіt', '.ɡiт', '.gíṫ', '․gιt', '·git', '.gіτ.'];
  for (const name of alike) {
    expect([name, lookalikeName(name)]).toEqual([name, '.git']);
    expect(comparableName(name)).not.toBe('.git');
  }
  expect(lookalikeName('nоdе_mоdulеѕ')).toBe('node_modules');
  expect(lookalikeName('ﹶ.git')).not.toBe('node_modules');
  expect(lookalikeName('.мир')).not.toBe('.git');
});

test('names that no file system has take no time', () => {
  const long = [`${'ﷺ. '.repeat(2_000_000)}:`, `${'. '.repeat(2_000_000)}і`];
  const from = threadMs();
  expect(long.map(comparableName)).toEqual(long);
  expect(long.map(lookalikeName)).toEqual(long);
  expect(threadMs() - from).toBeLessThan(5_000);
});
