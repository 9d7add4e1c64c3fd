/** Which files of a folder are listed. */

import { expect, test } from 'vitest';
import { defaultLimits, type Limits } from '../spec/limits.ts';
import { listFolder } from './list-folder.ts';
import { fakeEntry, fakeSource, listSource } from './source.fixture.ts';
import type { FolderSource, SourceEntry } from './source.ts';

const never = new AbortController().signal;

async function listed(
  source: FolderSource,
  limits: Partial<Limits> = {},
): Promise<{ paths: string[]; problems: string[] }> {
  const list = await listFolder(never, source, { ...defaultLimits, ...limits });
  return {
    paths: list.entries.map((entry) => entry.path),
    problems: list.problems.map((problem) => `${problem.severity} ${problem.code} ${problem.file}`),
  };
}

function filesNamed(...paths: string[]): FolderSource {
  return listSource(paths.map((path) => fakeEntry(path, () => '')));
}

test('tool files first, both groups in code-unit order', async () => {
  const source = filesNamed('é.py', 'data.json', 'b/x.py', 'B.py', 'a.py', '_p.py');
  expect(await listed(source)).toEqual({
    paths: ['B.py', 'a.py', 'é.py', '_p.py', 'b/x.py', 'data.json'],
    problems: [],
  });
});

test('leaves out the files through which a browser writes others, without a word', async () => {
  const source = filesNamed('a.py', 'a.py.crswap', 'notes/x.txt.CRSWAP', 'crswap');
  expect(await listed(source)).toEqual({ paths: ['a.py', 'crswap'], problems: [] });
});

test('leaves out files in skipped folders, and says which', async () => {
  const source = filesNamed('a.py', '.git/x', 'b/node_modules/y.py', '__pycache__/a.pyc', '.env');
  expect(await listed(source)).toEqual({
    paths: ['a.py', '.env'],
    problems: ['note other-programs '],
  });
  const { problems } = await listFolder(never, source, defaultLimits);
  expect(problems[0]?.message).toMatch(/^“.git”, “__pycache__”, “b\/node_modules” were not read: /);
});

test('says which symbolic links are left out, where the source sees them', async () => {
  const source = fakeSource(
    {},
    {
      async *entries(_signal, walk) {
        await Promise.resolve();
        for (const path of ['linked.py', 'b/shared', 'node_modules/x']) walk.linked?.(path);
        yield fakeEntry('a.py', () => '');
      },
    },
  );
  const { problems } = await listFolder(never, source, defaultLimits);
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'linked: “b/shared”, “linked.py” were left out: symbolic links are not followed.',
    expect.stringMatching(/^other-programs: “node_modules” was not read/),
  ]);
});

test('leaves out files in skipped folders of flat lists too', async () => {
  const flat = fakeSource(
    {},
    {
      async *entries() {
        await Promise.resolve();
        yield fakeEntry('.venv/lib/x.py', () => '');
        yield fakeEntry('a.py', () => '');
      },
    },
  );
  expect(await listed(flat)).toEqual({ paths: ['a.py'], problems: ['note other-programs '] });
});

test('leaves out invalid paths and reports them', async () => {
  expect(await listed(filesNamed('b\\c/x', 'b\\c/y', 'a.py', 'b\n.py'))).toEqual({
    paths: ['a.py'],
    problems: ['warning bad-path b\\c', 'warning bad-path b\ufffd.py'],
  });
});

test('keeps the last of two files with the same path, and a file rather than a folder of its name', async () => {
  expect(await listed(filesNamed('a.py', 'a.py', 'd', 'd/e/x.py', 'd.py'))).toEqual({
    paths: ['a.py', 'd.py', 'd'],
    problems: ['warning same-path a.py', 'warning same-path d/e/x.py'],
  });
});

test('keeps two names that differ only in case, and warns', async () => {
  expect(await listed(filesNamed('Weather.py', 'weather.py', '\u00e9.txt', 'E\u0301.txt'))).toEqual(
    {
      paths: ['Weather.py', 'weather.py', '\u00c9.txt', '\u00e9.txt'],
      problems: ['warning case-only weather.py', 'warning case-only \u00e9.txt'],
    },
  );
});

test('names are composed, in files and in folders', async () => {
  const source = filesNamed('re\u0301sume\u0301.py', 'gro\u0308\u00dfe/a\u0308.txt');
  expect(await listed(source)).toEqual({
    paths: ['r\u00e9sum\u00e9.py', 'gr\u00f6\u00dfe/\u00e4.txt'],
    problems: [],
  });
  const { folders, entries } = await listFolder(never, source, defaultLimits);
  expect(folders).toEqual(['gr\u00f6\u00dfe']);
  expect((await entries[0]?.file())?.size).toBe(0);
});

test.each([[['e\u0301.py', '\u00e9.py']], [['\u00e9.py', 'e\u0301.py']]])(
  'of two names that differ only in form, both are kept: %j',
  async (paths) => {
    const source = listSource(paths.map((path) => fakeEntry(path, () => path)));
    const { entries, problems } = await listFolder(never, source, defaultLimits);
    const contents = await Promise.all(
      entries.map(async ({ path, file }) => [
        path,
        new TextDecoder().decode(await (await file()).arrayBuffer()),
      ]),
    );
    expect(contents).toEqual([
      ['e\u0301.py', 'e\u0301.py'],
      ['\u00e9.py', '\u00e9.py'],
    ]);
    expect(problems.map(({ code }) => code)).toEqual(['two-forms']);
  },
);

