/** The state of the interface around one component of the gallery: the real one, without Python, storage or models. */

import type { AppStatus, Controls } from '../../src/app/app.ts';
import { initialStatus } from '../../src/app/status.ts';
import { OpenSession } from '../../src/app/ui/sessions/open-session.svelte.ts';
import { fakeSessions, FakeSession, stateOf } from '../../src/app/ui/sessions/sessions.fixture.ts';
import { Sessions } from '../../src/app/ui/sessions/sessions.svelte.ts';
import { LateState } from '../../src/app/ui/shell/late-state.ts';
import { pageEntries } from '../../src/app/ui/shell/page-entries.ts';
import PythonEntry from '../../src/app/ui/shell/PythonEntry.svelte';
import type { Run } from '../../src/app/ui/tools/runs/runs.svelte.ts';
import { Ui } from '../../src/app/ui/shell/ui.svelte.ts';
import type { SessionsControl } from '../../src/agent/create-agent.ts';
import { OpenSessions } from '../../src/agent/session/open-sessions.ts';
import { runAfter } from '../../src/runtime/async/timers.ts';
import { CallLog } from '../../src/runtime/call/call-log.ts';
import { connectCalls } from '../../src/runtime/connect/calls.ts';
import type { FolderPolicy } from '../../src/runtime/grants/folder-policy.ts';
import { Policies } from '../../src/runtime/grants/policies.ts';
import { Questions } from '../../src/runtime/grants/questions.ts';
import { type LoggedRequest, RequestLog } from '../../src/runtime/grants/request-log.ts';
import { StatusHolder } from '../../src/runtime/open-folder/status.ts';
import type { LoggedCall } from '../../src/runtime/spec/call.ts';
import { defaultLimits } from '../../src/runtime/spec/limits.ts';
import type { Problem } from '../../src/runtime/spec/folder.ts';
import type { RegisteredTool } from '../../src/runtime/spec/tool.ts';

/** What is there when the component is shown. */
export interface Given {
  readonly status?: Partial<AppStatus>;
  readonly tools?: readonly RegisteredTool[];
  readonly problems?: readonly Problem[];
  readonly search?: string;
  readonly calls?: readonly LoggedCall[];
  readonly policy?: (policy: FolderPolicy) => void;
  /** The oldest first. */
  readonly requests?: readonly Partial<LoggedRequest>[];
  readonly sessions?: Promise<SessionsControl>;
  readonly session?: FakeSession;
  /** Calls that are running. */
  readonly running?: readonly Run[];
}

export interface Scene {
  readonly ui: Ui;
  readonly sessions: Sessions;
  readonly session: OpenSession;
}

/** Waits forever, like a part that is still loading. */
export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

const nothing = (): void => undefined;
const report = (thrown: unknown): void => reportError(thrown);

export function openScene(given: Given): Scene {
  const status = new StatusHolder<AppStatus>({ ...initialStatus, ...given.status }, report);
  const limits = { ...defaultLimits };
  const parts = connectCalls({
    document,
    status,
    limits,
    folderIds: new WeakMap(),
    report,
    selected: () => true,
    isApproved: () => true,
    approve: never,
    outputMask: never,
    begin: () => ({ accepted: null, end: nothing }),
    openInterpreters: never,
    preparePackages: never,
  });
  const app = {
    ...parts,
    status,
    log: logOf(given.calls ?? []),
    sessions: new OpenSessions(nothing),
    argumentChecking: never,
    toolConversions: never,
  };
  const ui = new Ui({
    app,
    framed: false,
    controls: controlsOf(given),
    bar: {
      location: { hash: '', replace: nothing },
      addEventListener: nothing,
    },
    memory: null,
  });
  ui.useLate(new LateState(ui));
  ui.statusEntries.register(
    { key: 'python', side: 'left', order: 0, component: PythonEntry },
    ...pageEntries,
  );
  ui.tools.all = given.tools ?? [];
  ui.tools.problems = given.problems ?? [];
  ui.tools.search(given.search ?? '');
  const session = new OpenSession(given.session ?? new FakeSession(stateOf()), ui.announcer);
  const sessions = new Sessions(ui);
  const running = new Map(given.running?.map((run) => [run.call.id, run]));
  sessions.runs.of = (id) => running.get(id);
  return { ui, sessions, session };
}

function logOf(calls: readonly LoggedCall[]): CallLog {
  const stored = (): Promise<void> => Promise.resolve();
  const store = { load: stored, write: stored, clear: stored, begin: stored, begun: never };
  const log = new CallLog({
    store,
    limits: defaultLimits,
    pages: null,
    after: runAfter,
    onStorageFailure: nothing,
    report,
  });
  for (const call of calls) log.add(call);
  return log;
}

function controlsOf({ policy, requests = [], sessions }: Given): Controls {
  const store = { get: () => Promise.resolve(null), put: never<void>, observe: nothing };
  const policies = new Policies({ store, isLocked: false, onStorageFailure: report, report });
  policy?.(policies.current);
  const log = new RequestLog(report);
  for (const { tool = '', method = 'GET', url = '', ...known } of requests)
    log.add({ at: Date.now(), tool, callId: '', origin: '', method, url })(known);
  const sites = { list: () => [], observe: () => nothing, revoke: nothing };
  const questions = new Questions({ whyUnaskable: () => null, report, after: runAfter });
  return {
    folders: {
      canPick: true,
      pick: never,
      dropped: never,
      zipped: never,
      fetched: never,
      subfolder: never,
      samples: never,
      uploaded: () => {
        throw new Error('The gallery opens no folder.');
      },
      known: { expected: false, ready: never() },
    },
    limits: { current: { ...defaultLimits }, set: nothing },
    site: never(),
    policy: Promise.resolve({
      sites,
      policies,
      questions,
      requests: log,
      renewPackages: never<void>,
    }),
    workspaces: never(),
    tests: never(),
    sessions: () => sessions ?? Promise.resolve(fakeSessions([])),
    editing: never,
    extensions: never,
    plans: never,
    evals: never,
    servers: never,
    imports: never,
  };
}
