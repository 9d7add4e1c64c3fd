/** Reading a folder, a few files at a time. */

import { expect, test } from 'vitest';
import type { FolderSnapshot } from '../spec/folder.ts';
import { defaultLimits, type Limits } from '../spec/limits.ts';
import { walkFolders, type Child } from './handle-source.ts';
import { readFolder, type ReadProgress, mapInFlight } from './read-folder.ts';
import { fakeEntry, fakeSource, listSource } from './source.fixture.ts';
import type { FolderSource } from './source.ts';

const never = new AbortController().signal;

function read(
  source: FolderSource,
  limits: Partial<Limits> = {},
  onProgress: (progress: ReadProgress) => void = () => undefined,
): Promise<FolderSnapshot> {
  return readFolder(never, source, { ...defaultLimits, ...limits }, onProgress);
}

function reported(snapshot: FolderSnapshot): { files: string[]; problems: string[] } {
  return {
    files: snapshot.files.map((file) => `${file.path}=${new TextDecoder().decode(file.bytes)}`),
    problems: snapshot.problems.map((problem) => `${problem.code} ${problem.file}`),
  };
}

/** A File whose bytes cannot be read any more, as after a change on disk. */
function changed(path: string): File {
  const file = new File(['old'], path);
  file.arrayBuffer = () => Promise.reject(new DOMException('changed', 'NotReadableError'));
  return file;
}

test('reads every file, sorted, with size and time', async () => {
  const snapshot = await read(fakeSource({ 'b.py': 'b', 'a/x.json': '{}', 'a.py': 'é' }));
  expect(snapshot.name).toBe('folder');
  expect(snapshot.problems).toEqual([]);
  expect(snapshot.files).toEqual([
    { path: 'a.py', size: 2, modifiedAt: 1_000, bytes: new TextEncoder().encode('é') },
    { path: 'a/x.json', size: 2, modifiedAt: 1_000, bytes: new TextEncoder().encode('{}') },
    { path: 'b.py', size: 1, modifiedAt: 1_000, bytes: new TextEncoder().encode('b') },
  ]);
});

test('every reading has its own id', async () => {
  const source = fakeSource({ 'a.py': '' });
  expect((await read(source)).id).not.toBe((await read(source)).id);
});

test('an empty folder is valid', async () => {
  expect(reported(await read(fakeSource({})))).toEqual({ files: [], problems: [] });
});

test('reports its progress file by file', async () => {
  const progress: ReadProgress[] = [];
  await read(fakeSource({ 'a.py': '12', 'b.py': '3' }), {}, (now) => progress.push(now));
  expect(progress.map((now) => now.files)).toEqual([1, 2]);
  expect(progress.at(-1)).toEqual({ files: 2, bytes: 3 });
});

test('a file over the limit is reported and left out', async () => {
  const snapshot = await read(fakeSource({ 'a.py': 'ok', 'big.csv': '12345' }), { fileBytes: 4 });
  expect(reported(snapshot)).toEqual({ files: ['a.py=ok'], problems: ['file-too-large big.csv'] });
});

test('a file that is a little over the limit is not said to have the size of the limit', async () => {
  const limits = { fileBytes: 2 ** 20 };
  const { files, problems } = await read(
    fakeSource({ 'fits.csv': 'x'.repeat(2 ** 20), 'big.csv': 'x'.repeat(2 ** 20 + 1) }),
    limits,
  );
  expect(files.map(({ path }) => path)).toEqual(['fits.csv']);
  expect(problems.map(({ message }) => message)).toEqual([
    '“big.csv” was skipped: it is 1.1 MB, more than the limit of 1 MB for one file.',
  ]);
});

test('in a folder over the limit, tool files come first and smaller files still fit', async () => {
  const source = fakeSource({ 'a.csv': '123456', 'b.csv': '12', 'z.py': '12345' });
  expect(reported(await read(source, { folderBytes: 8 }))).toEqual({
    files: ['b.csv=12', 'z.py=12345'],
    problems: ['folder-too-large '],
  });
});

test('a file that cannot be opened affects only itself', async () => {
  const snapshot = await read(fakeSource({ 'a.py': 'ok', 'b.py': new Error('denied') }));
  expect(reported(snapshot)).toEqual({ files: ['a.py=ok'], problems: ['unreadable b.py'] });
  expect(snapshot.problems[0]?.message).toBe('“b.py” could not be read: denied');
});

test('a file that changes while it is read is read once more', async () => {
  let opened = 0;
  const entry = fakeEntry('a.py', () => {
    opened += 1;
    return opened === 1 ? changed('a.py') : 'new';
  });
  expect(reported(await read(listSource([entry])))).toEqual({ files: ['a.py=new'], problems: [] });
});

test('a file that keeps changing is a problem', async () => {
  let opened = 0;
  const entry = fakeEntry('a.py', () => {
    opened += 1;
    return changed('a.py');
  });
  expect(reported(await read(listSource([entry])))).toEqual({
    files: [],
    problems: ['unreadable a.py'],
  });
  expect(opened).toBe(2);
});

