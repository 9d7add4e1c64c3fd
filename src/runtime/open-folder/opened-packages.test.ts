/** The packages of one opening: prepared, reported, and considered when files are inspected. */

import { expect, test } from 'vitest';
import { getPackages, inspectBeside, type PreparePackages } from './opened-packages.ts';
import { type FolderStatus, initialFolderStatus, StatusHolder } from './status.ts';
import { noPackages } from './current-folder.ts';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { fakeSource } from '../folder/source.fixture.ts';
import {
  chosen,
  FakePackages,
  locked,
  never,
  problem,
  resolution,
  resolved,
} from '../packages/packages.fixture.ts';
import { fakeInspection } from '../scan/tool.fixture.ts';
import { ToolError } from '../spec/error.ts';
import type { Inspection } from '../spec/tool.ts';
import type { Problem } from '../spec/folder.ts';

const x = 'x-1-py3-none-any.whl';
const block = '# /// script\n# dependencies = ["x"]\n# ///\nTOOL_SPECS = []\n';
const folder = fakeFolder({ 'a.py': block });
const plain = fakeFolder({ 'a.py': 'x = 1' });
const source = fakeSource({});

function raise(thrown: unknown): void {
  throw thrown;
}

/** @param before runs before packages are prepared */
function opened(fake = chosen(resolution([resolved(x)])), before = () => Promise.resolve()) {
  const status = new StatusHolder(initialFolderStatus, raise);
  const seen: FolderStatus[] = [];
  const wanted: unknown[] = [];
  const prepare: PreparePackages = async (_, { onStep }) => {
    await before();
    return { ...fake.deps({ onStep }), askFor: (some) => void wanted.push(some) };
  };
  status.observe((now) => seen.push(now));
  const get = (of = folder, signal = never) =>
    getPackages(signal, { source, snapshot: of }, status, {
      prepare,
      reload: () => Promise.resolve(),
    });
  return { get, status, seen, wanted };
}

test('a folder that declares no packages has none, and nothing is asked', async () => {
  const { get, seen } = opened(new FakePackages(), () => Promise.reject(new Error('asked')));
  const got = await get(plain);
  expect(got.wheels).toEqual([]);
  expect([got.opened.haveFailed, got.opened.folderProblems]).toEqual([false, []]);
  expect(seen).toMatchObject([{ phase: 'none', packages: noPackages }]);
});

test('declared packages are prepared, reported and asked for', async () => {
  const { get, seen, wanted } = opened();
  const { wheels } = await get();
  expect(wheels.map(({ filename }) => filename)).toEqual([x]);
  expect(seen[0]).toMatchObject({ phase: 'packages', folder: 'folder', packages: noPackages });
  expect(seen.at(-1)).toMatchObject({
    phase: 'packages',
    message: x,
    done: 1,
    total: 1,
    packages: { declares: true, installed: [locked(x)], problems: [] },
  });
  expect(wanted).toEqual([[]]);
});

test('detects whether the folder now declares other packages', async () => {
  const { opened: packages } = await opened().get();
  expect([
    packages.haveChanged(fakeFolder({ 'a.py': `${block}y = 1`, 'b.py': '' })),
    packages.haveChanged(fakeFolder({ 'a.py': block.replace('"x"', '"y"') })),
    packages.haveChanged(plain),
  ]).toEqual([false, true, true]);
  const { opened: none } = await opened().get(plain);
  expect([none.haveChanged(plain), none.haveChanged(folder)]).toEqual([false, true]);
});

test('problems without a tool file belong to the folder, and errors are worth another attempt', async () => {
  const problems = [
    problem('a.py', { severity: 'warning' }),
    problem('requirements.txt', { severity: 'warning' }),
  ];
  const { opened: warned } = await opened(chosen(resolution([resolved(x)], { problems }))).get();
  expect([warned.haveFailed, warned.folderProblems]).toEqual([false, [problems[1]]]);
  const failing = chosen(resolution([], { problems: [problem('a.py')] }));
  const { opened: failed } = await opened(failing).get();
  expect([failed.haveFailed, failed.folderProblems]).toEqual([true, []]);
});

test('a file whose packages are missing is reported, not inspected', async () => {
  const failing = chosen(resolution([], { problems: [problem('a.py')] }));
  const { opened: packages } = await opened(failing).get();
  const reported: (Inspection | ToolError)[] = [];
  const asked: (readonly string[])[] = [];
  await packages.inspect(
    ['a.py', 'b.py'],
    (report) => reported.push(report),
    (files, onReport) => {
      asked.push(files);
      for (const file of files) onReport(fakeInspection(file));
      return Promise.resolve();
    },
  );
  expect(asked).toEqual([['b.py']]);
  expect(reported).toEqual([
    fakeInspection('a.py', { problems: [problem('a.py')], durationMs: 0 }),
    fakeInspection('b.py'),
  ]);
});

