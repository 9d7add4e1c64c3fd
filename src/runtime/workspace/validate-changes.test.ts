import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTask } from '../async/pace.ts';
import { fakeFile } from '../folder/folder.fixture.ts';
import type { FileForCopy } from '../protocol/workspace.ts';
import type { FolderFile } from '../spec/folder.ts';
import { defaultLimits } from '../spec/limits.ts';
import { type Collected, refusedFolder, refusedPath, validateChanges } from './validate-changes.ts';

const none: Collected = { files: [], removed: [], folders: [], foldersGone: [], left: [] };
const limit = 256 * 1024 * 1024;

function written(path: string, bytes: number): FileForCopy {
  return { path, modifiedAt: 5, bytes: new Uint8Array(bytes) };
}

/** Files that report these sizes without holding that much. */
function holding(sizes: Readonly<Record<string, number>>): Map<string, FolderFile> {
  return new Map(
    Object.entries(sizes).map(([path, size]) => [path, { ...fakeFile(path, ''), size }]),
  );
}

/** Returns what is accepted and refused of changes to a workspace with files of these sizes. */
async function valid(sizes: Readonly<Record<string, number>>, changes: Partial<Collected>) {
  const view = { files: holding(sizes), folders: new Set<string>() };
  const { files, refused } = await validateChanges({ ...none, ...changes }, view, defaultLimits);
  return { files: files.map(({ path }) => path), refused };
}

const full = [{ path: 'b', reason: 'the workspace would be larger than 256 MB' }];

test('a workspace accepts 256 MB, and not a byte more', async () => {
  const files = [written('a', 4), written('b', 1)];
  expect(await valid({ held: limit - 4 }, { files })).toEqual({ files: ['a'], refused: full });
  expect(await valid({ held: limit - 5 }, { files })).toEqual({ files: ['a', 'b'], refused: [] });
});

test('a file that is replaced or removed makes room for another', async () => {
  const b = written('b', 10);
  expect(await valid({ held: limit - 9, a: 9 }, { files: [b] })).toEqual({
    files: [],
    refused: full,
  });
  expect(await valid({ held: limit - 9, a: 9 }, { files: [b], removed: ['a'] })).toEqual({
    files: [],
    refused: full,
  });
  expect(await valid({ held: limit - 10, a: 10 }, { files: [b], removed: ['a'] })).toEqual({
    files: ['b'],
    refused: [],
  });
  expect(await valid({ held: limit - 10, a: 10 }, { files: [written('a', 0), b] })).toEqual({
    files: ['a', 'b'],
    refused: [],
  });
});

test('a full workspace still accepts empty files and files that do not grow', async () => {
  const files = [written('a', 10), written('c', 0), written('b', 1)];
  expect(await valid({ held: limit - 10, a: 10 }, { files })).toEqual({
    files: ['a', 'c'],
    refused: full,
  });
});

test('a path that some file system takes for an existing one is refused', async () => {
  const other = (path: string): string => `some systems take it for “${path}”, which exists`;
  const files = ['A.TXT', 'straße', 'c\u200d.txt', 'new/d', 'NEW/e', 'f.txt'].map((path) =>
    written(path, 1),
  );
  expect(await valid({ 'a.txt': 1, STRASSE: 1, 'c.txt': 1 }, { files })).toEqual({
    files: ['new/d', 'f.txt'],
    refused: [
      { path: 'A.TXT', reason: other('a.txt') },
      { path: 'straße', reason: other('STRASSE') },
      { path: 'c\u200d.txt', reason: other('c.txt') },
      { path: 'NEW/e', reason: other('new') },
    ],
  });
});

test('thousands of paths are checked in slices that leave time to the page', async () => {
  // Each look at the clock takes a millisecond.
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1));
  onTestFinished(() => void vi.restoreAllMocks());
  const paths = Array.from({ length: 300 }, (_, n) => `${n}`);
  const files = paths.map((path) => written(path, 1));
  const folders = paths.map((path) => `folder ${path}`);
  const held = Object.fromEntries(paths.map((path) => [`held ${path}`, 1]));
  const progress = { ended: false };
  const checking = valid(held, { files, folders }).finally(() => (progress.ended = true));
  let longest = 0;
  while (!progress.ended) {
    const before = clock;
    await nextTask();
    longest = Math.max(longest, clock - before);
  }
  expect((await checking).files).toEqual(paths);
  // One look for each path: of the workspace, of the files and of the folders.
  expect(clock).toBeGreaterThan(900);
  expect(longest).toBeLessThan(30);
});

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