test('a file that has grown over the folder’s limit is left out', async () => {
  let opened = 0;
  const entry = fakeEntry('a.py', () => {
    opened += 1;
    return opened === 1 ? changed('a.py') : '1234567890';
  });
  expect(reported(await read(listSource([entry]), { folderBytes: 8 }))).toEqual({
    files: [],
    problems: ['file-too-large a.py'],
  });
});

test('problems have a fixed order', async () => {
  const source = fakeSource({ 'z.py': new Error('z'), 'b\\c/x': '', 'a.py': new Error('a') });
  expect(reported(await read(source)).problems).toEqual([
    'unreadable a.py',
    'bad-path b\\c',
    'unreadable z.py',
  ]);
});

test.each(['', '/', 'a/b', '..', 'a\nb'])('a folder named %j is called tools', async (name) => {
  expect((await read(fakeSource({}, { name }))).name).toBe('tools');
});

test('rejects if the folder itself cannot be listed', async () => {
  const source = fakeSource(
    {},
    {
      // eslint-disable-next-line require-yield -- fails before its first file
      async *entries() {
        await Promise.resolve();
        throw new DOMException('gone', 'NotFoundError');
      },
    },
  );
  await expect(read(source)).rejects.toMatchObject({
    code: 'not-found',
    message: 'The folder “folder” could not be read: gone',
  });
});

test.each([
  ['opening', () => fakeEntry('a.py', () => new Error('unused'))],
  ['reading', () => fakeEntry('a.py', () => new File([], 'a.py'))],
])('stops immediately while %s hangs', async (_when, entry) => {
  const controller = new AbortController();
  const hanging = entry();
  const file = await hanging.file().catch(() => undefined);
  const forever = new Promise<never>(() => undefined);
  if (file !== undefined) file.arrayBuffer = () => forever;
  const source = listSource([
    { path: 'a.py', file: () => (file === undefined ? forever : Promise.resolve(file)) },
  ]);
  const reading = readFolder(controller.signal, source, defaultLimits, () => undefined);
  setTimeout(() => controller.abort());
  await expect(reading).rejects.toMatchObject({ name: 'ToolError', code: 'aborted' });
});

test('keeps the order and never exceeds the limit', async () => {
  let now = 0;
  let max = 0;
  const results = await mapInFlight([5, 1, 3, 0, 2], 2, async (ticks, index) => {
    now += 1;
    max = Math.max(max, now);
    for (let i = 0; i < ticks; i += 1) await Promise.resolve();
    now -= 1;
    return `${index}:${ticks}`;
  });
  expect(results).toEqual(['0:5', '1:1', '2:3', '3:0', '4:2']);
  expect(max).toBe(2);
});

test('starts no further item after a rejection', async () => {
  const begun: number[] = [];
  const running = mapInFlight([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error('one');
  });
  await expect(running).rejects.toThrow('one');
  await new Promise((resolve) => setTimeout(resolve));
  expect(begun).toEqual([0, 1, 2]);
});

test('does nothing without items', async () => {
  expect(await mapInFlight([], 8, () => Promise.resolve(1))).toEqual([]);
});

test.each(['opened', 'read again'])(
  'a reading in which the permission is withdrawn fails as a whole: no file is gone (%s)',
  async (when) => {
    const refused = new DOMException('not allowed', 'NotAllowedError');
    let times = 0;
    const late = fakeEntry('b.py', () => {
      times += 1;
      return when === 'opened' || times > 1 ? refused : changed('b.py');
    });
    const source = listSource([fakeEntry('a.py', () => 'ok'), late]);
    await expect(read(source)).rejects.toMatchObject({
      code: 'not-found',
      message: 'The folder “folder” could not be read: not allowed',
      hint: 'It may have been moved, or the permission has expired. Open it again.',
    });
  },
);

test('a subfolder whose permission is withdrawn is not left out', async () => {
  const children = async function* (folder: string): AsyncGenerator<Child<string>> {
    await Promise.resolve();
    if (folder !== '') throw new DOMException('not allowed', 'NotAllowedError');
    yield { name: 'inner', folder: 'inner' };
  };
  const entries: FolderSource['entries'] = (signal, walk) =>
    walkFolders(signal, walk, '', children);
  await expect(read(fakeSource({}, { entries }))).rejects.toThrow('could not be read');
});

test('problems of one kind are listed up to a limit, and the others counted', async () => {
  const files = Array.from({ length: 1_234 }, (_, n) => [`${n}.py`, new Error('gone')] as const);
  const { problems } = await read(fakeSource({ ...Object.fromEntries(files), 'x\ty': '' }));
  expect(problems.filter(({ code }) => code === 'unreadable')).toHaveLength(201);
  expect(problems.filter(({ code }) => code === 'bad-path')).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    code: 'unreadable',
    severity: 'warning',
    file: '',
    message: 'More files with the same problem as “0.py”: 1,034.',
    hint: expect.stringContaining('check its permissions') as string,
  });
});
