/** Packages of a folder got ready: resolved or remembered, gathered, and told of where that fails. */

import { expect, test } from 'vitest';
import { fakeFile, fakeFolder } from '../folder/folder.fixture.ts';
import type { Resolution } from '../protocol/packages.ts';
import { ToolError } from '../spec/error.ts';
import type { Declared } from './declared.ts';
import {
  candidate,
  FakePackages,
  fileUrl,
  listed,
  locked,
  never,
  problem,
  resolution,
  resolved,
  sha256,
  textOf,
  unreachable,
} from './packages.fixture.ts';
import { preparePackages, type PrepareParts } from './prepare.ts';

const declared: Declared = {
  sources: ['a.py', 'b.py'].map((file) => ({ file, text: 'x' })),
  wheels: [],
  key: 'k',
};
const x = 'x-1-py3-none-any.whl';
const y = 'y-1-py3-none-any.whl';
const z = 'z-1-py3-none-any.whl';
const lib = 'libz-1.zip';
const warning = problem('a.py', { severity: 'warning', code: 'option-ignored' });

/** With a resolver that chooses, from an index that has it all. */
function chosen(answer: Resolution): FakePackages {
  const fake = new FakePackages();
  fake.index = { x: [listed(x)], y: [listed(y)], z: [listed(z)] };
  fake.answers = [{ need: { projects: ['x', 'y', 'z'], metadata: [] } }, answer];
  return fake;
}

function prepare(
  fake: FakePackages,
  more: Partial<PrepareParts> = {},
  signal = never,
  folder = fakeFolder({}),
) {
  return preparePackages(signal, folder, declared, fake.parts(more));
}

function missing(file: string, name: string, why = 'it cannot be reached') {
  return {
    severity: 'error',
    code: 'package-unreachable',
    file,
    line: 1,
    column: null,
    message: `The package ${name} 1 is missing: ${why}.`,
    expected: 'packages that can be fetched, or are kept in this browser',
    hint: 'Go online.',
  };
}

test('what is declared is resolved, fetched and remembered', async () => {
  const fake = chosen(resolution([resolved(x), resolved(y, ['b.py'])]));
  const { wheels, installed, problems, wanted } = await prepare(fake);
  expect(wheels.map(({ filename, target }) => [filename, target])).toEqual([
    [x, 'site'],
    [y, 'site'],
  ]);
  expect(await Promise.all(wheels.map(({ content }) => content.text()))).toEqual([
    textOf(x),
    textOf(y),
  ]);
  expect(installed).toEqual([locked(x), locked(y, { neededBy: ['b.py'] })]);
  expect([problems, wanted]).toEqual([[], []]);
  expect(fake.locks.get('key')).toEqual({ version: 1, wheels: installed, warnings: [], at: 1_000 });
  expect(fake.resolvers).toEqual({ started: 1, ended: 1 });
  expect(fake.steps[0]).toEqual({ message: 'Finding out which packages fit', done: 0, total: 0 });
  expect(fake.steps.at(-1)).toEqual({ message: y, done: 2, total: 2 });
});

test('what is remembered needs no resolver, no index, no network and no permission', async () => {
  const fake = chosen(resolution([resolved(x)], { problems: [warning] }));
  const first = await prepare(fake);
  fake.fetched.length = 0;
  const again = await prepare(fake, {
    mayFetch: false,
    openResolver: () => Promise.reject(new Error('no resolver')),
    candidates: () => Promise.reject(new Error('no candidates')),
  });
  expect(again).toEqual(first);
  expect(again.problems).toEqual([warning]);
  expect(fake.fetched).toEqual([]);
});

test('that nothing is needed is remembered too', async () => {
  const fake = chosen(resolution([]));
  await prepare(fake);
  expect(await prepare(fake)).toMatchObject({ wheels: [], problems: [] });
  expect(fake.resolvers.started).toBe(1);
});

