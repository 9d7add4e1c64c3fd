/** Creates what runs an open folder: the source of its interpreters, its policy and its packages. */

import { lazy } from '../async/late-value.ts';
import type { FolderSource } from '../folder/source.ts';
import { networkSender } from '../grants/network-sender.ts';
import { noFolder, type FolderInterpreters } from '../open-folder/folder-interpreters.ts';
import type { PreparePackages } from '../open-folder/opened-packages.ts';
import type { MessageTap } from '../protocol/message-tap.ts';
import type { PackageStore } from '../packages/store.ts';
import type { SandboxFiles } from '../sandbox/assets.ts';
import { capacityOf, type ForSpare } from '../sandbox/interpreter-allocator.ts';
import { InterpreterPool } from '../sandbox/interpreter-pool.ts';
import { InterpreterSource } from '../sandbox/interpreter-source.ts';
import type { Interpreter } from '../sandbox/interpreter.ts';
import { snapshotKey, Snapshots, type SnapshotPurpose } from '../sandbox/snapshots.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import type { SnapshotStore } from '../spec/interpreter.ts';
import { isPure, type Wheel } from '../spec/wheel.ts';
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
  /** Compiles the packages of the folder that was opened last, if it has any. @throws if it fails */
  readonly compilePackages: (signal: AbortSignal) => Promise<void>;
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

/** Milliseconds after the first result until the rest of the standard library is loaded: the result is shown first. */
const afterResultMs = 500;

export function connectSandbox(deps: SandboxDeps): SandboxConnection {
  const { window, limits, report, status, sparing } = deps;
  const snapshotKeyFor = (purpose: SnapshotPurpose): Promise<string> => keyFor(window, purpose);
  const snapshots = new Snapshots(deps.snapshotStore, snapshotKeyFor);
  const interpreters = new InterpreterSource({
    document: window.document,
    files: deps.files,
    limits,
    snapshots,
    tap: deps.tap,
    onStatus: (python, pythonStep) => status.set({ python, pythonStep }),
    report,
  });
  const capacity = capacityOf(window.navigator, { sparing });
  if (!sparing) interpreters.warm();
  // Delayed, because it would slow down the scan of a folder that is opened at once.
  if (capacity.keepsSpare) void interpreters.warmSpare(1_000);
  const send = networkSender(deps.startNetwork);
  const policy = connectPolicy(deps, send);
  const packages = lazy(async () => {
    const { connectPackages } = await import('./packages.ts');
    return connectPackages({
      ...deps,
      store: deps.packageStore,
      policy,
      interpreters,
      sandboxKey: () => snapshotKeyFor({ forPackages: false }),
      send,
    });
  });
  let takeLast: ((signal: AbortSignal, options: ForSpare) => Promise<Interpreter>) | null = null;
  return {
    interpreters,
    snapshots,
    policy,
    packages,
    preparePackages: async (...asked) => (await packages()).prepare(...asked),
    compilePackages: async (signal) => {
      if (snapshots.forPackages) await (await packages()).compile(signal);
    },
    openInterpreters: (folder, source, wheels) => {
      if (wheels.some(isPure)) snapshots.forPackages = true;
      const findWorkspace = deps.findWorkspace(source);
      const take = async (signal: AbortSignal, { spare }: ForSpare): Promise<Interpreter> => {
        if (wheels.length === 0) return interpreters.take(signal, { quiet: spare });
        return (await packages()).take(signal, wheels, { spare });
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
        onFirstResult: () => setTimeout(() => interpreters.completeLibrary(), afterResultMs),
        report,
      });
    },
    takeForFolder: (signal) => {
      if (takeLast === null) throw noFolder();
      return takeLast(signal, { spare: true });
    },
  };
}

function keyFor({ navigator }: Window, { forPackages }: SnapshotPurpose): Promise<string> {
  const { userAgent, language } = navigator;
  return snapshotKey(sandboxAssets, {
    userAgent,
    language,
    // The first use of Intl can block a phone for 200 ms.
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    stackSwitching: 'Suspending' in WebAssembly,
    forPackages,
  });
}
