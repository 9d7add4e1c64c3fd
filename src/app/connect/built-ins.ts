/** Registers, through the surface of extensions, what Cloche itself adds to sessions. */

import { summaryCompactor } from '../../agent/compaction.ts';
import type { AgentHooks } from '../../agent/hooks.ts';
import type { CallInterceptors } from '../../call/interceptors.ts';
import type { CallPath } from '../../call/call-path.ts';
import { createObservers } from '../../hooks/observe.ts';
import type { Access } from '../../extensions/access.ts';
import { createExtensionApp } from '../../extensions/app.ts';
import type { ExtensionEvent } from '../../extensions/events.ts';
import { Owner } from '../../extensions/owner.ts';
import { Shown } from '../../extensions/shown.ts';
import type { Registry } from '../../registry/registry.ts';
import { Checkpoints } from '../../workspace/checkpoints.ts';
import { notThere } from '../../providers/provider-faults.ts';
import type { PlansControl } from '../app.ts';
import { createExtensionHost, performOnPage, type OpenedSessions } from './extension-host.ts';

export interface BuiltInsDeps {
  readonly registry: Registry;
  readonly interceptors: CallInterceptors;
  readonly hooks: AgentHooks;
  readonly calls: CallPath;
  readonly window: Pick<Window, 'location'>;
  readonly openedSessions: () => OpenedSessions | null;
  readonly plans: () => Promise<PlansControl>;
  readonly report: (thrown: unknown) => void;
}

export function registerBuiltIns({ report, window, openedSessions, ...seams }: BuiltInsDeps): void {
  const owner = new Owner(() => true);
  const shown = new Shown(report);
  const host = createExtensionHost({
    ...{ ...seams, window, sessions: openedSessions },
    extensions: () => [],
    checkpoints: new Checkpoints({ workspace: () => Promise.resolve(null), now: () => Date.now() }),
  });
  const from = { extension: 'Cloche', file: '' };
  const events = createObservers<ExtensionEvent>(report);
  const grantedHeaders = () => Promise.reject(notThere({ provider: '', model: '' }));
  // Cloche itself has every power.
  const access: Access = {
    from: () => from,
    signal: new AbortController().signal,
    need: () => Promise.resolve(),
    perform: async (action, session) => {
      performOnPage(from, action, session, { host, shown, window });
      return Promise.resolve();
    },
  };
  const app = createExtensionApp(owner, { ...seams, shown, host, events, grantedHeaders }, access);
  app.registerCompactor(summaryCompactor);
  owner.refresh();
}
