/** What the page is given to stand on: the opened folder, its tools, the way to call them, and how things are. */

import type { CallLog } from './call/call-log.ts';
import type { CallPath } from './call/call-path.ts';
import type { FolderSource } from './folder/source.ts';
import type { WatchState } from './folder/watch.ts';
import type { FolderUpdate } from './live-folder.ts';
import type { FolderPackages } from './packages/folder-packages.ts';
import type { FolderSnapshot } from './spec/folder.ts';
import type { Registry } from './registry/registry.ts';
import type { InterpreterView } from './spec/interpreter.ts';
import type { OpenSessions } from './session/open-sessions.ts';
import type { OfflineState } from './spec/offline.ts';

export type { FolderUpdate };

export type Phase = 'none' | 'reading' | 'packages' | 'starting' | 'scanning' | 'ready' | 'failed';
export type PythonState = 'off' | 'starting' | 'ready' | 'busy' | 'failed';
export type ApiState = 'off' | 'host' | 'standby' | 'unavailable';

export interface AppStatus {
  readonly phase: Phase;
  readonly folder: string | null;
  /** Changes when another folder is opened, whatever its name; empty while none is. */
  readonly folderKey: string;
  /** Files done in this phase. */
  readonly done: number;
  /** Files of this phase; 0 while unknown. */
  readonly total: number;
  /** The file being read or inspected, or what failed. */
  readonly message: string;
  /** What to do about a failure. */
  readonly hint?: string;
  readonly python: PythonState;
  /** What Python's start is at, or why it failed. */
  readonly pythonStep: string;
  readonly api: ApiState;
  /** Those of the open folder. */
  readonly packages: FolderPackages;
  /** How changes of the folder are noticed. */
  readonly watch: WatchState;
  /** What storage failed with, where it did. */
  readonly storage: 'ok' | (string & {});
  readonly offline: OfflineState;
  /** Another build that the server has now; null where it has this page's. */
  readonly update: string | null;
}

/** Holds the current status and tells who watches. */
export interface Status {
  get(): AppStatus;
  observe(listener: (status: AppStatus) => void): () => void;
}

/** A folder that has been read. */
export interface OpenFolder {
  readonly source: FolderSource;
  readonly snapshot: FolderSnapshot;
}

/** The interpreters of the open folder, as they are now. */
export interface InterpreterList {
  /** Those of sessions first. */
  list(): readonly InterpreterView[];
  observe(listener: (views: readonly InterpreterView[]) => void): () => void;
}

export interface App {
  readonly registry: Registry;
  readonly calls: CallPath;
  readonly log: CallLog;
  readonly status: Status;
  readonly interpreters: InterpreterList;
  readonly sessions: OpenSessions;
  /** Null while none is open, and while the first reading of one lasts. */
  readonly folder: OpenFolder | null;
  /** The source can be read again. */
  readonly canRefresh: boolean;
  /** Replaces what was open; never rejects: failures land in the status. */
  open(source: FolderSource): Promise<void>;
  refresh(): Promise<void>;
  /** Opens the folder once more, with interpreters and packages anew. */
  reload(): Promise<void>;
  /** Tells when files of the open folder have changed and their tools with them. @returns dispose */
  observeUpdates(listener: (update: FolderUpdate) => void): () => void;
  /** Ends whatever is under way and forgets the folder. */
  close(): void;
  /** The text of one file of the open folder. */
  source(file: string): string | undefined;
  dispose(): void;
}
