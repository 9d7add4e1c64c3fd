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

const none = { ruledTools: 0, settings: 0, packages: 0, ungranted: 0 };

test('a policy that allows nothing says so', () => {
  expect(policyLines(empty, [], none)).toEqual({
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
  const counts = { ruledTools: 1, settings: 2, packages: 3, ungranted: 1 };
  expect(policyLines(view, [{ fault: '' }, { fault: 'not allowed' }], counts)).toEqual({
    network: '2 origins allowed, 1 blocked, 1 origin refused during this visit',
    local: 'On: you are asked for each local origin',
    secrets: '1 secret',
    settings: '2 settings',
    approvals: '1 tool with a rule or a default',
    packages: 'Packages are never downloaded, 3 installed',
    requests: '2 requests, 1 failed or refused',
  });
  expect(policyLines({ ...view, grants: [{ ...grant, allowed: false }] }, [], none).network).toBe(
    'No origin is allowed, 1 blocked',
  );
});
