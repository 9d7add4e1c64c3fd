/** Registers, through the surface of extensions, what Cloche itself adds to sessions. */

import { summaryCompactor } from '../../agent/compaction.ts';
import type { AgentHooks } from '../../agent/hooks.ts';
import type { CallInterceptors } from '../../call/interceptors.ts';
import type { CallPath } from '../../call/call-path.ts';
import { createExtensionApp } from '../../extensions/app.ts';
import { Owner } from '../../extensions/owner.ts';
import { Shown } from '../../extensions/shown.ts';
import type { Registry } from '../../registry/registry.ts';
import { notThere } from '../../providers/provider-faults.ts';

export interface BuiltInsDeps {
  readonly registry: Registry;
  readonly interceptors: CallInterceptors;
  readonly hooks: AgentHooks;
  readonly calls: CallPath;
  readonly report: (thrown: unknown) => void;
}

export function registerBuiltIns({ report, ...seams }: BuiltInsDeps): void {
  const owner = new Owner(() => true);
  const app = createExtensionApp(() => ({ extension: 'Cloche', file: '' }), owner, {
    ...seams,
    shown: new Shown(report),
    grantedHeaders: () => Promise.reject(notThere({ provider: '', model: '' })),
  });
  app.registerCompactor(summaryCompactor);
  owner.refresh();
}
