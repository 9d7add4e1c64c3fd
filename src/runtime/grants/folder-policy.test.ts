import { expect, test } from 'vitest';
import { FolderPolicy, refusalsOf, usualIndex } from './folder-policy.ts';
import { decisionAbout } from './powers.ts';

const gate = { file: 'gate.py', hash: 'h' };

function raise(thrown: unknown): void {
  throw thrown;
}

test('a copy of a folder keeps what was refused, and nothing that was allowed', () => {
  const policy = new FolderPolicy(raise);
  policy.keep(null, () => undefined);
  policy.rule('a:asked', 'ask');
  policy.rule('a:refused', 'never');
  policy.rule('a:allowed', 'always');
  policy.allowPackages('never');
  policy.useIndex('https://index.example/simple/');
  policy.follow({
    id: 'x',
    ...refusalsOf(policy.get()),
    tools: policy.get().tools,
    local: true,
    grants: [
      { origin: 'https://yes.example', allowed: true },
      { origin: 'https://no.example', allowed: false },
    ],
    secrets: [{ origin: 'https://yes.example', header: 'x-key', value: 'secret' }],
  });
  expect(refusalsOf(policy.get())).toEqual({
    grants: [{ origin: 'https://no.example', allowed: false }],
    secrets: [],
    local: false,
    packages: { decision: 'deny', index: usualIndex },
    tools: [
      { tool: 'a:asked', rule: 'ask' },
      { tool: 'a:refused', rule: 'never' },
    ],
    extensions: [],
    settings: {},
    settingSecrets: {},
  });
});

test('a decision about powers for the visit leaves the stored ones of the extension as they are', () => {
  const policy = new FolderPolicy(raise);
  let stored: unknown;
  policy.keep(null, (saved) => {
    stored = saved.extensions;
  });
  policy.decidePowers(gate, ['show'], 'always');
  policy.decidePowers(gate, ['intercept', 'read'], 'visit');
  policy.decidePowers(gate, ['call'], 'never');
  expect(stored).toEqual([{ ...gate, off: false, allowed: ['show'], refused: ['call'] }]);
  expect(policy.extension(gate.file)).toEqual({
    ...gate,
    off: false,
    allowed: ['show', 'intercept', 'read'],
    refused: ['call'],
  });
  policy.decidePowers(gate, ['read'], 'always');
  policy.decidePowers(gate, ['intercept'], 'never');
  const decided = { ...gate, allowed: ['show', 'read'], refused: ['call', 'intercept'] };
  expect(stored).toEqual([{ ...decided, off: false }]);
  expect(policy.extension(gate.file)).toEqual({ ...decided, off: false });
});

test('an extension with powers for the visit stays switched off at the next visit', () => {
  const policy = new FolderPolicy(raise);
  let stored: unknown;
  policy.keep(null, (saved) => {
    stored = saved.extensions;
  });
  policy.decidePowers(gate, ['show'], 'visit');
  policy.switchExtension(gate, true);
  expect(stored).toEqual([{ ...gate, off: true, allowed: [], refused: [] }]);
  expect(policy.extension(gate.file)).toMatchObject({ off: true, allowed: ['show'] });
});

test('powers for the visit remain when another page stores a decision, unless it refuses them', () => {
  const policy = new FolderPolicy(raise);
  policy.keep(null, () => undefined);
  policy.decidePowers(gate, ['show', 'read'], 'visit');
  const extensions = [
    { ...gate, off: false, allowed: ['call' as const], refused: ['read' as const] },
  ];
  policy.follow({ id: 'x', ...refusalsOf(policy.get()), extensions });
  const now = policy.extension(gate.file);
  const decisions = (['show', 'read', 'call', 'send'] as const).map((power) =>
    decisionAbout(now, gate.hash, power),
  );
  expect(decisions).toEqual(['allow', 'deny', 'allow', 'ask']);
  expect(now?.allowed).toEqual(['call', 'show']);
});

test('decisions about powers for the visit end with the version of the extension', () => {
  const policy = new FolderPolicy(raise);
  policy.keep(null, () => undefined);
  policy.decidePowers(gate, ['show'], 'visit');
  const next = { ...gate, hash: 'other' };
  policy.decidePowers(next, ['read'], 'always');
  const decided = { ...next, off: false, allowed: ['read'], refused: [] };
  expect(policy.extension(gate.file)).toEqual(decided);
});
