/** Packages that are not available, or not from their first source. */

import { expect, test } from 'vitest';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { ToolError } from '../spec/error.ts';
import {
  candidate,
  chosen,
  declared,
  FakePackages,
  fileUrl,
  listed,
  locked,
  missing,
  never,
  problem,
  resolution,
  resolved,
  textOf,
  unreachable,
} from './packages.fixture.ts';
import { preparePackages, type PrepareDeps } from './prepare.ts';

const x = 'x-1-py3-none-any.whl';

function prepare(fake: FakePackages, more: Partial<PrepareDeps> = {}, signal = never) {
  return preparePackages(signal, fakeFolder({}), declared, fake.deps(more));
}

test('wanted packages are passed on', async () => {
  const wanted = [{ file: 'a.py', requirement: 'requests>=2' }];
  const fake = new FakePackages();
  fake.answers = [resolution([], { problems: [problem('a.py')], wanted })];
  expect(await prepare(fake, { mayFetch: false })).toMatchObject({ wanted });
});

test('a wheel that cannot be unpacked fails the files that need it, and is not locked', async () => {
  const fake = chosen(resolution([resolved(x), resolved('y-1-py3-none-any.whl', ['b.py'])]));
  const check: PrepareDeps['check'] = (_, __, filename) =>
    filename === x ? Promise.reject(unreachable()) : Promise.resolve();
  const { installed, problems } = await prepare(fake, { check });
  expect(installed).toEqual([locked('y-1-py3-none-any.whl', { neededBy: ['b.py'] })]);
  expect(problems).toEqual([missing('a.py', 'x')]);
  expect(fake.locks.size).toBe(0);
});

test('newer versions replace the locked ones', async () => {
  const fake = chosen(resolution([resolved(x)]));
  fake.locks.set('key', { version: 1, wheels: [], warnings: [], at: 1 });
  expect(await prepare(fake, { anew: true })).toMatchObject({ installed: [locked(x)] });
  expect(fake.locks.get('key')).toMatchObject({ wheels: [locked(x)], at: 1_000 });
});

test.each([
  ['the resolver fails', (fake: FakePackages) => (fake.answers = [new Error('no resolver')])],
  ['they conflict', (fake: FakePackages) => void (fake.answers = [failing])],
])('if newer versions are unavailable because %s, the lock stays in use', async (_, spoil) => {
  const fake = new FakePackages();
  const lock = { version: 1, wheels: [locked(x)], warnings: [], at: 1 };
  fake.locks.set('key', lock);
  spoil(fake);
  const { installed, problems } = await prepare(fake, { anew: true });
  expect(installed).toEqual([locked(x)]);
  expect(new Set(problems.map(({ severity }) => severity))).toEqual(new Set(['warning']));
  expect(problems[0]?.message).toMatch(/^Could not update packages. The installed ones are used: /);
  expect(fake.locks.get('key')).toBe(lock);
});

test('if the locked wheels are unavailable too, the new problems are reported', async () => {
  const fake = new FakePackages();
  fake.locks.set('key', { version: 1, wheels: [locked(x)], warnings: [], at: 1 });
  fake.at.set(fileUrl(x), unreachable());
  fake.answers = [failing];
  expect(await prepare(fake, { anew: true })).toMatchObject({ problems: failing.problems });
});

const failing = resolution([], { problems: [problem('a.py')] });

test('if the distribution is unreachable, the index may have the package', async () => {
  const ofDistribution = resolution([resolved(x, ['a.py'], { from: 'distribution' })]);
  const fake = new FakePackages();
  fake.index = { x: [listed(x, { url: 'https://elsewhere.example/x.whl' })] };
  fake.at.set('https://elsewhere.example/x.whl', textOf(x));
  fake.candidates = [candidate(x)];
  fake.at.set(fileUrl(x), unreachable());
  fake.answers = [
    ofDistribution,
    { need: { projects: ['x'], metadata: [] } },
    resolution([resolved(x)]),
  ];
  const { installed, problems } = await prepare(fake);
  expect(problems).toEqual([]);
  expect(installed).toEqual([locked(x, { url: 'https://elsewhere.example/x.whl' })]);
  expect(fake.asked.map(({ wheels }) => wheels.length)).toEqual([1, 0, 0]);
  expect(fake.resolvers).toEqual({ started: 2, ended: 2 });
  const neither = new FakePackages();
  neither.candidates = [candidate(x)];
  neither.at.set(fileUrl(x), unreachable());
  const noWheel = problem('a.py', { code: 'package-no-wheel' });
  neither.answers = [ofDistribution, resolution([], { problems: [noWheel] })];
  expect(await prepare(neither)).toMatchObject({ problems: [missing('a.py', 'x')] });
  const otherwise = problem('a.py', { code: 'package-integrity' });
  neither.answers = [ofDistribution, resolution([], { problems: [otherwise] })];
  expect(await prepare(neither)).toMatchObject({ problems: [otherwise] });
});

test('a resolver that fails is a problem of each file that declares packages', async () => {
  const fault = new ToolError('timeout', 'It took too long.', 'Declare less.');
  const of = (file: string, message: string, hint: string) =>
    problem(file, {
      code: 'packages-not-resolved',
      line: 1,
      hint,
      message: `Could not resolve packages: ${message}`,
      expected: 'a list of packages that can be resolved',
    });
  const fake = new FakePackages();
  fake.answers = [fault];
  expect((await prepare(fake)).problems).toEqual([
    of('a.py', 'It took too long.', 'Declare less.'),
    of('b.py', 'It took too long.', 'Declare less.'),
  ]);
  expect(fake.resolvers).toEqual({ started: 1, ended: 1 });
  const failing = () => Promise.reject(new Error('no Python'));
  for (const more of [{ openResolver: failing }, { candidates: failing }])
    expect((await prepare(fake, more)).problems[0]).toEqual(
      of('a.py', 'no Python', 'Press Refresh to try again.'),
    );
});

test('a failure of storage changes nothing', async () => {
  const fake = chosen(resolution([resolved(x)]));
  fake.storage = new Error('full');
  expect(await prepare(fake)).toMatchObject({ installed: [locked(x)], problems: [] });
  await Promise.resolve();
  expect(fake.failures).toEqual([fake.storage, fake.storage]);
});

test('an abort rejects at every point', async () => {
  const reason = new Error('another folder');
  const fake = chosen(resolution([resolved(x)]));
  await expect(prepare(fake, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
  const stop = new AbortController();
  const stopping: Partial<PrepareDeps> = {
    download: (signal) => {
      stop.abort(reason);
      return Promise.reject(signal.reason as Error);
    },
  };
  await expect(prepare(chosen(resolution([resolved(x)])), stopping, stop.signal)).rejects.toBe(
    reason,
  );
  const asking = new AbortController();
  const other = new FakePackages();
  const list: PrepareDeps['list'] = (signal) => {
    asking.abort(reason);
    return Promise.reject(signal.reason as Error);
  };
  other.answers = [{ need: { projects: ['x'], metadata: [] } }];
  await expect(prepare(other, { list }, asking.signal)).rejects.toBe(reason);
  expect(other.resolvers).toEqual({ started: 1, ended: 1 });
  expect([fake, other].map(({ locks }) => locks.size)).toEqual([0, 0]);
});
