/** Whether packages may be downloaded, and from where: decided per folder, stored if the folder is known. */

import { expect, test } from 'vitest';
import { FolderPolicy, usualIndex, type StoredPolicy } from './folder-policy.ts';
import { parsePolicy, Policies } from './policies.ts';

const corporate = 'https://index.example/simple/';

function raise(thrown: unknown): void {
  throw thrown;
}

function stored(packages: Partial<StoredPolicy['packages']> = {}): StoredPolicy {
  const nothing = { id: 'a', grants: [], secrets: [], local: false, tools: [], extensions: [] };
  const settings = { settings: {}, settingSecrets: {} };
  return { ...nothing, ...settings, packages: { decision: 'ask', index: usualIndex, ...packages } };
}

/** Returns the policy of a known folder, and what it has stored. */
function known(before: StoredPolicy | null = null) {
  const policy = new FolderPolicy(raise);
  const saved: StoredPolicy['packages'][] = [];
  policy.keep(before, ({ packages }) => saved.push(packages));
  return { policy, saved };
}

test('nothing is downloaded before the user decides', () => {
  const asks = { decision: 'ask', visit: false, index: usualIndex };
  expect(new FolderPolicy(raise).packages).toEqual(asks);
  expect(known().policy.packages).toEqual(asks);
});

test.each([
  ['visit', { decision: 'allow', visit: true }, 'ask'],
  ['always', { decision: 'allow', visit: false }, 'allow'],
  ['never', { decision: 'deny', visit: false }, 'deny'],
  ['ask', { decision: 'ask', visit: false }, 'ask'],
] as const)('%s, for a known folder', (how, now, later) => {
  const { policy, saved } = known(stored({ decision: 'deny' }));
  const seen: unknown[] = [];
  policy.observe(({ packages }) => seen.push(packages));
  policy.allowPackages(how);
  expect(policy.packages).toEqual({ ...now, index: usualIndex });
  expect(seen).toEqual([policy.packages]);
  expect(saved).toEqual([{ decision: later, index: usualIndex }]);
});

test.each([
  ['visit', { decision: 'allow', visit: true }],
  ['always', { decision: 'allow', visit: true }],
  ['never', { decision: 'deny', visit: true }],
  ['ask', { decision: 'ask', visit: false }],
] as const)('%s, for an unknown folder: only until the page is closed', (how, now) => {
  const policy = new FolderPolicy(raise);
  policy.allowPackages(how);
  expect(policy.get().packages).toEqual({ ...now, index: usualIndex });
});

test('another index does not change the decision', () => {
  const { policy, saved } = known(stored({ decision: 'allow' }));
  policy.useIndex(corporate);
  expect(policy.packages).toEqual({ decision: 'allow', visit: false, index: corporate });
  policy.allowPackages('visit');
  policy.useIndex(usualIndex);
  expect(policy.packages).toEqual({ decision: 'allow', visit: true, index: usualIndex });
  expect(saved).toEqual([
    { decision: 'allow', index: corporate },
    { decision: 'ask', index: corporate },
    { decision: 'ask', index: usualIndex },
  ]);
});

test('the stored decision applies; a decision made before loading takes precedence', () => {
  const of = (change: (policy: FolderPolicy) => void) => {
    const policy = new FolderPolicy(raise);
    change(policy);
    policy.keep(stored({ decision: 'deny', index: corporate }), () => undefined);
    return policy.packages;
  };
  expect(of(() => undefined)).toEqual({ decision: 'deny', visit: false, index: corporate });
  expect(of((policy) => policy.allowPackages('always'))).toEqual({
    decision: 'allow',
    visit: true,
    // The default index was not chosen by the user.
    index: corporate,
  });
  const own = 'https://own.example/simple/';
  expect(of((policy) => policy.useIndex(own))).toEqual({
    decision: 'deny',
    visit: false,
    index: own,
  });
});

test('a decision of another page is applied; a decision for this visit only is kept', () => {
  const { policy } = known();
  policy.allowPackages('visit');
  policy.follow(stored({ index: corporate }));
  expect(policy.packages).toEqual({ decision: 'allow', visit: true, index: corporate });
  policy.follow(stored({ decision: 'deny' }));
  expect(policy.packages).toEqual({ decision: 'deny', visit: false, index: usualIndex });
  policy.allowPackages('always');
  policy.follow(stored());
  expect(policy.packages).toEqual({ decision: 'ask', visit: false, index: usualIndex });
});

test.each([
  [undefined],
  [null],
  ['allow'],
  [[]],
  [{ decision: 'visit' }],
  [{ decision: true }],
  [{ index: 1 }],
  [{ index: '' }],
  [{ index: 'https://index.example/simple' }],
  [{ index: 'https:///' }],
  [{ index: 'https://[/' }],
  [{ index: 'http:// /' }],
  [{ index: 'javascript:alert(1)/' }],
  [{ index: 'ftp://index.example/' }],
  [{ index: '//index.example/' }],
])('an invalid stored decision is ignored: %j', (packages) => {
  expect(parsePolicy({ id: 'a', packages })?.packages).toEqual({
    decision: 'ask',
    index: usualIndex,
  });
});

test.each([
  [{ decision: 'allow', index: corporate }],
  [{ decision: 'deny', index: 'http://localhost:8000/simple/' }],
])('a valid stored decision is read: %j', (packages) => {
  expect(parsePolicy({ id: 'a', packages: { ...packages, visit: true } })?.packages).toEqual(
    packages,
  );
});

test('another folder starts without a decision', async () => {
  const policies = new Policies({
    store: {
      get: (id) => Promise.resolve(id === 'a' ? stored({ decision: 'allow' }) : undefined),
      put: () => Promise.resolve(),
      observe: () => undefined,
    },
    isLocked: false,
    onStorageFailure: raise,
    report: raise,
  });
  const of = async (id: string) => {
    policies.follow(id, id);
    await policies.loaded();
    return policies.current.packages.decision;
  };
  expect([await of('a'), await of('b'), await of('a')]).toEqual(['allow', 'ask', 'allow']);
});
