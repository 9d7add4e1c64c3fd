/** Asking the resolver until it needs nothing more: what it gets, and when that ends. */

import { expect, test, vi } from 'vitest';
import type { ResolveAnswer, ResolveRequest } from '../protocol/packages.ts';
import type { Declared } from './declared.ts';
import { listed, never, resolution, resolved, unreachable } from './packages.fixture.ts';
import { forEachOf, resolve, type ResolveDeps } from './resolve.ts';
import type { IndexFile } from './index-listing.ts';

const declared: Declared = { sources: [{ file: 'a.py', text: 'x' }], wheels: [], key: 'k' };
const x = 'x-1-py3-none-any.whl';
const y = 'y-1-py3-none-any.whl';
const tooMany = { code: 'limit', message: 'Resolving needed too many packages.' };

function need(projects: readonly string[], metadata: readonly string[] = []): ResolveAnswer {
  return { need: { projects, metadata } };
}

/** @param answer depends on what the resolver knows */
function opened(
  answer: (request: ResolveRequest, round: number) => ResolveAnswer,
  index: Readonly<Record<string, IndexFile[]>> = {},
  more: Partial<ResolveDeps> = {},
) {
  const asked: ResolveRequest[] = [];
  const looked: string[] = [];
  const steps: string[] = [];
  const deps: ResolveDeps = {
    ask: (_, request) => {
      // Cloned, as when it is sent into the sandbox.
      asked.push(structuredClone(request));
      return Promise.resolve(answer(request, asked.length));
    },
    platforms: ['wasm32'],
    candidates: [{ from: 'folder', filename: y, metadata: '', depends: null }],
    mayFetch: true,
    list: (_, project) => {
      looked.push(project);
      return Promise.resolve(Object.hasOwn(index, project) ? (index[project] ?? null) : null);
    },
    metadata: (_, { filename }) => {
      looked.push(filename);
      return Promise.resolve(`METADATA of ${filename}`);
    },
    onStep: (message) => steps.push(message),
    ...more,
  };
  return { done: (signal = never) => resolve(signal, declared, deps), asked, looked, steps };
}

test('the resolver is asked, gets what it needs, and is asked again', async () => {
  const wanted = resolution([resolved(x)]);
  const { done, asked, looked, steps } = opened(
    (_, round) => [need(['x', 'absent']), need([], [x])][round - 1] ?? wanted,
    { x: [listed(x, { yanked: true, requiresPython: '>=3' })] },
  );
  const { resolution: found, files } = await done();
  expect(found).toBe(wanted);
  expect([...files]).toEqual([[x, listed(x, { yanked: true, requiresPython: '>=3' })]]);
  const first = {
    platforms: ['wasm32'],
    sources: declared.sources,
    wheels: [{ from: 'folder', filename: y, metadata: '', depends: null }],
    mayFetch: true,
    projects: {},
    unreachable: {},
    metadata: {},
    badMetadata: {},
  };
  const projects = { x: [{ filename: x, requiresPython: '>=3', yanked: true }], absent: null };
  expect(asked).toEqual([
    first,
    { ...first, projects },
    { ...first, projects, metadata: { [x]: `METADATA of ${x}` } },
  ]);
  expect(looked).toEqual(['x', 'absent', x]);
  expect(steps).toEqual([
    'Asking the package index about x',
    'Asking the package index about absent',
    `Reading what ${x} depends on`,
  ]);
});

test('the resolver is told what is unavailable, and continues', async () => {
  const { done, asked } = opened(
    (_, round) => [need(['x', 'y'], ['unlisted.whl']), need([], [x])][round - 1] ?? resolution([]),
    { x: [listed(x)] },
    { metadata: () => Promise.reject(new Error('damaged')) },
  );
  await done();
  expect(asked.at(-1)).toMatchObject({
    projects: { y: null },
    unreachable: {},
    badMetadata: { 'unlisted.whl': 'it is not listed', [x]: 'damaged' },
  });
  const offline = opened(
    (_, round) => (round === 1 ? need(['x']) : resolution([])),
    {},
    {
      list: () => Promise.reject(unreachable()),
    },
  );
  await offline.done();
  expect(offline.asked.at(-1)).toMatchObject({
    projects: {},
    unreachable: { x: 'it cannot be reached' },
  });
});

