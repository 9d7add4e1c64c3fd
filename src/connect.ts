/** Connects the app with all that may come behind the first paint: grants, packages, workspaces, the API, known folders. */

import type { ClocheApp } from './app.ts';
import type { Hands } from './app-hands.ts';
import { tellBusyPython } from './busy-python.ts';
import { connectApi } from './connect-api.ts';
import { connectFolders } from './connect-folders.ts';
import { connectOffline } from './connect-offline.ts';
import { connectPolicy, type PolicyConnection } from './connect-policy.ts';
import { keepSnapshot, type SnapshotParts } from './connect-snapshots.ts';
import { connectWorkspaces } from './connect-workspaces.ts';
import type { LastFolder } from './folder/known-folder.ts';
import type { KnownFolders } from './folder/known-folders.ts';
import type { FolderSource } from './folder/source.ts';
import { openPackages, type LoadPackages } from './open-packages.ts';
import { openPool } from './open-pool.ts';
import { samplesSource } from './platform/samples-source.ts';
import type { ListingRecord } from './protocol/listing.ts';
import type { InterpreterSource } from './sandbox/interpreter-source.ts';
import type { Snapshots } from './sandbox/snapshots.ts';
import type { Limits } from './spec/limits.ts';
import type { SiteControl } from './ui/settings/site-control.ts';
import type { WorkspaceControl } from './ui/workspace/workspace-control.ts';

export interface ConnectHands extends SnapshotParts {
  readonly window: Window;
  readonly limits: Limits;
  readonly interpreters: InterpreterSource;
  readonly snapshots: Promise<Snapshots | null>;
  readonly last: LastFolder;
  /** Takes the id of each source whose folder is known. */
  readonly ids: WeakMap<FolderSource, string>;
  readonly loadPackages: LoadPackages;
  readonly saveListing: (record: ListingRecord) => Promise<void>;
  readonly onStorageFailure: (thrown: unknown) => void;
  readonly report: (thrown: unknown) => void;
}

export interface Connected extends Pick<Hands, 'openInterpreters' | 'preparePackages' | 'approve'> {
  readonly policy: PolicyConnection;
  readonly workspaces: WorkspaceControl;
  readonly site: SiteControl;
  readonly known: Promise<KnownFolders>;
  readonly samples: () => FolderSource;
}

export function connect(app: ClocheApp, hands: ConnectHands): Connected {
  const { base, navigator, limits, interpreters, snapshots, loadPackages, report } = hands;
  const known = connectFolders(app, hands);
  const remembered = async (): Promise<void> => (await known).remembered();
  const workspaces = connectWorkspaces(hands);
  const policy = connectPolicy(app, {
    ...hands,
    packages: () => packages,
    allowedInSession: (...asked) => app.sessions.isAllowed(...asked),
  });
  const packages = openPackages(app, loadPackages, { ...hands, policy, remembered });
  tellBusyPython(app.calls, app.status);
  void snapshots.then((kept) => kept && keepSnapshot(app, interpreters, kept, hands));
  const api = connectApi(app, hands);
  const site = connectOffline(app, { ...hands, api, packages: packages.store });
  return {
    policy,
    workspaces,
    site,
    known,
    samples: () => samplesSource(base),
    openInterpreters: (folder, source, wheels) => {
      const findWorkspace = workspaces.findFor(source);
      const { openHost } = policy;
      const given = { navigator, limits, wheels, openHost, findWorkspace, report };
      return Promise.resolve(openPool(folder, interpreters, given));
    },
    preparePackages: packages.prepare,
    approve: policy.approve,
  };
}
