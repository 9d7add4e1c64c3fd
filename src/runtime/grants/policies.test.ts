/** Policies: one per folder, stored if the folder is known. */

import { expect, test, vi } from 'vitest';
import { usualIndex } from './folder-policy.ts';
import { origin } from './grants.fixture.ts';
import { parsePolicy, Policies } from './policies.ts';

function raise(thrown: unknown): void {
  throw thrown;
}

type Reported = (id: string) => void;

/** @param pages pages of one browser, which notify each other of stored policies */
function opened(stored = new Map<string, unknown>(), pages = new Set<Reported>()) {
  let own: Reported = () => undefined;
  const policies = new Policies({
    store: {
      get: (id) => Promise.resolve(stored.get(id)),
      put: (policy) => {
        stored.set(policy.id, policy);
        for (const notify of pages) if (notify !== own) notify(policy.id);
        return Promise.resolve();
      },
      observe: (listener) => {
        own = listener;
        pages.add(listener);
      },
    },
    isLocked: false,
    onStorageFailure: raise,
    report: raise,
  });
  return { policies, stored };
}

test('stored decisions apply at the next visit, those for one visit do not', async () => {
  const { policies, stored } = opened();
  policies.follow('a', 'a');
  await vi.waitFor(() => {
    expect(policies.current.isTemporary).toBe(false);
  });
  policies.current.grant(origin, 'always');
  policies.current.grant('https://b.example', 'visit');
  policies.current.grant('https://c.example', 'never');
  policies.current.addSecret({ origin, header: 'X-Key', value: '1' });
  policies.current.addSecret({ origin, header: 'x-key', value: '2' });
  policies.current.allowLocal(true);
  policies.current.rule('t:f', 'never');
  policies.current.rule('t:g', 'always');
  policies.current.rule('t:g', null);
  const next = opened(stored).policies;
  next.follow('a', 'a');
  await vi.waitFor(() => {
    expect(next.current.isTemporary).toBe(false);
  });
  expect(next.current.get()).toEqual({
    grants: [
      { origin, allowed: true, visit: false },
      { origin: 'https://c.example', allowed: false, visit: false },
    ],
    secrets: [{ origin, header: 'x-key' }],
    local: true,
    packages: { decision: 'ask', visit: false, index: usualIndex },
    tools: [{ tool: 't:f', rule: 'never' }],
    extensions: [],
  });
  expect(next.current.secretsFor(origin)).toEqual([['x-key', '2']]);
});

test('a grant revoked in another tab is revoked here; one for this visit only is kept', async () => {
  const pages = new Set<Reported>();
  const { policies: here, stored } = opened(new Map(), pages);
  const { policies: there } = opened(stored, pages);
  for (const policies of [here, there]) {
    policies.follow('a', 'a');
    await policies.loaded();
  }
  here.current.grant(origin, 'always');
  here.current.grant('https://b.example', 'visit');
  await vi.waitFor(() => {
    expect(there.current.decide(origin)).toBe('allow');
  });
  expect(there.current.decide('https://b.example')).toBe('ask');
  there.current.revoke(origin);
  await vi.waitFor(() => {
    expect(here.current.decide(origin)).toBe('ask');
  });
  expect(here.current.decide('https://b.example')).toBe('allow');
  there.current.grant('https://b.example', 'never');
  await vi.waitFor(() => {
    expect(here.current.decide('https://b.example')).toBe('deny');
  });
});

test('another folder starts without grants', () => {
  const { policies } = opened();
  policies.follow('a', undefined);
  policies.current.grant(origin, 'always');
  expect([policies.current.isTemporary, policies.current.get().grants]).toEqual([
    true,
    [{ origin, allowed: true, visit: true }],
  ]);
  policies.follow('b', undefined);
  expect(policies.current.decide(origin)).toBe('ask');
});

test('a revoked grant is gone, with its secrets', () => {
  const { policies } = opened();
  const { current } = policies;
  current.grant(origin, 'always');
  current.addSecret({ origin, header: 'A', value: '1' });
  current.revoke(origin);
  expect(current.get()).toMatchObject({ grants: [], secrets: [], local: false });
});

test('a store that fails is reported, and nothing is granted', async () => {
  const failures: unknown[] = [];
  const policies = new Policies({
    store: {
      get: () => Promise.reject(new Error('damaged')),
      put: () => Promise.reject(new Error('full')),
      observe: () => undefined,
    },
    isLocked: false,
    onStorageFailure: (thrown) => failures.push(String(thrown)),
    report: (thrown) => {
      throw thrown;
    },
  });
  policies.follow('a', 'a');
  await vi.waitFor(() => {
    expect(failures).toEqual(['Error: damaged']);
  });
  expect(policies.current.allowed).toEqual([]);
  policies.current.grant(origin, 'always');
  await vi.waitFor(() => {
    expect(failures).toEqual(['Error: damaged', 'Error: full']);
  });
  expect(policies.current.allowed).toEqual([origin]);
});

test('what is read from storage is validated', () => {
  expect([parsePolicy(undefined), parsePolicy({ grants: [] }), parsePolicy('x')]).toEqual([
    null,
    null,
    null,
  ]);
  expect(
    parsePolicy({
      id: 'a',
      local: 1,
      grants: [{ origin: 1 }, null, { origin, allowed: true }],
      secrets: 'x',
      tools: [{ tool: 't:f', rule: 'often' }, { rule: 'ask' }],
    }),
  ).toMatchObject({
    id: 'a',
    local: false,
    grants: [{ origin, allowed: true }],
    secrets: [],
    tools: [],
  });
});

test('a locked policy refuses every change, and stores and reports nothing', async () => {
  const happened: unknown[] = [];
  const policies = new Policies({
    store: {
      get: () => Promise.resolve(undefined),
      put: (policy) => Promise.resolve(void happened.push(policy)),
      observe: () => undefined,
    },
    isLocked: true,
    onStorageFailure: raise,
    report: raise,
  });
  policies.follow('key', 'a');
  await policies.loaded();
  const { current } = policies;
  const before = current.get();
  current.observe((view) => happened.push(view));
  const origin = 'https://api.example';
  const changes = [
    () => current.grant(origin, 'visit'),
    () => current.allowLocal(true),
    () => current.rule('m:f', 'always'),
    () => current.allowPackages('visit'),
    () => current.useIndex('https://index.example/'),
    () => current.addSecret({ origin, header: 'A', value: '1' }),
    () => current.forgetSecret({ origin, header: 'A' }),
    () => current.revoke(origin),
  ];
  for (const change of changes) expect(change).toThrow('frame of another site');
  expect([current.get(), happened]).toEqual([before, []]);
});

test('policies that store nothing neither apply what is stored nor keep secrets', async () => {
  const { policies, stored } = opened();
  policies.follow('a', 'a');
  await policies.loaded();
  policies.current.grant(origin, 'always');
  expect(stored.size).toBe(1);
  const next = opened(stored).policies;
  next.storeNothing();
  next.follow('b', 'a');
  await next.loaded();
  expect(next.current.get().grants).toEqual([]);
  next.current.setSettings('a.py', {}, { environment: { KEY: 's3cr3t' } });
  expect(next.current.settings).toEqual({ 'a.py': { environment: { KEY: 's3cr3t' } } });
  expect(JSON.stringify([...stored])).not.toContain('s3cr3t');
});
