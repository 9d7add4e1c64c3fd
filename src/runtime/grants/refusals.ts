/** What the user has refused in a folder, as the first policy of a copy of it. */

import { usualIndex, type PolicyView, type StoredPolicy } from './folder-policy.ts';

/** Returns the stored decisions against something. What the user has allowed does not apply to the copy. */
export function refusalsOf({ grants, packages, tools }: PolicyView): Omit<StoredPolicy, 'id'> {
  const refused = grants.filter(({ allowed, visit }) => !allowed && !visit);
  return {
    grants: refused.map(({ origin, allowed }) => ({ origin, allowed })),
    secrets: [],
    local: false,
    packages: { decision: packages.decision === 'deny' ? 'deny' : 'ask', index: usualIndex },
    tools: tools.filter(({ rule }) => rule !== 'always'),
    extensions: [],
    settings: {},
    settingSecrets: {},
  };
}
