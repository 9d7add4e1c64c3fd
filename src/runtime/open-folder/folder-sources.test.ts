/** Folders from the browser's inputs. */

import { afterEach, expect, test, vi } from 'vitest';
import { makeZip } from '../../../tests/support/make-zip.ts';
import { readFolder } from '../folder/read-folder.ts';
import type { FolderSource } from '../folder/source.ts';
import { defaultLimits } from '../spec/limits.ts';
import * as folderSources from './folder-sources.ts';

const { canPickFolder, pickFolder, uploadedFolder } = folderSources;

function droppedFolder(data: DataTransfer): Promise<FolderSource> {
  return folderSources.droppedFolder(data, defaultLimits);
}

interface Tree {
  readonly [name: string]: string | Error | Tree;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/**
 * Reads a folder.
 *
 * @returns the paths and texts of its files, and the problems
 */
async function contents(source: FolderSource): Promise<string[]> {
  const { signal } = new AbortController();
  const snapshot = await readFolder(signal, source, defaultLimits, () => undefined);
  return [
    ...snapshot.files.map(({ path, bytes }) => `${path}=${new TextDecoder().decode(bytes)}`),
    ...snapshot.problems.map(({ code, file }) => `${code} ${file}`),
  ];
}

/** A File as browsers create it, with its path in an uploaded folder. */
function fileNamed(path: string, text: string): File {
  const file = new File([text], path.split('/').at(-1) ?? '');
  const webkitRelativePath = path.includes('/') ? path : '';
  return Object.defineProperty(file, 'webkitRelativePath', { value: webkitRelativePath });
}

/** A directory handle; an Error in place of a folder's contents rejects its listing. */
function handleFor(name: string, tree: Tree | Error): FileSystemDirectoryHandle {
  async function* values(): AsyncGenerator<object> {
    await Promise.resolve();
    if (tree instanceof Error) throw tree;
    for (const [child, content] of Object.entries(tree)) {
      if (typeof content !== 'string') yield handleFor(child, content);
      else
        yield {
          kind: 'file',
          name: child,
          getFile: () => Promise.resolve(fileNamed(child, content)),
        };
    }
  }
  return { kind: 'directory', name, values } as unknown as FileSystemDirectoryHandle;
}

/** A directory entry of the older API, which returns two children at a time. */
function entryFor(name: string, tree: Tree | Error): FileSystemDirectoryEntry {
  const children = (tree instanceof Error ? [] : Object.entries(tree)).map(([child, content]) =>
    typeof content === 'string'
      ? {
          isFile: true,
          isDirectory: false,
          name: child,
          file: (take: (file: File) => void) => take(fileNamed(child, content)),
        }
      : entryFor(child, content),
  );
  const createReader = (): unknown => {
    let at = 0;
    return {
      readEntries(take: (batch: unknown[]) => void, fail: (error: Error) => void) {
        if (tree instanceof Error) fail(tree);
        else take(children.slice(at, (at += 2)));
      },
    };
  };
  return {
    isFile: false,
    isDirectory: true,
    name,
    createReader,
  } as unknown as FileSystemDirectoryEntry;
}

interface Dropped {
  readonly handle?: unknown;
  readonly entry?: FileSystemDirectoryEntry;
  readonly file?: File;
}

/** A drop, whose items are empty after the event. */
function drop(dropped: readonly Dropped[], handles = true): DataTransfer {
  let over = false;
  queueMicrotask(() => {
    over = true;
  });
  const items = dropped.map(({ handle, entry, file }) => ({
    kind: 'file',
    webkitGetAsEntry: () =>
      over ? null : (entry ?? { isDirectory: false, isFile: true, name: file?.name }),
    ...(handles
      ? {
          getAsFileSystemHandle: () =>
            handle instanceof Error
              ? Promise.reject(handle)
              : Promise.resolve(over ? null : handle),
        }
      : {}),
  }));
  const files = dropped.map(({ file, entry }) => file ?? fileNamed(entry?.name ?? '', ''));
  return { items: [{ kind: 'string' }, ...items], files } as unknown as DataTransfer;
}

const tree: Tree = {
  'b.py': 'b',
  pkg: { 'x.py': 'x', deep: { 'y.txt': 'y' } },
  '.git': { config: 'secret' },
  'a.py': 'a',
};
const treeContents = [
  'a.py=a',
  'b.py=b',
  'pkg/deep/y.txt=y',
  'pkg/x.py=x',
  // `.git` was not read.
  'other-programs ',
];

test('a picked folder can be read again', async () => {
  const picker = vi.fn(() => Promise.resolve(handleFor('tools', tree)));
  vi.stubGlobal('showDirectoryPicker', picker);
  const source = await pickFolder();
  expect(canPickFolder()).toBe(true);
  expect(picker.mock.calls).toEqual([[{ mode: 'read', id: 'tools' }]]);
  expect([source?.name, source?.kind, source?.rereadable]).toEqual(['tools', 'directory', true]);
  expect(await contents(source!)).toEqual(treeContents);
  expect(await contents(source!)).toEqual(treeContents);
});

test('cancelling the picker is not an error', async () => {
  vi.stubGlobal('showDirectoryPicker', () => Promise.reject(new DOMException('no', 'AbortError')));
  expect(await pickFolder()).toBe(null);
});

test('a picker that may not be shown is reported with an alternative', async () => {
  const refusal = new DOMException('not in a frame', 'SecurityError');
  vi.stubGlobal('showDirectoryPicker', () => Promise.reject(refusal));
  await expect(pickFolder()).rejects.toMatchObject({
    code: 'not-supported',
    message: 'not in a frame',
    hint: 'Drop the folder on the page, or use “Upload folder”.',
  });
});

test('a browser without a picker is reported', async () => {
  expect(canPickFolder()).toBe(false);
  await expect(pickFolder()).rejects.toMatchObject({ code: 'not-supported' });
});

test('a dropped folder is opened by its handle', async () => {
  const source = await droppedFolder(
    drop([{ handle: handleFor('tools', tree), entry: entryFor('tools', {}) }]),
  );
  expect([source.name, source.kind, source.rereadable]).toEqual(['tools', 'directory', true]);
  expect(await contents(source)).toEqual(treeContents);
});

test.each([
  ['no handles', () => drop([{ entry: entryFor('tools', tree) }], false)],
  ['none for this folder', () => drop([{ handle: null, entry: entryFor('tools', tree) }])],
  [
    'none that it hands over',
    () => drop([{ handle: new DOMException('protected'), entry: entryFor('tools', tree) }]),
  ],
])('a dropped folder is opened by its entries if the browser has %s', async (_why, dropping) => {
  const source = await droppedFolder(dropping());
  expect([source.name, source.kind, source.rereadable]).toEqual(['tools', 'upload', false]);
  expect(await contents(source)).toEqual(treeContents);
});

test.each([
  ['handles', (broken: Tree) => drop([{ handle: handleFor('tools', broken) }])],
  ['entries', (broken: Tree) => drop([{ entry: entryFor('tools', broken) }], false)],
])('by %s, a subfolder that cannot be listed is skipped', async (_by, dropping) => {
  const source = await droppedFolder(dropping({ 'a.py': 'a', locked: new Error('denied') }));
  expect(await contents(source)).toEqual(['a.py=a', 'unreadable locked']);
});

test.each([
  ['handle', { handle: handleFor('tools', new Error('gone')) }],
  ['entry', { handle: null, entry: entryFor('tools', new Error('gone')) }],
])('a folder whose %s cannot be listed is an error', async (_by, dropped) => {
  const source = await droppedFolder(drop([dropped]));
  await expect(contents(source)).rejects.toMatchObject({ code: 'not-found' });
});

test('a dropped Python file is a folder with one file', async () => {
  const source = await droppedFolder(
    drop([{ handle: { kind: 'file' }, file: fileNamed('one.py', 'x') }]),
  );
  expect([source.name, source.kind, source.rereadable]).toEqual(['one.py', 'upload', false]);
  expect(await contents(source)).toEqual(['one.py=x']);
});

test('a dropped zip file is opened as a folder', async () => {
  const file = new File([makeZip([{ name: 'tools/a.py', content: 'a' }])], 'any.zip');
  const source = await droppedFolder(drop([{ handle: { kind: 'file' }, file }]));
  expect([source.name, source.kind, await contents(source)]).toEqual(['tools', 'zip', ['a.py=a']]);
});

test('several dropped files form a folder', async () => {
  const files = [fileNamed('one.py', 'x'), fileNamed('data.json', '{}')];
  const source = await droppedFolder(drop(files.map((file) => ({ file }))));
  expect(source.name).toBe('dropped files');
  expect(await contents(source)).toEqual(['data.json={}', 'one.py=x']);
});

test.each([
  ['a text', () => drop([]), 'The dropped item is neither a folder nor a file.'],
  [
    'a picture',
    () => drop([{ file: fileNamed('cat.png', '') }]),
    '“cat.png” is neither a folder nor a zip or Python file.',
  ],
  [
    'pictures',
    () => drop([{ file: fileNamed('a.png', '') }, { file: fileNamed('b.png', '') }]),
    'These 2 files are neither a folder nor a zip or Python file.',
  ],
  [
    'two folders',
    () => drop([{ entry: entryFor('a', {}) }, { entry: entryFor('b', {}) }]),
    'You dropped several items, including folders.',
  ],
  [
    'a folder and a file',
    () => drop([{ file: fileNamed('a.py', '') }, { entry: entryFor('b', {}) }]),
    'You dropped several items, including folders.',
  ],
])('%s cannot be opened, with an explanation', async (_what, dropping, message) => {
  await expect(droppedFolder(dropping())).rejects.toMatchObject({
    code: 'bad-input',
    message,
    hint: expect.stringMatching(/^Drop /) as string,
  });
});

test('a dropped archive that is no zip file is named, also among other files', async () => {
  const files = [fileNamed('readme.md', ''), fileNamed('tools.rar', '')];
  await expect(droppedFolder(drop(files.map((file) => ({ file }))))).rejects.toMatchObject({
    message: '“tools.rar” is a RAR archive. Only zip files can be opened without unpacking them.',
    hint: 'Unpack it and open the folder, or zip the folder.',
  });
});

test('an uploaded folder has its files with their paths', async () => {
  const source = uploadedFolder([
    fileNamed('tools/a.py', 'a'),
    fileNamed('tools/sub/b.py', 'b'),
    fileNamed('tools/.git/x', ''),
  ]);
  expect([source.name, source.kind, source.rereadable]).toEqual(['tools', 'upload', false]);
  expect(await contents(source)).toEqual(['a.py=a', 'sub/b.py=b', 'other-programs ']);
});

test('decomposed names of an upload, as macOS gives them, are composed', async () => {
  const files = ['größe.py', 'übung/__init__.py', 'übung/résumé.txt'].map((path) =>
    fileNamed(`tools/${path.normalize('NFD')}`, path),
  );
  expect(await contents(uploadedFolder(files))).toEqual([
    'größe.py=größe.py',
    'übung/__init__.py=übung/__init__.py',
    'übung/résumé.txt=übung/résumé.txt',
  ]);
});

test('an upload without paths is a folder', async () => {
  const source = uploadedFolder([fileNamed('a.py', 'a')]);
  expect([source.name, await contents(source)]).toEqual(['uploaded files', ['a.py=a']]);
});
