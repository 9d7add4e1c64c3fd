/** Connects sessions: what keeps them, the models that answer, the tools that they call. Loaded when sessions are first wanted. */

import { recording as isRecording } from 'virtual:cloche/page-validators';
import { BuiltInCalls } from './agent/built-in-calls.ts';
import { Conversations, type PlayedAnswer } from './agent/conversations.ts';
import { createAgentHooks } from './agent/hooks.ts';
import type { Providers } from './agent/providers.ts';
import type { ClocheApp } from './app.ts';
import { connectModels } from './connect-models.ts';
import type { FolderSource } from './folder/source.ts';
import type { Database } from './platform/db.ts';
import { nextFrame } from './async/next-frame.ts';
import { pause } from './async/wait.ts';
import { openSessionPages } from './platform/session-pages.ts';
import { openSessionStore } from './platform/session-store.ts';
import { replayOf } from './providers/replay.ts';
import { toolNames } from './registry/provider-names.ts';
import { Sessions } from './session/sessions.ts';
import type { AskModel, ModelRef } from './spec/model.ts';
import type { Problem } from './spec/problem.ts';
import type { Limits } from './spec/limits.ts';
import type { SessionsControl } from './ui/sessions/sessions-control.ts';

export interface SessionsHands {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly window: Window;
  readonly limits: Limits;
  readonly database: () => Promise<Database>;
  /** The id of each source whose folder is known. */
  readonly ids: WeakMap<FolderSource, string>;
  /** Null where the browser refuses it. */
  readonly memory: Storage | null;
  readonly onStorageFailure: (thrown: unknown) => void;
  readonly report: (thrown: unknown) => void;
}

export function connectSessions(app: ClocheApp, hands: SessionsHands): SessionsControl {
  const { base, window, limits, database, ids, report } = hands;
  const providers = connectModels(hands);
  const builtIn = new BuiltInCalls();
  app.registry.register('built-in', builtIn.tools, builtIn.dispatch);
  const now = (): number => Date.now();
  const sessions = new Sessions({
    store: openSessionStore(database),
    pages: openSessionPages(window.navigator.locks, base.pathname),
    limits,
    now,
    newId,
    after: (ms, then) => {
      setTimeout(then, ms);
    },
    report,
    onStorageFailure: hands.onStorageFailure,
    providers: providerNames(providers),
  });
  // Before that, the first model that is there would be taken for the one that was used last.
  let isKept = false;
  const kept = Promise.all([sessions.loaded, providers.loaded]).then(() => {
    isKept = true;
  });
  const conversations = new Conversations({
    sessions,
    hooks: createAgentHooks(report),
    clock: { now, newId, random: Math.random, wait: pause },
    ask: (signal, model, request, played) => {
      const asked = played === null ? providers.ask(model) : replayed(played);
      return asked(signal, request);
    },
    info: (model) => providers.info(model),
    tools: () => app.registry.list(),
    settled: () => app.settled(),
    tool: (name) => app.registry.get(name),
    faultOf: (name) => {
      const file = `${name.slice(0, name.indexOf(':'))}.py`;
      const isIts = (problem: Problem): boolean =>
        problem.file === file && problem.severity === 'error';
      return app.registry.problems.find(isIts)?.message.slice(0, 1_000) ?? null;
    },
    call: (signal, call, onStart, answer) => {
      const make = () => app.calls.call(signal, call, onStart === undefined ? {} : { onStart });
      return answer === undefined ? make() : builtIn.call(call.id, answer, make);
    },
    refuse: (call, result) => void app.calls.refuse(call, result),
    observeCalls: (listener) => app.calls.observe(listener),
    setRights: (session, rights) => {
      app.sessions.open(session, rights);
    },
    observeOpening: (listener) => {
      let { phase, folderKey } = app.status.get();
      return app.status.observe((status) => {
        if (status.phase === 'starting' && phase !== 'starting') {
          listener(status.folderKey !== folderKey);
          ({ folderKey } = status);
        }
        ({ phase } = status);
      });
    },
    folderKey: () => app.status.get().folderKey,
    // What stands around it in the log has room too.
    messageChars: limits.eventChars - 1_000,
    folder: () => {
      const { folder } = app;
      return folder && { snapshot: folder.snapshot, id: ids.get(folder.source) ?? '' };
    },
    defaultModel: () => (isKept ? usualModel(sessions, providers) : null),
    observeDefaultModel: (listener) => {
      void kept.then(listener);
      return providers.observe(listener);
    },
    observeTools: (listener) => app.registry.observe(listener),
    isRecording,
    nextFrame: (then) => {
      nextFrame(window, then);
    },
    report,
  });
  return {
    list: () => sessions.list(),
    get loaded() {
      return sessions.loaded;
    },
    observe: (listener) => sessions.observe(listener),
    create: () => conversations.create(),
    hasFolderOf: (head) => conversations.hasFolderOf(head),
    open: (id) => conversations.open(id),
    release: (id) => {
      conversations.release(id);
    },
    fork: (id, n) => conversations.fork(id, n),
    remove: (id) => {
      const reopen = conversations.stop(id);
      app.sessions.close(id);
      const undo = sessions.remove(id);
      return () => {
        undo();
        reopen();
      };
    },
    rename: (id, title) => sessions.rename(id, title),
    search: (signal, text) => sessions.search(signal, text),
    export: (id) => sessions.export(id),
    import: (file) => sessions.import(file),
    record: (id) => conversations.record(id),
    recordings: () => conversations.recordings(),
    recordingIn: (file) => conversations.recordingIn(file),
    play: (recording) => conversations.play(recording),
    playOn: (id) => {
      conversations.playOn(id);
    },
    stopPlaying: (id) => {
      conversations.stopPlaying(id);
    },
    isPlaying: (id) => conversations.isPlaying(id),
    recordingOf: (conversation) => conversations.recordingOf(conversation),
    providers,
    memory: hands.memory,
  };
}

/** The one that was used last and is still there, else the first that is there at all. */
function usualModel(sessions: Sessions, providers: Providers): ModelRef | null {
  const real = providers.list().filter(({ kind }) => kind !== 'replay');
  const there = new Set(real.map(({ id }) => id));
  const used = sessions.list().find(({ model }) => model !== null && there.has(model.provider));
  // The browser's own calls no tools, and may want gigabytes first: it is for who asks for it.
  const listed = real.filter(({ kind }) => kind !== 'browser').flatMap(({ models }) => models);
  return used?.model ?? listed[0]?.ref ?? null;
}

/** A file goes to other browsers, where ids mean nothing. */
function providerNames(providers: Providers): {
  nameOf(id: string): string;
  idOf(name: string): string | undefined;
} {
  return {
    nameOf: (id) => providers.list().find((provider) => provider.id === id)?.name ?? id,
    idOf: (name) => providers.list().find((provider) => provider.name === name)?.id,
  };
}

/** A recording in place of a model. */
function replayed({ answer, tools }: PlayedAnswer): AskModel {
  return async function* (signal, request) {
    const names = await toolNames(tools);
    const effects = { newId, wait: pause, wireOf: (tool: string) => names.toWire(tool) };
    yield* replayOf(answer, effects)(signal, request);
  };
}

function newId(): string {
  return crypto.randomUUID();
}
