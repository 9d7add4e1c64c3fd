/** The packages of whatever folder is open: told of, prepared anew, and never those of another one. */

import { expect, test } from 'vitest';
import type { Hands } from './app-hands.ts';
import { PackageHolder } from './app-packages.ts';
import { StatusHolder } from './app-status.ts';
import type { AppStatus } from './app-types.ts';
import { fakeFolder } from './folder/folder.fixture.ts';
import { fakeSource } from './folder/source.fixture.ts';
import type { FolderPackages } from './packages/folder-packages.ts';
import { FakePackages, locked, never, problem, resolution } from './packages/packages.fixture.ts';
import { chosen, resolved } from './packages/packages.fixture.ts';
import { fakeInspection } from './scan/tool.fixture.ts';
import type { Inspection } from './spec/inspection.ts';
import type { ToolError } from './spec/error.ts';

const x = 'x-1-py3-none-any.whl';
const block = '# /// script\n# dependencies = ["x"]\n# ///\n';
const folder = fakeFolder({ 'a.py': block });
const plain = fakeFolder({ 'a.py': 'x = 1' });
const source = fakeSource({});
const none: FolderPackages = { declares: false, installed: [], problems: [] };

function raise(thrown: unknown): void {
  throw thrown;
}

/** @param before what has to happen before packages are prepared */
function opened(fake = chosen(resolution([resolved(x)])), before = () => Promise.resolve()) {
  const status = new StatusHolder(raise);
  const seen: AppStatus[] = [];
  const told: FolderPackages[] = [];
  const wanted: unknown[] = [];
  const prepare: Hands['preparePackages'] = async (
    _signal,
    _folder,
    _source,
    _declared,
    onStep,
  ) => {
    await before();
    return { ...fake.parts({ onStep }), want: (some) => void wanted.push(some) };
  };
  const holder = new PackageHolder(prepare, status, raise);
  status.observe((now) => seen.push(now));
  holder.observe((now) => told.push(now));
  return { holder, status, seen, told, wanted };
}

test('a folder that declares nothing has none, and nobody is asked', async () => {
  const { holder, seen, told } = opened(new FakePackages(), () => Promise.reject(new Error('no')));
  expect(await holder.prepare(never, plain, source)).toEqual([]);
  expect([holder.get(), told, seen]).toEqual([none, [none], []]);
});

test('what is declared is prepared, told of, and asked for', async () => {
  const { holder, seen, told, wanted } = opened();
  const wheels = await holder.prepare(never, folder, source);
  expect(wheels.map(({ filename }) => filename)).toEqual([x]);
  const now = { declares: true, installed: [locked(x)], problems: [] };
  expect([holder.get(), told, wanted]).toEqual([now, [now], [[]]]);
  expect(seen[0]).toMatchObject({ phase: 'packages', folder: 'folder', done: 0, total: 0 });
  expect(seen.at(-1)).toMatchObject({ phase: 'packages', message: x, done: 1, total: 1 });
  holder.clear();
  expect([holder.get(), told.length]).toEqual([none, 2]);
});

test('it is known whether the folder declares something else by now', async () => {
  const { holder } = opened();
  expect(await holder.haveChanged(folder)).toBe(true);
  await holder.prepare(never, folder, source);
  expect([
    await holder.haveChanged(fakeFolder({ 'a.py': `${block}y = 1`, 'b.py': '' })),
    await holder.haveChanged(fakeFolder({ 'a.py': block.replace('"x"', '"y"') })),
    await holder.haveChanged(plain),
  ]).toEqual([false, true, true]);
  holder.clear();
  expect(await holder.haveChanged(plain)).toBe(false);
});

test('problems of no tool file are the folder’s, errors are worth another try', async () => {
  const problems = [
    problem('a.py', { severity: 'warning' }),
    problem('requirements.txt', { severity: 'warning' }),
  ];
  const warned = opened(chosen(resolution([resolved(x)], { problems }))).holder;
  await warned.prepare(never, folder, source);
  expect([warned.haveFailed, warned.folderProblems]).toEqual([false, [problems[1]]]);
  const failed = opened(chosen(resolution([], { problems: [problem('a.py')] }))).holder;
  await failed.prepare(never, folder, source);
  expect([failed.haveFailed, failed.folderProblems]).toEqual([true, []]);
});

test('a file whose packages are missing is told of, not inspected', async () => {
  const { holder } = opened(chosen(resolution([], { problems: [problem('a.py')] })));
  await holder.prepare(never, folder, source);
  const told: (Inspection | ToolError)[] = [];
  const asked: (readonly string[])[] = [];
  await holder.inspect(
    ['a.py', 'b.py'],
    (report) => told.push(report),
    (files, onReport) => {
      asked.push(files);
      for (const file of files) onReport(fakeInspection(file));
      return Promise.resolve();
    },
  );
  expect(asked).toEqual([['b.py']]);
  expect(told).toEqual([
    fakeInspection('a.py', { problems: [problem('a.py')], durationMs: 0 }),
    fakeInspection('b.py'),
  ]);
});

test.each([
  ['declares packages', folder],
  ['declares none', plain],
])(
  'an opening that is over before it begins, of a folder that %s, changes nothing',
  async (_, late) => {
    const { holder, seen, told, wanted } = opened();
    const reason = new Error('closed');
    const stop = new AbortController();
    const preparing = holder.prepare(stop.signal, late, source);
    stop.abort(reason);
    holder.clear();
    await expect(preparing).rejects.toBe(reason);
    expect([holder.get(), seen, told, wanted]).toEqual([none, [], [none], []]);
    expect(await holder.haveChanged(plain)).toBe(false);
  },
);

test('an opening that is over while it prepares leaves those of the next one alone', async () => {
  let go: () => void = () => undefined;
  const waits = [new Promise<void>((resolve) => (go = resolve))];
  const { holder, seen, told, wanted } = opened(undefined, () => waits.pop() ?? Promise.resolve());
  const reason = new Error('another folder');
  const stop = new AbortController();
  const first = expect(holder.prepare(stop.signal, folder, source)).rejects.toBe(reason);
  // The modules are there by now.
  await holder.haveChanged(folder);
  await new Promise((then) => setTimeout(then));
  stop.abort(reason);
  const other = fakeFolder({ 'a.py': `# other\n${block}`, 'requirements.txt': 'x' });
  await holder.prepare(never, other, source);
  const [steps, tellings] = [seen.length, told.length];
  go();
  await first;
  expect([seen.length, told.length, wanted.length]).toEqual([steps, tellings, 1]);
  expect(await holder.haveChanged(other)).toBe(false);
});
