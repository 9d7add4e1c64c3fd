/** Creates the agent: sessions with their storage, models and tools. Loaded when sessions are first used. */

import { recording as isRecording } from 'virtual:cloche/page-validators';
import { runAfter } from '../runtime/async/timers.ts';
import { lazy } from '../runtime/async/late-value.ts';
import { paceByFrames } from '../runtime/async/pace.ts';
import { pause } from '../runtime/async/wait.ts';
import type { CallsConnection } from '../runtime/connect/calls.ts';
import type { StatusHolder } from '../runtime/open-folder/status.ts';
import type { ArgumentChecking } from '../runtime/sandbox/argument-checker.ts';
import type { MessageTap } from '../runtime/protocol/message-tap.ts';
import type { YamlReader } from '../runtime/protocol/yaml.ts';
import { capacityOf } from '../runtime/sandbox/interpreter-allocator.ts';
import { ToolError } from '../runtime/spec/error.ts';
import type { Limits } from '../runtime/spec/limits.ts';
import type { Database } from '../runtime/storage/db.ts';
import type { Evals } from './evals/evals.ts';
import { openBuiltIns, type GetContributions } from './extensions/open-built-ins.ts';
import type { BuiltIns } from './extensions/built-ins.ts';
import { RecordedAnswers } from './turn/recorded-answers.ts';
import { builtInModel } from './providers/browser-model.ts';
import { DefaultModel } from './providers/default-model.ts';
import { ModelAsker, startModelWorker } from './providers/model-asker.ts';
import { ModelProviders, type Providers } from './providers/model-providers.ts';
import { Plans, type PlansDeps } from './runner/plans.ts';
import { startYamlWorker, yamlTexts } from './runner/yaml-worker.ts';
import { Programs, type ProgramsDeps } from './programs/programs.ts';
import type { OpenSessions } from './session/open-sessions.ts';
import { Sessions } from './session/sessions.ts';
import { openProviderStore } from './storage/provider-store.ts';
import { holdRun, openRunPages, openRunStore } from './storage/run-store.ts';
import { openSessionPages } from './storage/session-pages.ts';
import { openSessionStore } from './storage/session-store.ts';
import { BuiltInCalls } from './turn/built-in-tools.ts';
import { LiveSessions } from './turn/live-sessions.ts';
import type { AgentHooks } from './turn/hooks.ts';
import { StoredSelections } from './turn/kept-selections.ts';
import { UserPrograms } from './turn/user-programs.ts';

/** Dependencies that run and approve programs. */
export interface ProgramParts extends Pick<ProgramsDeps, 'openHost' | 'approvals'> {
  /** Starts an interpreter with the packages of the open folder. @throws {ToolError} */
  readonly take: ProgramsDeps['take'];
}

