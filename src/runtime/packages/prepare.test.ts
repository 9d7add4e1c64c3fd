/** Preparing packages: resolved or locked, gathered, and reported if that fails. */

import { expect, test } from 'vitest';
import { fakeFile, fakeFolder } from '../folder/folder.fixture.ts';
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
  sha256,
  textOf,
  unreachable,
} from './packages.fixture.ts';
import { preparePackages, type PrepareDeps } from './prepare.ts';

const x = 'x-1-py3-none-any.whl';
const y = 'y-1-py3-none-any.whl';
const z = 'z-1-py3-none-any.whl';
const lib = 'libz-1.zip';
const warning = problem('a.py', { severity: 'warning', code: 'option-ignored' });

function prepare(
  fake: FakePackages,
  more: Partial<PrepareDeps> = {},
  signal = never,
  folder = fakeFolder({}),
) {
  return preparePackages(signal, folder, declared, fake.deps(more));
}

test('declared packages are resolved, downloaded and locked', async () => {
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
  expect(fake.steps[0]).toEqual({ message: 'Resolving packages', done: 0, total: 0 });
  // The order of the two depends on timing.
  expect(fake.steps.at(-1)).toMatchObject({ done: 2, total: 2 });
});

test('locked packages need no resolver, index, network or permission', async () => {
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

test('a resolution without packages is locked too', async () => {
  const fake = chosen(resolution([]));
  await prepare(fake);
  expect(await prepare(fake)).toMatchObject({ wheels: [], problems: [] });
  expect(fake.resolvers.started).toBe(1);
});

test('a resolution with an error is not locked', async () => {
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

test('an invalid lock is resolved again', async () => {
  const fake = chosen(resolution([resolved(x)]));
  fake.locks.set('key', { version: 1, wheels: [{ ...locked(x), sha256: '../x' }], at: 1 });
  expect(await prepare(fake)).toMatchObject({ installed: [locked(x)] });
  expect(fake.resolvers.started).toBe(1);
});

test('a locked wheel is used only if its hash is right, and is never replaced', async () => {
  const fake = new FakePackages();
  fake.locks.set('key', { version: 1, wheels: [locked(x)], warnings: [], at: 1 });
  fake.at.set(fileUrl(x), 'something else');
  const { wheels, problems } = await prepare(fake);
  expect(wheels).toEqual([]);
  expect(problems).toMatchObject([{ code: 'package-integrity', file: 'a.py' }]);
  expect(fake.resolvers.started).toBe(0);
});

test('a failing line of requirements.txt does not affect the packages of other lines', async () => {
  const neededBy = ['requirements.txt'];
  const fake = chosen(resolution([resolved(x, neededBy), resolved(y, neededBy)]));
  fake.at.set(fileUrl(x), unreachable());
  const { wheels, problems } = await prepare(fake);
  expect(wheels.map(({ filename }) => filename)).toEqual([y]);
  expect(problems).toEqual([missing('requirements.txt', 'x')]);
});

test('a missing wheel fails the files that need it, and drops wheels that only they need', async () => {
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

test('several missing wheels give one problem per file', async () => {
  const fake = chosen(resolution([resolved(x), resolved(y, ['a.py', 'b.py'])]));
  for (const filename of [x, y]) fake.at.set(fileUrl(filename), unreachable());
  const { problems } = await prepare(fake);
  expect(problems).toEqual([missing('a.py', 'x'), missing('b.py', 'y')]);
});

test('shared libraries are installed before what is linked with them', async () => {
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

test('the resolver gets the candidates without their locations', async () => {
  const fake = chosen(resolution([]));
  fake.candidates = [candidate(y)];
  await prepare(fake);
  expect(fake.asked[0]?.wheels).toEqual([
    { filename: y, from: 'distribution', metadata: null, depends: [] },
  ]);
});

test('wheels are taken from the folder or from the site', async () => {
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
  'a wheel of the %s that the resolver chose but nothing lists is missing',
  async (from) => {
    const fake = new FakePackages();
    fake.answers = [resolution([resolved(x, ['a.py'], { from })])];
    const { wheels, problems } = await prepare(fake);
    expect(wheels).toEqual([]);
    expect(problems).toMatchObject([{ severity: 'error', file: 'a.py' }]);
    expect(fake.fetched).toEqual([]);
  },
);

test('a wheel must have a required hash', async () => {
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

test('a wheel without a known hash is locked to the hash of its first download', async () => {
  const fake = chosen(resolution([resolved(x)]));
  fake.index.x = [listed(x, { sha256: null })];
  await prepare(fake);
  fake.wheels.clear();
  fake.at.set(fileUrl(x), 'something else');
  const { problems } = await prepare(fake);
  expect(problems).toMatchObject([{ code: 'package-integrity' }]);
});
