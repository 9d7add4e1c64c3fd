/** Creates sessions, with their storage, models and tools. Loaded when sessions are first used. */

import { recording as isRecording } from 'virtual:cloche/page-validators';
import { BuiltInCalls } from '../../agent/turn/built-in-tools.ts';
import { Conversations } from '../../agent/turn/conversations.ts';
import type { AgentHooks } from '../../agent/turn/hooks.ts';
import { KeptSelections } from '../../agent/turn/kept-selections.ts';
import { withDocuments } from '../../agent/providers/model-facts.ts';
import type { Providers } from '../../agent/providers/providers.ts';
import { after } from '../../runtime/async/after.ts';
import { lazy } from '../../runtime/async/lazy.ts';
import { pacedFrames } from '../../runtime/async/pace.ts';
import { pause } from '../../runtime/async/wait.ts';
import { modelAsker, startModelWorker } from '../../agent/providers/model-asker.ts';
import { openProviderStore } from '../../agent/storage/provider-store.ts';
import { openSessionPages } from '../../agent/storage/session-pages.ts';
import { openSessionStore } from '../../agent/storage/session-store.ts';
import { startYamlWorker, yamlTexts } from '../../agent/runner/yaml-worker.ts';
import { builtInModel } from '../../agent/providers/browser-model.ts';
import { ModelProviders } from '../../agent/providers/model-providers.ts';
import type { OpenSessions } from '../../agent/session/open-sessions.ts';
import { Sessions } from '../../agent/session/sessions.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { ModelInfo, ModelRef } from '../../runtime/spec/model.ts';
import type { Problem } from '../../runtime/spec/problem.ts';
import type { App, EvalsControl, PlansControl, SessionsControl } from '../app.ts';
import { newId, type PageDeps, type Parts } from '../page-deps.ts';
import { openBuiltIns, type SharedShown } from './built-ins.ts';
import type { EvalsDeps } from './evals.ts';
import type { OpenedSessions } from './extension-host.ts';
import { connectPlans, type PlansDeps } from './plans.ts';
import { RecordedAnswers } from './recorded-answers.ts';

export interface OpenedPlans {
  /** Plans are in the chunk of sessions, with which they share most of their code. */
  readonly openPlans: (deps: Omit<PlansDeps, 'sessions' | 'yaml'>) => PlansControl;
  readonly openEvals: (deps: Omit<EvalsDeps, 'sessions' | 'yaml'>) => Promise<EvalsControl>;
}

interface Opened extends OpenedPlans {
  readonly stored: Sessions;
  readonly conversations: Conversations;
}

export interface SessionsDeps
  extends
    PageDeps,
    Pick<App, 'argumentChecking'>,
    Pick<
      Parts,
      | 'hooks'
      | 'registry'
      | 'calls'
      | 'interceptors'
      | 'status'
      | 'folder'
      | 'currentFolder'
      | 'memory'
    > {
  readonly sessions: OpenSessions;
  readonly shown: SharedShown;
}

