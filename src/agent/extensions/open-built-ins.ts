/** Opens the extensions that are part of Cloche, which register through the same surface as those of a folder. */

import { summaryCompactor } from '../turn/compaction.ts';
import type { BuiltInCalls } from '../turn/built-in-tools.ts';
import { createObservers } from '../../runtime/hooks/observe.ts';
import type { RegistrationTargets } from './app.ts';
import { BuiltIns, type BuiltIn } from './built-ins.ts';
import type { ExtensionEvent } from './events.ts';
import { Contributions } from './contributions.ts';
import { slashCommands } from './slash-commands.ts';
import { modelNotFound } from '../providers/provider-faults.ts';
import { replayProvider } from '../../runtime/spec/recording.ts';
import { Checkpoints } from '../../runtime/workspace/checkpoints.ts';
import { version } from '../../../package.json';
import {
  createExtensionHost,
  performOnPage,
  type ExtensionHostDeps,
  type OpenedSessions,
} from './page-host.ts';
import type { CallPath } from '../../runtime/call/call-path.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import type { RecordedAnswers } from '../turn/recorded-answers.ts';

/**
 * Returns the one object with what all extensions show on the page. The first caller creates it, so that its code loads
 * with the first extension, built in or of the folder.
 */
export type GetContributions = (open: () => Contributions) => Contributions;

export interface OpenBuiltInsDeps
  extends
    Pick<RegistrationTargets, 'interceptors' | 'hooks'>,
    Pick<ExtensionHostDeps, 'window' | 'plans'> {
  readonly registry: Registry;
  readonly calls: CallPath;
  /** Local storage; null if the browser refuses it. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem'> | null;
  readonly agent: () => OpenedSessions;
  readonly builtIn: BuiltInCalls;
  readonly recorded: RecordedAnswers;
  readonly shown: GetContributions;
  readonly report: (thrown: unknown) => void;
}

const compaction: BuiltIn = {
  name: 'Compaction',
  without: null,
  register: (app) => app.registerCompactor(summaryCompactor),
};

export function openBuiltIns(deps: OpenBuiltInsDeps): BuiltIns {
  const { report, window, agent, memory, builtIn, recorded } = deps;
  const shown = deps.shown(() => new Contributions(report));
  const now = (): number => Date.now();
  const host = createExtensionHost({
    ...deps,
    sessions: () => ofAnyFolder(agent()),
    // No built-in extension lists others or uses checkpoints.
    extensions: () => [],
    checkpoints: new Checkpoints({ workspace: () => Promise.resolve(null), now }),
  });
  const builtIns = new BuiltIns({
    targets: { ...targetsOf(deps), shown, host },
    perform: (from, action, session) => {
      performOnPage(from, action, session, { host, shown, window });
    },
    version,
    memory,
    now,
    report,
  });
  builtIns.add(compaction);
  builtIns.add({
    name: 'Tool search',
    without: null,
    register: (app) => {
      for (const tool of builtIn.tools) app.registerTool(tool, builtIn.dispatch);
    },
  });
  builtIns.add({
    name: 'Recordings',
    without: null,
    register: (app) => {
      app.registerStreamProvider(replayProvider, (model) => recorded.answering(model));
    },
  });
  builtIns.add(slashCommands);
  return builtIns;
}

/** Targets for the registrations of built-in extensions: their tools belong to no selection, and their provider cannot be chosen. */
function targetsOf({
  registry,
  interceptors,
  hooks,
  calls,
  report,
}: OpenBuiltInsDeps): Omit<RegistrationTargets, 'shown' | 'host'> {
  const recordings = {
    id: replayProvider,
    kind: 'replay',
    name: 'Recordings',
    models: [],
  } as const;
  return {
    interceptors,
    calls,
    events: createObservers<ExtensionEvent>(report),
    registry: { register: (_, ...asked) => registry.register('built-in', ...asked) },
    hooks: {
      ...hooks,
      providers: {
        add: ({ config: { from: _, ...config }, reached }) =>
          hooks.providers.add({ config: { ...config, ...recordings }, reached }),
      },
    },
    grantedHeaders: () => Promise.reject(modelNotFound({ provider: '', model: '' })),
  };
}

/** Sessions of other folders are within reach too: they are the user's, and so are the commands of Cloche. */
function ofAnyFolder(sessions: OpenedSessions): OpenedSessions {
  const { liveSessions } = sessions;
  return {
    ...sessions,
    liveSessions: {
      opened: (id) => liveSessions.opened(id),
      fork: (...asked) => liveSessions.fork(...asked),
      hasFolderOf: () => true,
    },
  };
}