export interface AgentDeps extends CallsConnection {
  /** Address of the app, with a trailing slash. */
  readonly base: URL;
  readonly window: Window;
  readonly limits: Limits;
  /** Sees the messages between the page and its workers. */
  readonly tap: MessageTap;
  readonly database: () => Promise<Database>;
  /** Local storage; null if the browser refuses it. */
  readonly memory: Storage | null;
  readonly status: Pick<StatusHolder, 'get' | 'observe'>;
  readonly openSessions: OpenSessions;
  readonly hooks: AgentHooks;
  readonly shown: GetContributions;
  readonly forPrograms: ProgramParts;
  readonly argumentChecking: () => Promise<ArgumentChecking>;
  readonly onStorageFailure: (thrown: unknown) => void;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

export type StoredSessions = Pick<
  Sessions,
  'list' | 'loaded' | 'observe' | 'rename' | 'search' | 'events' | 'export' | 'read'
>;

export type LiveSessionsControl = Pick<
  LiveSessions,
  | 'create'
  | 'open'
  | 'release'
  | 'fork'
  | 'exchanges'
  | 'remove'
  | 'hasFolderOf'
  | 'record'
  | 'recordings'
  | 'observeRecordings'
  | 'recordingIn'
  | 'play'
  | 'playOn'
  | 'stopPlaying'
  | 'isPlaying'
  | 'recordingOf'
>;

/** Stored and open sessions, and the models that answer in them, for the page. */
export interface SessionsControl {
  readonly stored: StoredSessions;
  readonly liveSessions: LiveSessionsControl;
  readonly providers: Providers;
  readonly selections: StoredSelections;
  readonly programs: Pick<UserPrograms, 'functions' | 'callOf' | 'run'>;
  /** The extensions that are part of Cloche. */
  readonly builtIns: Pick<BuiltIns, 'add' | 'list' | 'observe' | 'switch'>;
  /** Local storage; null if the browser refuses it. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem'> | null;
}

export interface Agent extends SessionsControl {
  readonly liveSessions: LiveSessions;
  readonly yaml: YamlReader;
  readonly openPlans: (
    given: Pick<PlansDeps, 'policies' | 'questions' | 'tests' | 'workspaces'>,
  ) => Plans;
  /** Loads the code of evaluations. */
  readonly openEvals: () => Promise<Evals>;
}

export function createAgent(deps: AgentDeps): Agent {
  const { base, window, limits, database, report, memory, tap, onStorageFailure } = deps;
  const { registry, calls, status, folder, currentFolder, openSessions, hooks } = deps;
  const { locks } = window.navigator as Partial<Navigator>;
  const providers = new ModelProviders({
    store: openProviderStore(database, base.pathname),
    asker: new ModelAsker(() => startModelWorker(tap), limits, window.location.origin, tap),
    added: hooks.providers,
    builtIn: builtInModel(globalThis),
    newId,
    now: () => Date.now(),
    limits,
    report,
  });
  const builtIn = new BuiltInCalls();
  const recorded = new RecordedAnswers({ newId, wait: pause });
  let plans: Plans | null = null;
  const builtIns = openBuiltIns({
    ...deps,
    builtIn,
    recorded,
    agent: () => agent,
    plans: () =>
      plans === null
        ? Promise.reject(new ToolError('not-supported', 'Plans are not loaded yet.'))
        : Promise.resolve(plans),
  });
  const checker = lazy(() => deps.argumentChecking());
  const now = (): number => Date.now();
  const sessions = new Sessions({
    store: openSessionStore(database),
    pages: openSessionPages(window.navigator.locks, base.pathname),
    limits,
    now,
    newId,
    after: runAfter,
    report,
    onStorageFailure,
    providers,
  });
  window.addEventListener('pagehide', () => {
    sessions.flush();
  });
  const { interpreters } = deps;
  const programs = new Programs({
    ...deps.forPrograms,
    packageProblems: () =>
      status.get().packages.problems.filter(({ severity }) => severity === 'error'),
    current: () => interpreters.current,
    onChange: () => interpreters.refresh(),
    after: runAfter,
    limits,
    newId,
  });
  // The page lists the interpreters of programs below those of the folder.
  interpreters.others = () => programs.list();
  let { current } = interpreters;
  interpreters.observe(() => {
    if (interpreters.current === current) return;
    ({ current } = interpreters);
    programs.endIdle();
  });
  const selections = new StoredSelections(memory, () => {
    const { current, id = '' } = currentFolder;
    return id === '' ? (current?.snapshot.name ?? '') : id;
  });
  const defaultModel = new DefaultModel(sessions, providers);
  const liveSessions = new LiveSessions({
    sessions,
    hooks,
    clock: { now, newId, random: Math.random, wait: pause },
    providers,
    recorded,
    registry,
    selections,
    folder,
    status,
    currentFolder,
    openSessions,
    calls,
    builtIn,
    programs,
    checkArguments: async (signal, schema, args) => {
      try {
        return await (await checker()).check(signal, schema, args);
      } catch {
        // Reading takes too long, or the worker has failed.
        signal.throwIfAborted();
        return null;
      }
    },
    // An event has more fields than the message.
    messageChars: limits.eventChars - 1_000,
    defaultModel,
    isRecording,
    nextFrame: paceByFrames(window),
    report,
  });
  const yaml = yamlTexts(() => startYamlWorker(tap));
  const forRuns = {
    ...deps,
    stored: sessions,
    sessions: liveSessions,
    providers,
    defaultModel,
    yaml,
    after: runAfter,
    now,
    newId,
    hold: (run: string) => holdRun(locks, base.pathname, run),
  };
  const agent: Agent = {
    stored: sessions,
    liveSessions,
    providers,
    builtIns,
    memory,
    selections,
    yaml,
    programs: new UserPrograms({ calls, builtIn, programs, registry, sessions: liveSessions }),
    openPlans: (given) => {
      plans = new Plans({
        ...forRuns,
        ...given,
        ...openRunPages(base.pathname),
        store: openRunStore(database),
        maxInterpreters: capacityOf(window.navigator).max,
      });
      return plans;
    },
    openEvals: async () => {
      const { Evals } = await import('./evals/evals.ts');
      return new Evals({
        ...forRuns,
        ...openRunPages(base.pathname, 'evals'),
        store: openRunStore(database, 'evals'),
      });
    },
  };
  return agent;
}

function newId(): string {
  return crypto.randomUUID();
}