test('a resolver that asks for the same again is stopped', async () => {
  const { done, asked, looked } = opened(() => need(['x', 'x'], ['z.whl', 'z.whl']));
  await expect(done()).rejects.toMatchObject(tooMany);
  expect([asked.length, looked]).toEqual([2, ['x']]);
});

test('a resolver that asks for nothing is stopped', async () => {
  const { done, asked } = opened(() => need([]));
  await expect(done()).rejects.toMatchObject(tooMany);
  expect(asked).toHaveLength(1);
});

test('a resolver that asks for too much is stopped, whether at once or one by one', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`);
  const greedy = opened(() => need(names(5_000)));
  await expect(greedy.done()).rejects.toMatchObject(tooMany);
  expect(greedy.looked).toEqual([]);
  const unending = opened((_, round) => need([`p${round}`]));
  await expect(unending.done()).rejects.toMatchObject(tooMany);
  expect(unending.looked.length).toBeLessThanOrEqual(200);
  const files = opened((_, round) =>
    need(
      [],
      names(100).map((name) => `${round}${name}`),
    ),
  );
  await expect(files.done()).rejects.toMatchObject(tooMany);
  expect(files.asked.length).toBeLessThanOrEqual(31);
});

test('without permission, nothing is looked up in the index', async () => {
  const { done, looked } = opened(() => need(['x'], [x]), {}, { mayFetch: false });
  await expect(done()).rejects.toMatchObject({ code: 'limit' });
  expect(looked).toEqual([]);
});

test('names of built-in object properties are ordinary names', async () => {
  const { done, asked } = opened(
    (_, round) => (round === 1 ? need(['constructor', '__proto__'], ['toString']) : resolution([])),
    { constructor: [listed('constructor-1-py3-none-any.whl')] },
  );
  await done();
  expect(Object.entries(asked[1]?.projects ?? {})).toEqual([
    [
      'constructor',
      [{ filename: 'constructor-1-py3-none-any.whl', requiresPython: null, yanked: false }],
    ],
    ['__proto__', null],
  ]);
  expect(asked[1]?.badMetadata).toEqual({ toString: 'it is not listed' });
});

test('a project’s listing cannot replace a file of another project', async () => {
  const named = 'Some_Name.x-1-py3-none-any.whl';
  const { done } = opened(
    (_, round) => [need(['x', 'some-name-x']), need(['evil'])][round - 1] ?? resolution([]),
    {
      x: [listed(x)],
      'some-name-x': [listed(named)],
      evil: [listed(x, { url: 'https://evil.example/x' }), listed('evil-1.tar.gz')],
    },
  );
  const { files } = await done();
  expect(files.get(x)).toEqual(listed(x));
  expect([...files.keys()]).toEqual([x, named, 'evil-1.tar.gz']);
});

test('at most six requests run at once, and all are made', async () => {
  let now = 0;
  let max = 0;
  const done: number[] = [];
  await forEachOf(
    Array.from({ length: 40 }, (_, n) => n),
    async (n) => {
      max = Math.max(max, (now += 1));
      await new Promise((then) => setTimeout(then, n % 3));
      now -= 1;
      done.push(n);
    },
  );
  expect([max, done.length]).toEqual([6, 40]);
  await forEachOf([], () => Promise.reject(new Error('nothing to do')));
});

test('an error of the resolver is rethrown', async () => {
  const fault = new Error('died');
  const { done } = opened(() => resolution([]), {}, { ask: () => Promise.reject(fault) });
  await expect(done()).rejects.toBe(fault);
});

test('an abort ends it, and nothing more is requested', async () => {
  const reason = new Error('another folder');
  const stop = new AbortController();
  const list = vi.fn((signal: AbortSignal) => {
    stop.abort(reason);
    signal.throwIfAborted();
    return Promise.resolve(null);
  });
  const names = Array.from({ length: 100 }, (_, n) => `p${n}`);
  const { done, asked } = opened(() => need(names), {}, { list });
  await expect(done(stop.signal)).rejects.toBe(reason);
  expect(asked).toHaveLength(1);
  expect(list.mock.calls.length).toBeLessThanOrEqual(6);
});
