import { expect, test } from 'vitest';
import { usualIndex, type PolicyView } from '../../../runtime/grants/folder-policy.ts';
import { policyLines } from './policy-lines.ts';

const empty: PolicyView = {
  grants: [],
  secrets: [],
  local: false,
  packages: { decision: 'ask', visit: false, index: usualIndex },
  tools: [],
  extensions: [],
};

test('a policy that allows nothing says so', () => {
  expect(policyLines(empty, 0, 0, 0, [], 0)).toEqual({
    network: 'No origin is allowed',
    local: 'Off',
    secrets: 'None',
    settings: 'No file declares settings',
    approvals: 'No tools require approval',
    packages: 'You are asked before packages are downloaded',
    requests: 'None yet',
  });
});

test('what is allowed, blocked and failed is counted apart', () => {
  const grant = { origin: 'https://a.example', visit: false };
  const view: PolicyView = {
    ...empty,
    grants: [
      { ...grant, allowed: true },
      { ...grant, allowed: true },
      { ...grant, allowed: false },
    ],
    secrets: [{ origin: 'https://a.example', header: 'Authorization' }],
    local: true,
    packages: { decision: 'deny', visit: false, index: usualIndex },
  };
  expect(policyLines(view, 1, 2, 3, [{ fault: '' }, { fault: 'not allowed' }], 1)).toEqual({
    network: '2 origins allowed, 1 blocked, 1 origin refused during this visit',
    local: 'On: you are asked for each local origin',
    secrets: '1 secret',
    settings: '2 settings',
    approvals: '1 tool with a rule or a default',
    packages: 'Packages are never downloaded, 3 installed',
    requests: '2 requests, 1 failed or refused',
  });
  expect(
    policyLines({ ...view, grants: [{ ...grant, allowed: false }] }, 1, 0, 0, [], 0).network,
  ).toBe('No origin is allowed, 1 blocked');
});
