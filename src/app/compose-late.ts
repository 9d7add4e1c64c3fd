/**
 * Composes, in one lazy chunk, what is not needed for the first paint: what calls and folders wait for, and
 * what only observes the app.
 */

import { createAgentHooks } from '../agent/turn/hooks.ts';
import type { Approve } from '../runtime/call/call-path.ts';
import { lazy } from '../runtime/async/late-value.ts';
import type { LastFolder } from '../runtime/folder/known-folder.ts';
import type { KnownFolders } from '../runtime/folder/known-folders.ts';
import type { FolderSource } from '../runtime/folder/source.ts';
import type { PolicyConnection } from '../runtime/connect/policy.ts';
import { connectSandbox } from '../runtime/connect/sandbox.ts';
import { AllowedSites } from '../runtime/grants/allowed-sites.ts';
import { openPolicyStore } from '../runtime/storage/folder-stores.ts';
import { openSnapshotStore } from '../runtime/storage/snapshot-store.ts';
import { openStorage, type Storage as Stores } from '../runtime/storage/call-store.ts';
import { hasServers, openServerStore } from '../agent/storage/server-store.ts';
import { hasWaitingRun } from '../agent/storage/run-store.ts';
import { openPackageStore } from '../runtime/storage/package-store.ts';
import { ArgumentChecker, startArgumentWorker } from '../runtime/sandbox/argument-checker.ts';
import { samplesSource } from '../runtime/folder/samples-source.ts';
import { fetchFolder } from '../runtime/open-folder/fetched-folder.ts';
import { subfolderOf } from '../runtime/folder/subfolder.ts';
import type { Contributions } from '../agent/extensions/contributions.ts';
import type { SandboxFiles } from '../runtime/sandbox/assets.ts';
import { notInFrame } from '../runtime/spec/error.ts';
import type {
  App,
  Controls,
  ImportControl,
  PolicyControl,
  SiteControl,
  WorkspaceControl,
} from './app.ts';
import { fetchOnce, openKnownFolders, reopenLastFolder } from './connect/folders.ts';
import { modelContextOf, WebMcp } from './api/web-mcp.ts';
import { connectApi } from './connect/api.ts';
import { connectImports } from './connect/imports.ts';
import { connectOffline } from './connect/offline.ts';
import { connectSettings } from './connect/settings.ts';
import { makeSnapshotWhenIdle } from './connect/snapshots.ts';
import { loadExtensions } from '../agent/extensions/load-extensions.ts';
import type { GetContributions } from '../agent/extensions/open-built-ins.ts';
import type { Agent, AgentDeps } from '../agent/create-agent.ts';
import { FolderTests } from '../agent/saved-tests/folder-tests.ts';
import { connectWorkspaces } from './connect/workspaces.ts';
import type { FolderInterpreters } from '../runtime/open-folder/folder-interpreters.ts';
import type { FolderLoaderDeps } from '../runtime/open-folder/folder-loader.ts';
import { newId, startNetworkWorker, type PageDeps, type Parts } from './page-deps.ts';
import { showBusyPython } from './status.ts';
import { watchUse } from './watch-use.ts';
import { afterFirstResult } from './when-idle.ts';

export interface LateDeps
  extends
    Omit<PageDeps, 'database'>,
    Pick<Parts, 'status' | 'currentFolder' | 'openSessions' | 'memory'> {
  /** Maps each source of a known folder to the folder's id. Filled here. */
  readonly folderIds: WeakMap<FolderSource, string>;
  readonly last: LastFolder;
  readonly files: SandboxFiles;
}

type SharedWithAgent = Pick<AgentDeps, 'database' | 'hooks' | 'shown' | 'forPrograms'>;

