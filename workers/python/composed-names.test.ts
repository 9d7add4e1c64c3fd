/** Names in either Unicode form, in the file system of a real Pyodide. */

import { loadPyodide, type PyodideAPI } from 'pyodide';
import { beforeAll, expect, test } from 'vitest';
import { ComposedNames } from './composed-names.ts';
import type { EmscriptenFs } from './copy-fs.ts';

let pyodide: PyodideAPI;
let names: ComposedNames;
let folders = 0;

beforeAll(async () => {
  pyodide = await loadPyodide();
  names = new ComposedNames((pyodide.FS as unknown as EmscriptenFs).root);
}, 120_000);

const composed = 'gr\u00f6\u00dfe.txt';
const decomposed = 'gro\u0308\u00dfe.txt';

/** Runs Python in a new folder. @returns the value of its last expression */
function inFolder(code: string, files: Readonly<Record<string, string>> = {}): unknown {
  const root = `/forms/${(folders += 1)}`;
  names.exactly(() => {
    pyodide.FS.mkdirTree(root);
    for (const [name, text] of Object.entries(files)) pyodide.FS.writeFile(`${root}/${name}`, text);
  });
  const setUp = `import os, shutil\nos.chdir("${root}")\nc, d = ${JSON.stringify([composed, decomposed])}\n`;
  const found: unknown = pyodide.runPython(`${setUp}${code}`);
  return typeof found === 'object' ? (found as { toJs(): unknown }).toJs() : found;
}

test('a file is found by both forms of its name, and by no other name', () => {
  const read = '[open(c).read(), open(d).read(), os.path.exists(d), os.path.exists("grosse.txt")]';
  expect(inFolder(read, { [composed]: 'x' })).toEqual(['x', 'x', true, false]);
});

test('a file in a folder is found by both forms of the folder’s name', () => {
  expect(
    inFolder('os.makedirs("e\u0301/b"); open("\u00e9/b/x", "w").close(); os.listdir("e\u0301/b")'),
  ).toEqual(['x']);
});

test('what a tool creates has a composed name', () => {
  expect(inFolder('open(d, "w").close(); os.mkdir("e\u0301"); sorted(os.listdir())')).toEqual([
    composed,
    '\u00e9',
  ]);
  expect(inFolder('open("x", "w").close(); os.rename("x", d); os.listdir()')).toEqual([composed]);
  expect(inFolder('os.symlink("x", d); os.listdir()')).toEqual([composed]);
});

test('writing, replacing and removing by the other form affect the same file', () => {
  expect(
    inFolder('open(d, "w").write("new"); [open(c).read(), len(os.listdir())]', {
      [composed]: 'old',
    }),
  ).toEqual(['new', 1]);
  expect(inFolder('os.remove(d); os.listdir()', { [composed]: 'x' })).toEqual([]);
  expect(inFolder('os.mkdir(c); os.rmdir(d); os.listdir()')).toEqual([]);
  expect(
    inFolder('os.rename("x", d); [open(c).read(), os.listdir()]', { x: 'x', [composed]: 'old' }),
  ).toEqual(['x', [composed]]);
  expect(inFolder('os.rename(d, c); os.listdir()', { [composed]: 'x' })).toEqual([composed]);
  const tree = 'os.makedirs("\u00e9/b"); shutil.rmtree("e\u0301"); os.listdir()';
  expect(inFolder(tree)).toEqual([]);
});

test('two files whose names differ only in form stay two', () => {
  const read = '[open(c).read(), open(d).read(), len(os.listdir())]';
  const both = { [composed]: 'c', [decomposed]: 'd' };
  expect(inFolder(read, both)).toEqual(['c', 'd', 2]);
  expect(inFolder('os.remove(d); os.listdir()', both)).toEqual([composed]);
});