test('what came out with an error is not remembered', async () => {
  const failed = chosen(resolution([resolved(x)], { problems: [problem('b.py')] }));
  expect(await prepare(failed)).toMatchObject({
    installed: [locked(x)],
    problems: [problem('b.py')],
  });
  const lost = chosen(resolution([resolved(x)]));
  lost.at.set(fileUrl(x), unreachable());
  expect(await prepare(lost)).toMatchObject({ problems: [missing('a.py', 'x')] });
  expect([failed.locks.size, lost.locks.size]).toEqual([0, 0]);
});

test('a lock that is none is resolved anew', async () => {
  const fake = chosen(resolution([resolved(x)]));
  fake.locks.set('key', { version: 1, wheels: [{ ...locked(x), sha256: '../x' }], at: 1 });
  expect(await prepare(fake)).toMatchObject({ installed: [locked(x)] });
  expect(fake.resolvers.started).toBe(1);
});

test('what is locked is believed only where its hash is right, and is never replaced', async () => {
  const fake = new FakePackages();
  fake.locks.set('key', { version: 1, wheels: [locked(x)], warnings: [], at: 1 });
  fake.at.set(fileUrl(x), 'something else');
  const { wheels, problems } = await prepare(fake);
  expect(wheels).toEqual([]);
  expect(problems).toMatchObject([{ code: 'package-integrity', file: 'a.py' }]);
  expect(fake.resolvers.started).toBe(0);
});

test('a wheel that is missing fails the files that need it, and drops what they alone need', async () => {
  const fake = chosen(
    resolution([resolved(x), resolved(y), resolved(z, ['a.py', 'b.py'])], {
      problems: [problem('a.py'), warning, { ...warning, file: 'b.py' }],
    }),
  );
  fake.at.set(fileUrl(x), unreachable());
  const { wheels, problems, installed } = await prepare(fake);
  expect(wheels.map(({ filename }) => filename)).toEqual([z]);
  expect(installed).toEqual([locked(z, { neededBy: ['a.py', 'b.py'] })]);
  expect(problems).toEqual([{ ...warning, file: 'b.py' }, missing('a.py', 'x')]);
});

test('several that are missing are told of once a file', async () => {
  const fake = chosen(resolution([resolved(x), resolved(y, ['a.py', 'b.py'])]));
  for (const filename of [x, y]) fake.at.set(fileUrl(filename), unreachable());
  const { problems } = await prepare(fake);
  expect(problems).toEqual([missing('a.py', 'x'), missing('b.py', 'y')]);
});

test('shared libraries go before what is linked with them', async () => {
  const ofLib = resolved(lib, ['a.py'], { from: 'distribution', name: 'libz', version: '1' });
  const fake = chosen(resolution([resolved(x), ofLib, resolved(y)]));
  fake.candidates = [candidate(lib, { tagless: true, name: 'libz', version: '1' })];
  const { wheels } = await prepare(fake);
  expect(wheels.map(({ filename, target }) => [filename, target])).toEqual([
    [lib, 'dynlib'],
    [x, 'site'],
    [y, 'site'],
  ]);
});

test('the resolver is told of candidates, not of where they are', async () => {
  const fake = chosen(resolution([]));
  fake.candidates = [candidate(y)];
  await prepare(fake);
  expect(fake.asked[0]?.wheels).toEqual([
    { filename: y, from: 'distribution', metadata: null, depends: [] },
  ]);
});

test('wheels of the folder are taken from it, those of the site from the site', async () => {
  const fake = chosen(
    resolution([
      resolved(x, ['a.py'], { from: 'folder' }),
      resolved(y, ['a.py'], { from: 'site' }),
    ]),
  );
  fake.candidates = [
    candidate(x, { from: 'folder', url: '', sha256: null }),
    candidate(y, { from: 'site', url: `wheels/${y}` }),
  ];
  const folder = { ...fakeFolder({}), files: [fakeFile(`wheels/${x}`, 'mine')] };
  const { installed } = await prepare(fake, { mayFetch: true }, never, folder);
  expect(installed).toEqual([
    locked(x, { from: 'folder', url: '', sha256: sha256('mine'), bytes: 4 }),
    locked(y, { from: 'site', url: `wheels/${y}` }),
  ]);
  expect(fake.fetched).toEqual([`https://cloche.example/wheels/${y}`]);
});