test('a file without specs is inspected without its packages, which are then a warning', async () => {
  const files = fakeFolder({
    'a.py': block.replace('TOOL_SPECS = []', 'from llm import hookimpl'),
  });
  const failing = chosen(resolution([], { problems: [problem('a.py')] }));
  const { opened: packages } = await opened(failing).get(files);
  const reported: (Inspection | ToolError)[] = [];
  await packages.inspect(
    ['a.py'],
    (report) => reported.push(report),
    (asked, onReport) => {
      for (const file of asked) onReport(fakeInspection(file));
      return Promise.resolve();
    },
  );
  expect(packages.haveFailed).toBe(true);
  expect(reported).toEqual([
    fakeInspection('a.py', { problems: [problem('a.py', { severity: 'warning' })] }),
  ]);
});

test('an opening that was aborted while preparing reports nothing and asks nothing', async () => {
  let go: () => void = () => undefined;
  const { get, seen, wanted } = opened(undefined, () => new Promise((resolve) => (go = resolve)));
  const reason = new Error('another folder');
  const stop = new AbortController();
  const preparing = get(folder, stop.signal);
  stop.abort(reason);
  go();
  await expect(preparing).rejects.toBe(reason);
  expect([seen.map(({ phase }) => phase), wanted]).toEqual([['packages'], []]);
});

type Report = Inspection | ToolError;

const fakeReport = (file: string): Report => fakeInspection(file);

async function reports(
  problems: readonly Problem[],
  files: readonly string[],
  inspected: (file: string) => Report = fakeReport,
) {
  const asked: (readonly string[])[] = [];
  const reported: Report[] = [];
  await inspectBeside(
    problems,
    files,
    (report) => reported.push(report),
    async (some, onReport) => {
      asked.push(some);
      for (const file of some) {
        await Promise.resolve();
        onReport(inspected(file));
      }
    },
  );
  return { asked, reported };
}

function blocked(file: string, ...problems: Problem[]): Inspection {
  return fakeInspection(file, { problems, durationMs: 0 });
}

const warning = (file: string): Problem => problem(file, { severity: 'warning' });

test('without problems all files are inspected', async () => {
  const { asked, reported } = await reports([], ['a.py', 'b.py']);
  expect([asked, reported]).toEqual([[['a.py', 'b.py']], [fakeReport('a.py'), fakeReport('b.py')]]);
});

test.each([
  ['first', ['a.py', 'b.py']],
  ['in the middle', ['b.py', 'd.py']],
  ['last', ['d.py', 'e.py']],
  ['all', ['a.py', 'b.py', 'c.py', 'd.py', 'e.py']],
])('blocked files are reported in their place, and not imported: %s', async (_, failing) => {
  const files = ['a.py', 'b.py', 'c.py', 'd.py', 'e.py'];
  const { asked, reported } = await reports(
    failing.map((file) => problem(file)),
    files,
  );
  expect(asked).toEqual([files.filter((file) => !failing.includes(file))]);
  expect(reported).toEqual(
    files.map((file) => (failing.includes(file) ? blocked(file, problem(file)) : fakeReport(file))),
  );
});

test('problems of other files, and of the folder, block no file', async () => {
  const { asked, reported } = await reports(
    [problem('gone.py'), problem('requirements.txt'), problem('')],
    ['a.py'],
  );
  expect([asked, reported]).toEqual([[['a.py']], [fakeReport('a.py')]]);
});

test('warnings come after the problems of the import', async () => {
  const own = problem('a.py', { code: 'odd' });
  const { reported } = await reports([warning('a.py')], ['a.py', 'b.py'], (file) =>
    fakeInspection(file, { problems: [{ ...own, file }] }),
  );
  expect(reported).toEqual([
    fakeInspection('a.py', { problems: [own, warning('a.py')] }),
    fakeInspection('b.py', { problems: [{ ...own, file: 'b.py' }] }),
  ]);
});

test('a blocked file reports its warnings too', async () => {
  const { reported } = await reports([warning('a.py'), problem('a.py')], ['a.py']);
  expect(reported).toEqual([blocked('a.py', warning('a.py'), problem('a.py'))]);
});

test('a failed import is reported with the warnings, if the file caused it', async () => {
  const slow = new ToolError('timeout', 'Too slow.');
  const other = new ToolError('aborted', 'Stopped.');
  const { reported } = await reports(
    [warning('a.py'), warning('b.py')],
    ['a.py', 'b.py', 'c.py'],
    (file) => (file === 'b.py' ? other : slow),
  );
  expect(reported).toEqual([
    expect.objectContaining({
      file: 'a.py',
      problems: [
        expect.objectContaining({ code: 'import-timeout', message: 'Too slow.' }),
        warning('a.py'),
      ],
    }),
    other,
    slow,
  ]);
});

test('errors of the inspection itself are rethrown', async () => {
  const fault = new Error('died');
  const reported: Report[] = [];
  const inspecting = inspectBeside(
    [problem('b.py')],
    ['a.py', 'b.py'],
    (report) => reported.push(report),
    () => Promise.reject(fault),
  );
  await expect(inspecting).rejects.toBe(fault);
  expect(reported).toEqual([]);
});
