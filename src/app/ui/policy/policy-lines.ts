/** The state of each section of a policy, in one line. */

import type { PackageGrant, PolicyView } from '../../../runtime/grants/folder-policy.ts';
import type { LoggedRequest } from '../../../runtime/grants/request-log.ts';
import { countText } from '../../../runtime/spec/count-text.ts';
import type { PolicySection } from './policy-sections.ts';

const downloads: Readonly<Record<PackageGrant['decision'], string>> = {
  ask: 'You are asked before packages are downloaded',
  allow: 'Packages are downloaded without asking',
  deny: 'Packages are never downloaded',
};

export interface PolicyCounts {
  /** Tools that need approval or have a rule of the user. */
  readonly ruledTools: number;
  /** Settings that files declare. */
  readonly settings: number;
  /** Packages that the folder has. */
  readonly packages: number;
  /** Origins that were refused and are not allowed since. */
  readonly ungranted: number;
}

export function policyLines(
  view: Pick<PolicyView, 'grants' | 'secrets' | 'local' | 'packages'>,
  requests: readonly Pick<LoggedRequest, 'fault'>[],
  counts: PolicyCounts,
): Readonly<Record<PolicySection, string>> {
  const allowed = view.grants.filter((grant) => grant.allowed).length;
  const blocked = view.grants.length - allowed;
  const failed = requests.filter(({ fault }) => fault !== '').length;
  return {
    network: joinParts(
      allowed === 0 ? 'No origin is allowed' : `${countText(allowed, 'origin')} allowed`,
      blocked > 0 && `${String(blocked)} blocked`,
      counts.ungranted > 0 && `${countText(counts.ungranted, 'origin')} refused during this visit`,
    ),
    local: view.local ? 'On: you are asked for each local origin' : 'Off',
    secrets: view.secrets.length === 0 ? 'None' : countText(view.secrets.length, 'secret'),
    settings:
      counts.settings === 0 ? 'No file declares settings' : countText(counts.settings, 'setting'),
    approvals:
      counts.ruledTools === 0
        ? 'No tools require approval'
        : `${countText(counts.ruledTools, 'tool')} with a rule or a default`,
    packages: joinParts(
      downloads[view.packages.decision],
      counts.packages > 0 && `${String(counts.packages)} installed`,
    ),
    requests: joinParts(
      requests.length === 0 ? 'None yet' : countText(requests.length, 'request'),
      failed > 0 && `${String(failed)} failed or refused`,
    ),
  };
}

function joinParts(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join(', ');
}
