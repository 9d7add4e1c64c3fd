/** Connects the open folder's extensions to calls, sessions and the page. Loaded when a folder has one. */

import { createObservers } from '../../runtime/hooks/observe.ts';
import type { ExtensionEvent } from '../../agent/extensions/events.ts';
import { Extensions } from '../../agent/extensions/extensions.ts';
import { Shown } from '../../agent/extensions/shown.ts';
import { grantedHeaders } from '../../runtime/grants/provider-grant.ts';
import { Checkpoints } from '../../runtime/workspace/checkpoints.ts';
import type { Workspaces } from '../../runtime/workspace/workspaces.ts';
import { openExtensionInterpreter } from '../../agent/extensions/extension-interpreter.ts';
import type { PristinePython } from '../../runtime/sandbox/interpreter.ts';
import { noFolder } from '../../runtime/open-folder/folder-interpreters.ts';
import type { PageDeps, Parts } from '../page-deps.ts';
import { createExtensionHost, performOnPage, type OpenedSessions } from './extension-host.ts';
import type { SharedShown } from './built-ins.ts';
import type { PolicyConnection } from './policy.ts';

export interface ExtensionsDeps
  extends
    PageDeps,
    Pick<Parts, 'registry' | 'calls' | 'interceptors' | 'hooks' | 'currentFolder' | 'plans'> {
  readonly policy: PolicyConnection;
  readonly policyLoaded: () => Promise<void>;
  /** Starts an interpreter with the packages of the open folder. @throws {ToolError} */
  readonly take: (signal: AbortSignal) => Promise<PristinePython>;
  /** The sessions; null until one has been used. */
  readonly openedSessions: () => OpenedSessions | null;
  readonly workspaces: Pick<Workspaces, 'of'>;
  readonly shown: SharedShown;
}

export function connectExtensions(deps: ExtensionsDeps): Extensions {
  const { window, limits, report, registry, calls, interceptors, hooks, currentFolder } = deps;
  const { policies, questions, openHost } = deps.policy;
  const shown = deps.shown(() => new Shown(report));
  const events = createObservers<ExtensionEvent>(report);
  const checkpoints = new Checkpoints({
    workspace: () => deps.workspaces.of(currentFolder.id),
    now: () => Date.now(),
  });
  const host = createExtensionHost({
    window,
    registry,
    calls,
    hooks,
    sessions: deps.openedSessions,
    plans: deps.plans,
    checkpoints,
    extensions: () => [...extensions.list(), ...(deps.openedSessions()?.builtIns.list() ?? [])],
  });
  const extensions = new Extensions({
    registry,
    policies,
    questions,
    report,
    policyLoaded: deps.policyLoaded,
    seams: {
      registry,
      interceptors,
      hooks,
      calls,
      shown,
      events,
      host,
      grantedHeaders: (signal, wanted) => {
        const appOrigin = window.location.origin;
        return grantedHeaders(signal, wanted, { policy: policies.current, questions, appOrigin });
      },
    },
    now: () => Date.now(),
    start: async (signal, file, onAction) => {
      const folder = currentFolder.current?.snapshot;
      if (folder === undefined) throw noFolder();
      const python = await deps.take(signal);
      const of = { openHost, limits, onAction };
      return openExtensionInterpreter(signal, python, folder, file, of);
    },
    perform: (from, action, session) => {
      performOnPage(from, action, session, { host, shown, window });
    },
  });
  return extensions;
}