/** The parts that calls and the folder loader wait for. */
export interface Late extends Pick<FolderLoaderDeps, 'preparePackages'> {
  readonly openInterpreters: (
    ...folder: Parameters<FolderLoaderDeps['openInterpreters']>
  ) => FolderInterpreters;
  readonly approve: Approve;
  readonly outputMask: PolicyConnection['outputMask'];
  readonly policy: PolicyControl;
  readonly workspaces: WorkspaceControl;
  readonly samples: () => FolderSource;
  readonly fetched: (signal: AbortSignal, address: string) => Promise<FolderSource>;
  readonly subfolder: typeof subfolderOf;
  readonly argumentChecker: () => ArgumentChecker;
  readonly toolConversions: App['toolConversions'];
  readonly stores: Stores;
  /** Creates the agent with what it shares with the extensions, and with the database. */
  readonly openAgent: (create: (shared: SharedWithAgent) => Agent) => Agent;
  /** Connects what observes the app: API, known folders, offline storage, snapshots. */
  readonly attach: (app: AttachDeps) => Attached;
}

export interface AttachDeps extends Pick<
  Parts,
  'registry' | 'calls' | 'interceptors' | 'log' | 'folder' | 'interpreters'
> {
  /** Loads the code of sessions on first use. */
  readonly agent: () => Promise<Agent>;
}

export interface Attached extends Pick<
  Controls,
  'editing' | 'extensions' | 'plans' | 'evals' | 'servers' | 'imports'
> {
  readonly tests: FolderTests;
  readonly site: SiteControl;
  /** Resolves when reopening the last folder has begun, or when it is clear that none is reopened. Never rejects. */
  readonly reopened: Promise<KnownFolders>;
}

