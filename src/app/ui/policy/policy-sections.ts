/** The sections of the policy, in their order. */

import type { SectionHead } from '../sections/section-head.ts';

export type PolicySection =
  'network' | 'local' | 'secrets' | 'settings' | 'approvals' | 'packages' | 'requests';

export const policySections: readonly (SectionHead & { readonly id: PolicySection })[] = [
  { id: 'network', title: 'Network', about: 'Origins that tools may reach' },
  { id: 'local', title: 'Local addresses', about: 'This computer and its local network' },
  { id: 'secrets', title: 'Secrets', about: 'API keys that are added to requests' },
  {
    id: 'settings',
    title: 'Settings of files',
    about: 'Environment variables and other values that tool files read',
  },
  { id: 'approvals', title: 'Approvals', about: 'Tools that you are asked about before they run' },
  { id: 'packages', title: 'Packages', about: 'Whether packages are downloaded, and from where' },
  { id: 'requests', title: 'Requests', about: 'What tools have requested during this visit' },
];
