/** Opens the open folder's extensions and connects them to calls, sessions and the page. Loaded when a folder has one. */

import { createObservers } from '../../runtime/hooks/observe.ts';
import type { ExtensionEvent } from './events.ts';
import { Extensions } from './extensions.ts';
import { Contributions } from './contributions.ts';
import { grantHeaders } from '../../runtime/grants/provider-grant.ts';
import { Checkpoints } from '../../runtime/workspace/checkpoints.ts';
import type { Workspaces } from '../../runtime/workspace/workspaces.ts';
import { openExtensionInterpreter } from './extension-interpreter.ts';
import type { PristinePython } from '../../runtime/sandbox/interpreter.ts';
import { noFolder } from '../../runtime/open-folder/folder-interpreters.ts';
import {
  createExtensionHost,
  performOnPage,
  type ExtensionHostDeps,
  type OpenedSessions,
} from './page-host.ts';
import type { OpenBuiltInsDeps } from './open-built-ins.ts';
import type { AgentHooks } from '../turn/hooks.ts';
import type { OpenHost } from '../../runtime/protocol/ask.ts';
import type { CallInterceptors } from '../../runtime/call/interceptors.ts';
import type { Policies } from '../../runtime/grants/policies.ts';
import type { Questions } from '../../runtime/grants/questions.ts';
import type { CurrentFolder } from '../../runtime/open-folder/current-folder.ts';
import type { Limits } from '../../runtime/spec/limits.ts';

export interface OpenExtensionsDeps
  extends
    Pick<OpenBuiltInsDeps, 'window' | 'registry' | 'calls' | 'shown' | 'report'>,
    Pick<ExtensionHostDeps, 'plans'> {
  readonly limits: Limits;
  readonly interceptors: CallInterceptors;
  readonly hooks: AgentHooks;
  readonly currentFolder: CurrentFolder;
  readonly policies: Policies;
  readonly questions: Questions;
  readonly openHost: OpenHost;
  readonly policyLoaded: () => Promise<void>;
  /** Starts an interpreter with the packages of the open folder. @throws {ToolError} */
  readonly take: (signal: AbortSignal) => Promise<PristinePython>;
  /** Null until a session has been used. */
  readonly agent: () => OpenedSessions | null;
  readonly workspaces: Pick<Workspaces, 'of'>;
}

export function openExtensions(deps: OpenExtensionsDeps): Extensions {
  const { window, limits, report, registry, calls, interceptors, hooks, currentFolder } = deps;
  const { policies, questions, openHost, agent } = deps;
  const shown = deps.shown(() => new Contributions(report));
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
    sessions: agent,
    plans: deps.plans,
    checkpoints,
    extensions: () => [...extensions.list(), ...(agent()?.builtIns.list() ?? [])],
  });
  const extensions = new Extensions({
    registry,
    policies,
    questions,
    report,
    policyLoaded: deps.policyLoaded,
    targets: {
      registry,
      interceptors,
      hooks,
      calls,
      shown,
      events,
      host,
      grantedHeaders: (signal, wanted) => {
        const appOrigin = window.location.origin;
        return grantHeaders(signal, wanted, { policy: policies.current, questions, appOrigin });
      },
    },
    now: () => Date.now(),
    start: async (signal, file, onAction) => {
      const folder = currentFolder.current?.snapshot;
      if (folder === undefined) throw noFolder();
      const python = await deps.take(signal);
      const ownDeps = { openHost, limits, onAction };
      return openExtensionInterpreter(signal, python, folder, file, ownDeps);
    },
    perform: (from, action, session) => {
      performOnPage(from, action, session, { host, shown, window });
    },
  });
  return extensions;
}
