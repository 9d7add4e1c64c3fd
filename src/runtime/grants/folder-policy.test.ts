import { expect, test } from 'vitest';
import { FolderPolicy, refusalsOf, usualIndex } from './folder-policy.ts';

test('a copy of a folder keeps what was refused, and nothing that was allowed', () => {
  const policy = new FolderPolicy((thrown) => {
    throw thrown;
  });
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
