import { expect, test } from 'vitest';
import { refusedFolder, refusedPath } from './refused-path.ts';

test('paths that name one file inside the folder on every system are allowed', () => {
  const paths = [
    'a.txt',
    'deep/er/b',
    '.hidden',
    'ünï/cødé.md',
    'a.b.c',
    '.gitignore',
    'console.md',
    'git-notes.txt',
    'src/Makefile',
    'draft~',
    'a~b.txt',
    'longer-name~1.txt',
    '👩\u200d🔬.md',
    '.мир/x',
    '葛\u{e0100}飾.md',
    '∩\ufe00',
  ];
  for (const path of paths) expect([path, refusedPath(path)]).toEqual([path, undefined]);
});

test('other paths are refused, each with a reason', () => {
  const refused = {
    '../out': 'a part named “..”',
    '/etc/passwd': 'an empty part',
    'C:/x': 'a drive letter',
    'nul .txt': 'reserved on Windows',
    'sub/CONIN$': 'reserved on Windows',
    'conout$.log': 'reserved on Windows',
    'a\\b': 'a backslash',
    'a\nb': 'a control character',
    '\ud800': 'a control character',
    '.git/hooks/post-commit': '“.git” belongs to another program',
    '.git': '“.git” belongs to another program',
    'sub/.git': '“.git” belongs to another program',
    '.GIT/hooks/post-commit': '“.GIT” can be taken for “.git”, which belongs to another program',
    '.Vscode/tasks.json': 'can be taken for “.vscode”',
    'git~1/config': 'can be taken for “.git”',
    'GIT~12': 'can be taken for “.git”',
    '.g\u200cit/config': 'can be taken for “.git”',
    '.git::$INDEX_ALLOCATION/config': 'can be taken for “.git”',
    'a/.git. /config': 'can be taken for “.git”',
    '.gіt/config': 'can be taken for “.git”',
    '.ｇｉｔ': 'can be taken for “.git”',
    'CLAUDE~1.MD': 'can mean another file on Windows',
    'gi7eba~1': 'can mean another file on Windows',
    'progra~1/x': 'can mean another file on Windows',
    'sub/node_modules/x.js': '“node_modules” belongs to another program',
    'file:stream': 'names on Windows cannot contain',
    'dot.': 'end with a dot or a space',
    'NUL.txt': 'reserved on Windows',
    'con/a': 'reserved on Windows',
    'x.crswap': 'for temporary files',
    'abc\u202etxt.exe': 'changes the direction',
    'a\u061cb': 'changes the direction',
    'read\u200bme.md': 'invisible characters',
    'a\u{e0041}': 'invisible characters',
    '葛\u{e0100}\u{e0101}': 'invisible characters',
    'a\u{e0100}': 'invisible characters',
    '\u3164': 'invisible characters',
    '\u200d': 'invisible characters',
    '\u00a0': 'invisible characters',
    '..\u2060': 'invisible characters',
    ['é'.repeat(200)]: 'longer than 255 bytes',
    ['a/'.repeat(600) + 'b']: 'longer than 1000 characters',
  };
  for (const [path, reason] of Object.entries(refused)) expect(refusedPath(path)).toContain(reason);
});

test('a folder is refused if a file in it would be', () => {
  expect([refusedFolder('fine'), refusedFolder('.git'), refusedFolder('aux')]).toEqual([
    undefined,
    '“.git” belongs to another program and is not changed',
    'its name is reserved on Windows',
  ]);
});
