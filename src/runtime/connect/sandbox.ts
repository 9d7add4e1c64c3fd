/** Creates what runs an open folder: the source of its interpreters, its policy and its packages. */

import { lazy } from '../async/lazy.ts';
import type { FolderSource } from '../folder/source.ts';
import { networkSender } from '../grants/network-sender.ts';
import { noFolder, type FolderInterpreters } from '../open-folder/folder-interpreters.ts';
import type { PreparePackages } from '../open-folder/opened-packages.ts';
import type { MessageTap } from '../protocol/message-tap.ts';
import type { PackageStore } from '../packages/store.ts';
import type { SandboxFiles } from '../sandbox/assets.ts';
import { capacityOf } from '../sandbox/interpreter-allocator.ts';
import { InterpreterPool } from '../sandbox/interpreter-pool.ts';
import { InterpreterSource } from '../sandbox/interpreter-source.ts';
import type { Interpreter } from '../sandbox/interpreter.ts';
import { snapshotKey, Snapshots } from '../sandbox/snapshots.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import type { SnapshotStore } from '../spec/snapshot.ts';
import type { Wheel } from '../spec/wheel.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { sandboxAssets } from 'virtual:cloche/sandbox-assets';
import type { PackageConnection } from './packages.ts';
import { connectPolicy, type PolicyConnection, type PolicyDeps } from './policy.ts';

export interface SandboxDeps extends PolicyDeps {
  /** Where the files of Cloche are, with a trailing slash. */
  readonly base: URL;
  readonly files: SandboxFiles;
  /** Starts Python only when something needs it, and keeps no spare. */
  readonly sparing: boolean;
  readonly snapshotStore: SnapshotStore;
  readonly packageStore: PackageStore;
  /** Starts the worker that sends the requests of tools. */
  readonly startNetwork: () => Worker;
  /** Sees the messages of sandbox frames. */
  readonly tap?: MessageTap;
  /** Resolves when the open folder's id is known. Never rejects. */
  readonly remembered: () => Promise<void>;
  /** Returns what finds the workspace for calls in this tools folder. */
  readonly findWorkspace: (source: FolderSource) => () => Promise<Workspace | null> | null;
}

export interface SandboxConnection {
  readonly interpreters: InterpreterSource;
  readonly snapshots: Snapshots;
  readonly policy: PolicyConnection;
  /** Loads the code of packages on first use. */
  readonly packages: () => Promise<PackageConnection>;
  readonly preparePackages: PreparePackages;
  readonly openInterpreters: (
    folder: FolderSnapshot,
    source: FolderSource,
    wheels: readonly Wheel[],
  ) => FolderInterpreters;
  /**
   * Starts an interpreter with the packages of the folder that was opened last.
   * @throws {ToolError} also if no folder has been opened
   */
  readonly takeForFolder: (signal: AbortSignal) => Promise<Interpreter>;
}

export function connectSandbox(deps: SandboxDeps): SandboxConnection {
  const { window, limits, report, status, sparing } = deps;
  const snapshots = openSnapshots(window, deps.snapshotStore);
  const interpreters = new InterpreterSource({
    document: window.document,
    files: deps.files,
    limits,
    snapshots,
    tap: deps.tap,
    onStatus: (python, pythonStep) => status.set({ python, pythonStep }),
    report,
  });
  const capacity = capacityOf(window.navigator, sparing);
  if (!sparing) interpreters.warm();
  // Delayed, because it would slow down the scan of a folder that is opened at once.
  if (capacity.keepsSpare) void interpreters.warmSpare(1_000);
  const send = networkSender(deps.startNetwork);
  const policy = connectPolicy(deps, send);
  const packages = lazy(async () => {
    const { connectPackages } = await import('./packages.ts');
    return connectPackages({ ...deps, store: deps.packageStore, policy, interpreters, send });
  });
  let takeLast: ((signal: AbortSignal, spare: boolean) => Promise<Interpreter>) | null = null;
  return {
    interpreters,
    snapshots,
    policy,
    packages,
    preparePackages: async (...asked) => (await packages()).prepare(...asked),
    openInterpreters: (folder, source, wheels) => {
      const findWorkspace = deps.findWorkspace(source);
      const take = async (signal: AbortSignal, spare: boolean): Promise<Interpreter> => {
        const python = await interpreters.take(signal, spare);
        try {
          if (wheels.length > 0) await python.install(signal, wheels, limits);
        } catch (thrown) {
          python.dispose();
          throw thrown;
        }
        return python;
      };
      takeLast = take;
      const takeForSession: typeof take = async (...asked) => {
        const python = await take(...asked);
        python.openWorkspace(findWorkspace);
        return python;
      };
      const { openHost } = policy;
      return new InterpreterPool(folder, {
        take: takeForSession,
        openHost,
        capacity,
        limits,
        report,
      });
    },
    takeForFolder: (signal) => {
      if (takeLast === null) throw noFolder();
      return takeLast(signal, true);
    },
  };
}

function openSnapshots({ navigator }: Window, store: SnapshotStore): Snapshots {
  const { userAgent, language } = navigator;
  return new Snapshots(store, () =>
    snapshotKey(sandboxAssets, {
      userAgent,
      language,
      // The first use of Intl can block a phone for 200 ms.
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      stackSwitching: 'Suspending' in WebAssembly,
    }),
  );
}
