/** What the app is handed: where tools run, where calls are kept, the clock, the page that can be seen. */

import type { InterpreterList } from './app-types.ts';
import type { CallLog } from './call/call-log.ts';
import type { Approve } from './call/call-path.ts';
import type { FolderSource } from './folder/source.ts';
import type { WatchParts } from './folder/watch.ts';
import type { LiveFolderParts } from './live-folder.ts';
import type { Declared } from './packages/declared.ts';
import type { PackageStep, PrepareParts } from './packages/prepare.ts';
import type { Wanted } from './protocol/packages.ts';
import type { Inspect } from './scan/scan.ts';
import type { FolderChanges, FolderSnapshot } from './spec/folder.ts';
import type { Dispatch } from './spec/dispatch.ts';
import type { Limits } from './spec/limits.ts';
import type { Wheel } from './spec/wheel.ts';

/** Where the tools of one folder run. */
export interface FolderInterpreters extends InterpreterList, Dispatch {
  ready(): Promise<void>;
  inspect(...request: Parameters<Inspect>): ReturnType<Inspect>;
  /** The session is over: its calls end, and its state is gone. */
  endSession(id: string): void;
  /** The folder's files are these from now on; between calls what has changed is loaded anew. */
  update(folder: FolderSnapshot, changes: FolderChanges): void;
  openInspector(): FolderInspector;
  /** Lets its calls end, then ends itself. */
  retire(): void;
  /** Ends its calls and itself. */
  dispose(): void;
}

/** Where changed files are inspected, apart from calls. */
export interface FolderInspector {
  readonly inspect: LiveFolderParts['inspect'];
  dispose(): void;
}

export interface Hands extends Pick<WatchParts, 'visible' | 'after'> {
  readonly openInterpreters: (
    folder: FolderSnapshot,
    source: FolderSource,
    wheels: readonly Wheel[],
  ) => Promise<FolderInterpreters>;
  /** What it takes to get a folder's packages ready. @throws the signal's reason */
  readonly preparePackages: (
    signal: AbortSignal,
    folder: FolderSnapshot,
    source: FolderSource,
    declared: Declared,
    onStep: (step: PackageStep) => void,
  ) => Promise<PrepareParts & { want(wanted: readonly Wanted[]): void }>;
  /** Asks the person where the tool requires approval. Never rejects. */
  readonly approve: Approve;
  readonly log: CallLog;
  /** By which a folder is known from one visit to the next; undefined where it is not, or not yet. */
  folderId(source: FolderSource): string | undefined;
  readonly limits: Limits;
  now(): number;
  /** Told of what foreign code throws. */
  report(thrown: unknown): void;
}
