/**
 * Composes, in one lazy chunk, what is not needed for the first paint: what calls and folders wait for, and
 * what only observes the app.
 */

import type { Approve, CallPath } from '../call/call-path.ts';
import type { CallLog } from '../call/call-log.ts';
import { lazy } from '../async/lazy.ts';
import type { LastFolder } from '../folder/known-folder.ts';
import type { KnownFolders } from '../folder/known-folders.ts';
import type { FolderSource } from '../folder/source.ts';
import { openPackageStore } from '../platform/package-store.ts';
import { samplesSource } from '../platform/samples-source.ts';
import type { ListingRecord } from '../protocol/listing.ts';
import type { Registry } from '../registry/registry.ts';
import { capacityOf } from '../sandbox/interpreter-allocator.ts';
import { InterpreterPool } from '../sandbox/interpreter-pool.ts';
import { InterpreterSource } from '../sandbox/interpreter-source.ts';
import type { OpenSessions } from '../session/open-sessions.ts';
import type { PolicyControl, SiteControl, WorkspaceControl } from './app.ts';
import { connectApi } from './connect/api.ts';
import { openKnownFolders, reopenLastFolder } from './connect/folders.ts';
import { connectOffline } from './connect/offline.ts';
import { connectPolicy } from './connect/policy.ts';
import { makeSnapshotWhenIdle, openSnapshots } from './connect/snapshots.ts';
import { connectWorkspaces } from './connect/workspaces.ts';
import type { CurrentFolder } from './folder/current-folder.ts';
import type { FolderLoader, FolderLoaderDeps } from './folder/folder-loader.ts';
import type { PageDeps } from './page-deps.ts';
import { showBusyPython, type StatusHolder } from './status.ts';

export interface LateDeps extends PageDeps {
  readonly status: StatusHolder;
  readonly currentFolder: CurrentFolder;
  /** Maps each source of a known folder to the folder's id. Filled here. */
  readonly folderIds: WeakMap<FolderSource, string>;
  readonly openSessions: OpenSessions;
  readonly last: LastFolder;
}

/** What calls and the folder loader wait for. */
export interface Late extends Pick<FolderLoaderDeps, 'openInterpreters' | 'preparePackages'> {
  readonly approve: Approve;
  readonly policy: PolicyControl;
  readonly workspaces: WorkspaceControl;
  readonly samples: () => FolderSource;
  /** Connects what observes the app: API, known folders, offline storage, snapshots. */
  readonly attach: (app: AttachDeps) => Attached;
}

export interface AttachDeps {
  readonly registry: Registry;
  readonly calls: CallPath;
  readonly log: CallLog;
  readonly folder: FolderLoader;
  readonly saveListing: (record: ListingRecord) => Promise<void>;
}

export interface Attached {
  readonly site: SiteControl;
  /** Resolves when reopening the last folder has begun, or when it is clear that none is reopened. Never rejects. */
  readonly reopened: Promise<KnownFolders>;
}

export function composeLate(deps: LateDeps): Late {
  const { base, window, storage, limits, report, status, database } = deps;
  const { navigator } = window;
  const snapshots = openSnapshots(deps);
  const interpreters = new InterpreterSource({
    ...{ document: window.document, limits, snapshots },
    onStatus: (python, pythonStep) => {
      status.set({ python, pythonStep });
    },
  });
  interpreters.warm();
  const known = openKnownFolders(deps);
  const workspaces = connectWorkspaces(deps);
  const policy = connectPolicy(deps);
  const store = openPackageStore(storage, base.pathname, database);
  const packages = lazy(async () => {
    const { connectPackages } = await import('./connect/packages.ts');
    const remembered = (): Promise<void> => known.remembered();
    return connectPackages({ ...deps, store, policy, interpreters, remembered });
  });
  return {
    approve: policy.approve,
    policy: { ...policy, renewPackages: async () => (await packages()).renew() },
    workspaces,
    samples: () => samplesSource(base),
    preparePackages: async (...asked) => (await packages()).prepare(...asked),
    openInterpreters: (folder, source, wheels) => {
      const findWorkspace = workspaces.findFor(source);
      const pool = new InterpreterPool(folder, {
        take: async (signal, spare) => {
          const python = await interpreters.take(signal, spare);
          python.openWorkspace(findWorkspace);
          try {
            if (wheels.length > 0) await python.install(signal, wheels, limits);
          } catch (thrown) {
            python.dispose();
            throw thrown;
          }
          return python;
        },
        capacity: capacityOf(navigator),
        openHost: policy.openHost,
        ...{ limits, report },
      });
      return Promise.resolve(pool);
    },
    attach: (app) => {
      const all = { ...deps, ...app, sessions: deps.openSessions };
      const reopened = reopenLastFolder(known, { ...app, status });
      showBusyPython(app.calls, status);
      void makeSnapshotWhenIdle({ ...all, interpreters, snapshots });
      const api = connectApi(all);
      const site = connectOffline({ ...all, api, snapshots, packages: store });
      return { site, reopened };
    },
  };
}