export function connectSessions(deps: SessionsDeps): SessionsControl & Opened {
  const { base, window, limits, database, report, memory } = deps;
  const { registry, calls, status, folder, currentFolder, sessions: openSessions } = deps;
  const providers = connectModels(deps);
  let opened: OpenedSessions | null = null;
  let openedPlans: PlansControl | null = null;
  const builtIn = new BuiltInCalls();
  const recorded = new RecordedAnswers({ newId, wait: pause });
  const builtIns = openBuiltIns({
    ...deps,
    builtIn,
    recorded,
    openedSessions: () => opened,
    plans: () =>
      openedPlans === null
        ? Promise.reject(new ToolError('not-supported', 'Plans are not loaded yet.'))
        : Promise.resolve(openedPlans),
  });
  const checker = lazy(() => deps.argumentChecking());
  const now = (): number => Date.now();
  const sessions = new Sessions({
    store: openSessionStore(database),
    pages: openSessionPages(window.navigator.locks, base.pathname),
    limits,
    now,
    newId,
    after,
    report,
    onStorageFailure: deps.onStorageFailure,
    providers: providerNames(providers),
  });
  window.addEventListener('pagehide', () => {
    sessions.flush();
  });
  const selections = new KeptSelections(memory, () => {
    const { current, id = '' } = currentFolder;
    return id === '' ? (current?.snapshot.name ?? '') : id;
  });
  // Until both are loaded, the most recently used model is not known.
  let isLoaded = false;
  const loaded = Promise.all([sessions.loaded, providers.loaded]).then(() => {
    isLoaded = true;
  });
  const conversations = new Conversations({
    sessions,
    hooks: deps.hooks,
    clock: { now, newId, random: Math.random, wait: pause },
    ask: (signal, model, request, played, onExchanges) => {
      if (played !== null) recorded.give(request, played);
      return providers.ask(model)(signal, request, onExchanges);
    },
    info: (model) => infoOf(providers, model),
    tools: () => registry.list(),
    unselected: () => selections.unselected(),
    settled: () => folder.settled(),
    tool: (name) => registry.get(name),
    faultOf: (name) => {
      const file = `${name.slice(0, name.indexOf(':'))}.py`;
      const isIts = (problem: Problem): boolean =>
        problem.file === file && problem.severity === 'error';
      return registry.problems.find(isIts)?.message.slice(0, 1_000) ?? null;
    },
    call: (signal, call, onStart, answer) => {
      const make = () => calls.call(signal, call, onStart === undefined ? {} : { onStart });
      return answer === undefined ? make() : builtIn.call(call.id, answer, make);
    },
    checkArguments: async (signal, schema, args) => {
      try {
        return await (await checker()).check(signal, schema, args);
      } catch {
        // It takes too long, or its worker has failed.
        signal.throwIfAborted();
        return null;
      }
    },
    refuse: (call, result) => void calls.refuse(call, result),
    observeCalls: (listener) => calls.observe(listener),
    setRights: (session, rights) => openSessions.open(session, rights),
    endRights: (session) => openSessions.close(session),
    observeOpening: (listener) => {
      let { phase, folderKey } = status.get();
      return status.observe((status) => {
        if (status.phase === 'starting' && phase !== 'starting') {
          listener(status.folderKey !== folderKey);
          ({ folderKey } = status);
        }
        ({ phase } = status);
      });
    },
    folderKey: () => status.get().folderKey,
    // An event has more fields than the message.
    messageChars: limits.eventChars - 1_000,
    folder: () => {
      const { current, id = '' } = currentFolder;
      return current && { snapshot: current.snapshot, id };
    },
    defaultModel: () => (isLoaded ? usualModel(sessions, providers) : null),
    observeDefaultModel: (listener) => {
      void loaded.then(listener);
      return providers.observe(listener);
    },
    observeTools: (listener) => registry.observe(listener),
    isRecording,
    nextFrame: pacedFrames(window),
    report,
  });
  opened = { stored: sessions, conversations, providers, builtIns };
  const forRuns: PlansDeps['sessions'] = {
    conversations,
    providers,
    events: (id) => sessions.events(id),
    usualModel: async () => {
      await loaded;
      return usualModel(sessions, providers);
    },
  };
  const yaml = yamlTexts(startYamlWorker);
  return {
    stored: sessions,
    conversations,
    providers,
    builtIns,
    memory,
    selections,
    openPlans: (more) => {
      openedPlans = connectPlans({ ...more, yaml, sessions: forRuns });
      return openedPlans;
    },
    openEvals: async (more) => {
      const { connectEvals } = await import('./evals.ts');
      return connectEvals({ ...more, yaml, sessions: forRuns });
    },
  };
}

/** Returns the most recently used model if it still exists, otherwise the first one. */
function usualModel(sessions: Sessions, providers: Providers): ModelRef | null {
  const real = providers.list().filter(({ kind }) => kind !== 'replay');
  const there = new Set(real.map(({ id }) => id));
  const used = sessions
    .list()
    .find(({ model, run }) => run === undefined && model !== null && there.has(model.provider));
  // The browser's own model calls no tools and may download gigabytes, and that of an extension is for the user to
  // choose, so neither is ever the default.
  const usual = real.filter(({ kind, from }) => kind !== 'browser' && from === undefined);
  const listed = usual.flatMap(({ models }) => models);
  return used?.model ?? listed[0]?.ref ?? null;
}

function infoOf(providers: Providers, model: ModelRef): ModelInfo | undefined {
  const info = providers.info(model);
  const kind = providers.list().find(({ id }) => id === model.provider)?.kind;
  return info === undefined || kind === undefined ? info : withDocuments(info, kind);
}

/** Session files contain provider names, because ids have no meaning in other browsers. */
function providerNames(providers: Providers): {
  nameOf(id: string): string;
  idOf(name: string): string | undefined;
} {
  return {
    nameOf: (id) => providers.list().find((provider) => provider.id === id)?.name ?? id,
    idOf: (name) => providers.list().find((provider) => provider.name === name)?.id,
  };
}

/** Creates the model providers, with their storage and the worker that sends their requests. */
function connectModels(deps: PageDeps & { readonly hooks: AgentHooks }): ModelProviders {
  const { base, window, limits, database, report, hooks } = deps;
  const { origin } = window.location;
  return new ModelProviders({
    store: openProviderStore(database, base.pathname),
    asker: modelAsker(startModelWorker, limits, origin),
    added: hooks.providers,
    builtIn: builtInModel(globalThis),
    newId,
    now: () => Date.now(),
    limits,
    report,
  });
}