export function composeLate(given: LateDeps): Late {
  const { base, window, framed, storage, report, status, tap, limits } = given;
  const stores = openStorage(base.pathname, framed);
  const { database } = stores;
  const deps = { ...given, database };
  const store = openPackageStore(storage, base.pathname, database);
  const sandbox = connectSandbox({
    ...deps,
    sparing: false,
    sessions: deps.openSessions,
    policyStore: openPolicyStore(database, base.pathname),
    snapshotStore: openSnapshotStore(storage, base.pathname, database),
    packageStore: store,
    startNetwork: () => startNetworkWorker(tap),
    remembered: () => known.remembered(),
    findWorkspace: (source) => workspaces.findFor(source),
  });
  const { policy, packages, snapshots, interpreters } = sandbox;
  const known = openKnownFolders(deps);
  const workspaces = connectWorkspaces(deps);
  const sites = new AllowedSites({
    memory: deps.memory,
    base: base.pathname,
    questions: policy.questions,
    report,
    now: () => Date.now(),
  });
  window.addEventListener('storage', ({ key }) => sites.changedElsewhere(key));
  const hooks = createAgentHooks(report);
  let makeSnapshot = (): void => undefined;
  let agent: Agent | null = null;
  let openedShown: Contributions | null = null;
  const shown: GetContributions = (open) => (openedShown ??= open());
  return {
    stores,
    openAgent: (create) => {
      const { openHost, programs: approvals } = policy;
      const forPrograms = { openHost, approvals, take: sandbox.takeForFolder };
      return (agent = create({ database, hooks, shown, forPrograms }));
    },
    approve: policy.approve,
    outputMask: policy.outputMask,
    policy: { ...policy, sites, renewPackages: async () => (await packages()).renew() },
    workspaces,
    samples: () => samplesSource(base),
    fetched: (signal, address) =>
      fetchOnce(deps, (sending) => fetchFolder(signal, address, { ...sending, limits })),
    subfolder: subfolderOf,
    argumentChecker: () => new ArgumentChecker(() => startArgumentWorker(tap)),
    toolConversions: async (signal, tool) =>
      (await import('../agent/providers/tool-conversions.ts')).convertForProviders(
        signal,
        tool,
        tap,
      ),
    preparePackages: sandbox.preparePackages,
    openInterpreters: (folder, source, wheels) => {
      const opened = sandbox.openInterpreters(folder, source, wheels);
      if (wheels.length > 0) makeSnapshot();
      return opened;
    },
    attach: (app) => {
      const { saveListing } = stores;
      const all = { ...deps, ...app, saveListing };
      const policyLoaded = async (): Promise<void> => {
        await known.remembered();
        policy.follow();
        await policy.policies.loaded();
      };
      const extensions = lazy(async () => {
        const { openExtensions } = await import('../agent/extensions/open-extensions.ts');
        return openExtensions({
          ...all,
          ...policy,
          hooks,
          policyLoaded,
          agent: () => agent,
          shown,
          workspaces: workspaces.workspaces,
          plans: () => plans(),
          take: sandbox.takeForFolder,
        });
      });
      loadExtensions({
        ...app,
        policyLoaded,
        policies: policy.policies,
        extensions,
        status,
        framed,
        report,
      });
      connectSettings(app.folder, policy.policies);
      const reopened = reopenLastFolder(known, { ...app, status, framed });
      showBusyPython(app.calls, status);
      if (!framed) {
        const { compilePackages } = sandbox;
        makeSnapshot = () =>
          void makeSnapshotWhenIdle({ ...all, interpreters, snapshots, compilePackages });
        makeSnapshot();
      }
      const editing = lazy(async () => {
        if (framed) throw notInFrame('Files cannot be changed in a frame of another site.');
        const { connectEditing } = await import('./connect/editing.ts');
        return connectEditing({ ...all, policies: policy.policies, known: await reopened });
      });
      const tests = new FolderTests({ ...all, basePath: base.pathname, newId, editing });
      const plans = lazy(async () => {
        const { openPlans } = await app.agent();
        await policyLoaded();
        return openPlans({
          policies: policy.policies,
          questions: policy.questions,
          tests: tests.tests,
          workspaces: workspaces.workspaces,
        });
      });
      const evals = lazy(async () => {
        const { openEvals } = await app.agent();
        await policyLoaded();
        return openEvals();
      });
      const servers = lazy(async () => {
        if (framed) throw notInFrame('Servers cannot be used in a frame of another site.');
        const { openServers, signInPage } = await import('../agent/mcp/servers.ts');
        const checker = new ArgumentChecker(() => startArgumentWorker(tap));
        return openServers({
          ...all,
          questions: policy.questions,
          signInPage: signInPage(base),
          store: openServerStore(database, base.pathname),
          pageOrigin: base.origin,
          argumentChecking: () => Promise.resolve(checker),
          yaml: { parse: async (text) => (await app.agent()).yaml.parse(text) },
          newId,
          now: () => Date.now(),
        });
      });
      // The code of servers is not loaded before the user has added one.
      const connectServers = async (): Promise<void> => {
        if (await hasServers(database).catch(() => false)) await servers();
      };
      if (!framed) void connectServers().catch(report);
      const askAgain = async (): Promise<void> => {
        await reopened;
        // Plans ask again about runs that wait. The code of plans is not loaded if no run waits.
        // Where storage is blocked, no run can wait.
        if (await hasWaitingRun(database).catch(() => false)) await plans();
      };
      if (!framed) void askAgain().catch(report);
      const api = connectApi({
        ...all,
        plans,
        sites,
        downloaded: Promise.allSettled(Object.values(deps.files.fetch())),
        questions: policy.questions,
        remembered: () => known.remembered(),
        tests: tests.tests,
        extensions: async () => [
          ...(app.registry.extensions.length === 0 ? [] : (await extensions()).list()),
          ...(await app.agent()).builtIns.list(),
        ],
      });
      watchUse({
        ...all,
        isWorking: () => deps.openSessions.areWorking,
        onUnused: () => {
          app.interpreters.current?.rest();
          interpreters.dispose();
        },
        onUsed: () => {
          app.interpreters.current?.wake();
          if (status.get().phase === 'none') interpreters.warm();
        },
      });
      const webMcp = new WebMcp({
        ...app,
        context: framed ? null : modelContextOf(window.document),
        status,
        memory: deps.memory,
        base: base.pathname,
        folderId: () => deps.currentFolder.id,
        remembered: () => known.remembered(),
        report,
      });
      const quiet = afterFirstResult(all);
      void quiet.then(() => interpreters.completeLibrary());
      const site = {
        ...connectOffline({ ...all, api, snapshots, packages: store, quiet }),
        webMcp,
      };
      const imports = (): Promise<ImportControl> => Promise.resolve(connectImports(deps));
      return { site, reopened, tests, editing, extensions, plans, evals, servers, imports };
    },
  };
}
