/** Tests the copy of a workspace in the file system of a real Pyodide. */

import { loadPyodide, type PyodideAPI } from 'pyodide';
import { beforeAll, expect, test } from 'vitest';
import type { WorkspaceRequest } from '../../src/runtime/protocol/workspace.ts';
import { CopyFs, type EmscriptenFs } from './copy-fs.ts';
import { WorkspaceCopy } from './workspace-copy.ts';

let pyodide: PyodideAPI;
let copies = 0;

beforeAll(async () => {
  pyodide = await loadPyodide();
}, 120_000);

/** Creates a copy with these files. */
function opened(files: Readonly<Record<string, string>> = {}) {
  const copy = new WorkspaceCopy(new CopyFs(pyodide.FS as unknown as EmscriptenFs));
  const root = `/workspace/${String((copies += 1))}`;
  const encoder = new TextEncoder();
  const ask = (more: Partial<WorkspaceRequest> = {}) =>
    copy.exchange({
      copy: 'one',
      root,
      written: [],
      removed: [],
      folders: [],
      foldersGone: [],
      tell: 'contents',
      fileBytes: 1_000_000,
      ...more,
    });
  const put = (texts: Readonly<Record<string, string>>, more: Partial<WorkspaceRequest> = {}) =>
    ask({
      written: Object.entries(texts).map(([path, text]) => ({
        path,
        modifiedAt: 1_000_000,
        bytes: encoder.encode(text),
      })),
      tell: 'nothing',
      ...more,
    });
  put(files);
  const python = (code: string): unknown =>
    pyodide.runPython(
      `import os, shutil\nfrom pathlib import Path\nroot = Path("${root}")\n${code}`,
    );
  return { copy, root, ask, put, python };
}

const nothing = { files: [], removed: [], folders: [], foldersGone: [], left: [], more: false };

function texts({ files }: ReturnType<WorkspaceCopy['exchange']>): Record<string, string> {
  return Object.fromEntries(files.map(({ path, data }) => [path, atob(data)]));
}

test('an unchanged copy has an empty report, and each change is reported once', () => {
  const { ask, python } = opened({ 'a.txt': 'a', 'sub/b.txt': 'b' });
  expect(ask()).toEqual(nothing);
  python(
    '(root / "a.txt").write_text("A")\n(root / "new").mkdir()\n(root / "new/c").write_text("c")',
  );
  const report = ask();
  expect([texts(report), report.folders]).toEqual([{ 'a.txt': 'A', 'new/c': 'c' }, ['new']]);
  expect(ask()).toEqual(nothing);
  python('shutil.rmtree(root / "new")\n(root / "sub/b.txt").unlink()');
  expect(ask()).toEqual({ ...nothing, removed: ['sub/b.txt', 'new/c'], foldersGone: ['new'] });
});

test.each([
  [
    'in place, with its size and times set back',
    's = p.stat()\np.write_text("X")\nos.utime(p, ns=(s.st_atime_ns, s.st_mtime_ns))',
  ],
  ['by writing one byte', 'with p.open("r+b") as f: f.write(b"X")'],
  ['by truncating and refilling it', 'os.truncate(p, 0)\nos.truncate(p, 1)'],
  ['by renaming another file to it', 'q = root / "q"\nq.write_text("X")\nq.replace(p)'],
  [
    'by a memory mapping',
    'import mmap\nwith p.open("r+b") as f, mmap.mmap(f.fileno(), 0) as m: m[0] = 88; m.flush()',
  ],
])('reports a file that is changed %s', (_, code) => {
  const { ask, python } = opened({ a: 'a' });
  expect(ask()).toEqual(nothing);
  python(`p = root / "a"\n${code}`);
  expect(ask().files.map(({ path }) => path)).toEqual(['a']);
  // A second change is reported even if it comes within the same millisecond.
  python(`p = root / "a"\n${code}`);
  expect(ask().files.map(({ path }) => path)).toEqual(['a']);
});

test('links are reported and not followed, when reading or writing', () => {
  const { ask, put, python } = opened({ 'sub/a': 'a' });
  python(`
Path("/outside").mkdir(exist_ok=True)
Path("/outside/secret").write_text("secret")
os.symlink("/outside", root / "out")
os.symlink("/outside/secret", root / "file")
shutil.rmtree(root / "sub")
os.symlink("/outside", root / "sub")
`);
  const report = ask();
  expect([texts(report), report.left]).toEqual([
    {},
    [
      { path: 'out', why: 'link' },
      { path: 'file', why: 'link' },
      { path: 'sub', why: 'link' },
    ],
  ]);
  put({ 'sub/a': 'again' });
  expect(python('sorted(os.listdir("/outside")), os.path.islink(root / "sub")')?.toString()).toBe(
    "(['secret'], False)",
  );
});

test('a root that a tool has replaced by a link is not read', () => {
  const { ask, python, root } = opened({ a: 'a' });
  python(`shutil.rmtree(root)\nos.symlink("/tmp", "${root}")`);
  expect(ask()).toEqual({ ...nothing, removed: ['a'] });
});

test('a file that is too large is reported once', () => {
  const { ask, python } = opened();
  python('(root / "large").write_bytes(b"x" * 2_000_000)');
  expect(ask().left).toEqual([{ path: 'large', why: 'large' }]);
  expect(ask()).toEqual(nothing);
});

test('large changes come in several answers', () => {
  const { ask, python } = opened();
  python('for n in range(3): (root / f"f{n}").write_bytes(b"x" * 5_000_000)');
  const found: string[] = [];
  for (let more = true; more;) {
    const report = ask({ fileBytes: 6_000_000 });
    found.push(...report.files.map(({ path }) => path));
    ({ more } = report);
  }
  expect(found.sort()).toEqual(['f0', 'f1', 'f2']);
});

test('only paths are reported if contents are not requested', () => {
  const { ask, python } = opened({ a: 'a' });
  python('(root / "a").write_text("A")');
  expect(ask({ tell: 'paths' }).files).toEqual([
    { path: 'a', modifiedAt: expect.any(Number) as number, data: '' },
  ]);
});

test('files and folders of tools are replaced by files of the workspace', () => {
  const { put, ask, python } = opened({ 'a/b': 'b' });
  python(
    'shutil.rmtree(root / "a")\n(root / "a").write_text("file")\n(root / "c").mkdir()\n(root / "c/d").write_text("d")',
  );
  ask();
  put({ 'a/b': 'back', c: 'file' });
  expect(python('(root / "a/b").read_text() + (root / "c").read_text()')).toBe('backfile');
});

test('a new copy replaces the last one', () => {
  const { put, python, ask } = opened({ a: 'a' });
  put({ b: 'b' }, { copy: 'two' });
  expect(python('" ".join(sorted(os.listdir(root)))')).toBe('b');
  expect(ask({ copy: 'two' })).toEqual(nothing);
});

test('files have the modification times of the workspace', () => {
  const { python } = opened({ a: 'a' });
  expect(python('(root / "a").stat().st_mtime')).toBe(1_000);
});