test('goes no deeper than the limit, and reports the folder once', async () => {
  const source = filesNamed('a/b/ok.txt', 'a/b/c/x.txt', 'a/b/c/y.txt', 'top.txt');
  expect(await listed(source, { folderDepth: 2 })).toEqual({
    paths: ['a/b/ok.txt', 'top.txt'],
    problems: ['warning too-deep a/b'],
  });
});

test('of too many files it keeps the tool files, then the first by path', async () => {
  const source = filesNamed('data/1', 'data/2', 'data/3', 'z.py', 'a.txt');
  expect(await listed(source, { folderFiles: 3 })).toEqual({
    paths: ['z.py', 'a.txt', 'data/1'],
    problems: ['error too-many-files '],
  });
});

test('reports which folder has most of too many files', async () => {
  const source = filesNamed('data/1', 'data/2', 'data/3', 'z.py');
  const list = await listFolder(never, source, { ...defaultLimits, folderFiles: 2 });
  expect(list.problems[0]?.message).toBe(
    'The folder has more than 2 files: “data/2”, “data/3” were skipped. Most of them are in “data”.',
  );
});

test('ends an endless listing, of good or of bad paths', async () => {
  const endless = (path: (n: number) => string): FolderSource =>
    fakeSource(
      {},
      {
        async *entries() {
          for (let n = 0; ; n += 1) {
            await Promise.resolve();
            yield fakeEntry(path(n), () => '');
          }
        },
      },
    );
  const good = await listed(
    endless((n) => `f${n}`),
    { folderFiles: 10 },
  );
  const bad = await listed(
    endless((n) => `../${n}`),
    { folderFiles: 10 },
  );
  expect([good.paths.length, good.problems]).toEqual([10, ['error too-many-files ']]);
  expect([bad.paths.length, bad.problems.length]).toEqual([0, 40]);
});

test('enters no more folders than the limit, such as in a loop of links', async () => {
  let entered = 0;
  const source = fakeSource(
    {},
    {
      // eslint-disable-next-line require-yield -- a tree of folders without any file
      async *entries(_signal, walk) {
        await Promise.resolve();
        for (let n = 0; n < 100; n += 1) if (walk.enter(`d${n}`)) entered += 1;
      },
    },
  );
  expect(await listed(source, { folderFiles: 10 })).toEqual({
    paths: [],
    problems: ['error too-many-folders '],
  });
  expect(entered).toBe(10);
});

test('a subfolder that fails to list is a problem, and its earlier files are kept', async () => {
  const source = fakeSource(
    {},
    {
      async *entries(_signal, walk): AsyncGenerator<SourceEntry> {
        await Promise.resolve();
        yield fakeEntry('sub/a.txt', () => '');
        walk.unlisted('sub', new Error('denied'));
        yield fakeEntry('b.txt', () => '');
      },
    },
  );
  expect(await listed(source)).toEqual({
    paths: ['b.txt', 'sub/a.txt'],
    problems: ['warning unreadable sub'],
  });
});

test('stops immediately if listing hangs', async () => {
  const controller = new AbortController();
  const source = fakeSource(
    {},
    {
      entries: () => ({
        [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
      }),
    },
  );
  const listing = listFolder(controller.signal, source, defaultLimits);
  controller.abort();
  await expect(listing).rejects.toMatchObject({ code: 'aborted' });
});

test('other work of the page runs while many deep paths are listed', async () => {
  const deep = Array.from({ length: 30 }, (_, level) => `folder-${level}`).join('/');
  const paths = Array.from({ length: 5_000 }, (_, n) => `${n}/${deep}/é${n}.txt`);
  const source = fakeSource(
    {},
    {
      async *entries() {
        await Promise.resolve();
        for (const path of paths) yield fakeEntry(path, () => '');
      },
    },
  );
  let turns = 0;
  let ends = false;
  const tick = (): void => {
    turns += 1;
    if (!ends) setTimeout(tick);
  };
  tick();
  const { entries } = await listFolder(never, source, defaultLimits);
  ends = true;
  expect(entries).toHaveLength(5_000);
  // The source never waits, so without pauses in the listing, only the first turn would come.
  expect(turns).toBeGreaterThan(3);
});

test('a file without a name is described by its folder', async () => {
  const source = fakeSource(
    {},
    {
      async *entries() {
        await Promise.resolve();
        for (const path of ['', 'data/', 'a//b.py']) yield fakeEntry(path, () => '');
      },
    },
  );
  const { problems } = await listFolder(never, source, defaultLimits);
  expect(problems.map(({ message }) => message)).toEqual([
    'A file was skipped: its name is empty, or is not valid Unicode.',
    'A file in “data” was skipped: its name is empty, or is not valid Unicode.',
    '“a//b.py” was skipped: its path has an empty part.',
  ]);
});