test.each(['site', 'distribution', 'index', 'folder'] as const)(
  'what the resolver chose of the %s, and nobody offers, is not had',
  async (from) => {
    const fake = new FakePackages();
    fake.answers = [resolution([resolved(x, ['a.py'], { from })])];
    const { wheels, problems } = await prepare(fake);
    expect(wheels).toEqual([]);
    expect(problems).toMatchObject([{ severity: 'error', file: 'a.py' }]);
    expect(fake.fetched).toEqual([]);
  },
);

test('a hash that is demanded is the one that it has to have', async () => {
  const right = sha256(textOf(x));
  const wrong = sha256('other');
  const of = async (hashes: string[], ofIndex: string | null) => {
    const fake = chosen(resolution([resolved(x, ['a.py'], { hashes })]));
    fake.index.x = [listed(x, { sha256: ofIndex })];
    return (await prepare(fake)).problems.map(({ code }) => code);
  };
  expect(await of([right], right)).toEqual([]);
  expect(await of([wrong, right], null)).toEqual([]);
  expect(await of([right], null)).toEqual([]);
  expect(await of([wrong], right)).toEqual(['package-integrity']);
  expect(await of([wrong], null)).toEqual(['package-integrity']);
  expect(await of([wrong, sha256('third')], null)).toEqual(['package-integrity']);
  expect(await of([right], wrong)).toEqual(['package-integrity']);
});

test('a wheel whose hash nobody knew is the same ever after', async () => {
  const fake = chosen(resolution([resolved(x)]));
  fake.index.x = [listed(x, { sha256: null })];
  await prepare(fake);
  fake.wheels.clear();
  fake.at.set(fileUrl(x), 'something else');
  const { problems } = await prepare(fake);
  expect(problems).toMatchObject([{ code: 'package-integrity' }]);
});

test('what is wanted passes through', async () => {
  const wanted = [{ file: 'a.py', requirement: 'requests>=2' }];
  const fake = new FakePackages();
  fake.answers = [resolution([], { problems: [problem('a.py')], wanted })];
  expect(await prepare(fake, { mayFetch: false })).toMatchObject({ wanted });
});

test('where the distribution cannot be reached the index may have it', async () => {
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
  neither.answers = [ofDistribution, resolution([], { problems: [problem('a.py')] })];
  expect(await prepare(neither)).toMatchObject({ problems: [missing('a.py', 'x')] });
});

test('a resolver that fails is a problem of each file that declares packages', async () => {
  const fault = new ToolError('timeout', 'It took too long.', 'Declare less.');
  const of = (file: string, message: string, hint: string) =>
    problem(file, {
      ...{ code: 'packages-not-resolved', line: 1, hint },
      message: `Which packages fit was not found out: ${message}`,
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

test('storage that fails changes nothing', async () => {
  const fake = chosen(resolution([resolved(x)]));
  fake.storage = new Error('full');
  expect(await prepare(fake)).toMatchObject({ installed: [locked(x)], problems: [] });
  await Promise.resolve();
  expect(fake.failures).toEqual([fake.storage, fake.storage]);
});

test('an abort rejects, wherever it comes', async () => {
  const reason = new Error('another folder');
  const fake = chosen(resolution([resolved(x)]));
  await expect(prepare(fake, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
  const stop = new AbortController();
  const stopping: Partial<PrepareParts> = {
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
  const list: PrepareParts['list'] = (signal) => {
    asking.abort(reason);
    return Promise.reject(signal.reason as Error);
  };
  other.answers = [{ need: { projects: ['x'], metadata: [] } }];
  await expect(prepare(other, { list }, asking.signal)).rejects.toBe(reason);
  expect(other.resolvers).toEqual({ started: 1, ended: 1 });
  expect([fake, other].map(({ locks }) => locks.size)).toEqual([0, 0]);
});
