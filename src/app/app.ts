/**
 * The types that the UI gets: the app, available before the first paint, and the controls that load after it.
 * The UI imports no other file of src/app.
 */

import type { WebMcp } from './api/web-mcp.ts';
import type { ChosenLimits } from './chosen-limits.ts';
import type { SessionsControl } from '../agent/create-agent.ts';
import type { Evals } from '../agent/evals/evals.ts';
import type { Extensions } from '../agent/extensions/extensions.ts';
import type { Servers } from '../agent/mcp/servers.ts';
import type { Plans } from '../agent/runner/plans.ts';
import type { FolderTests } from '../agent/saved-tests/folder-tests.ts';
import type { FolderControl } from '../runtime/open-folder/folder-loader.ts';
import type { EditingControl } from '../runtime/open-folder/folder-editing.ts';
import type { InterpreterList } from '../runtime/open-folder/folder-interpreters.ts';
import type { FolderStatus, StatusHolder } from '../runtime/open-folder/status.ts';
import type { ArgumentChecking, SchemaInference } from '../runtime/sandbox/argument-checker.ts';
import type { CallLog } from '../runtime/call/call-log.ts';
import type { CallPath } from '../runtime/call/call-path.ts';
import type { CallInterceptors } from '../runtime/call/interceptors.ts';
import type { KnownFolders } from '../runtime/folder/known-folders.ts';
import type { FolderSource } from '../runtime/folder/source.ts';
import type { AllowedSites } from '../runtime/grants/allowed-sites.ts';
import type { Policies } from '../runtime/grants/policies.ts';
import type { Questions } from '../runtime/grants/questions.ts';
import type { RequestLog } from '../runtime/grants/request-log.ts';
import type { DiffQuestion, FileDiff } from '../runtime/protocol/diff.ts';
import type {
  ImportChoice,
  ImportFault,
  ImportOutline,
  WrittenImport,
} from '../runtime/protocol/imports.ts';
import type { ToolConversion } from '../runtime/protocol/models.ts';
import type { Registry } from '../runtime/registry/registry.ts';
import type { OpenSessions } from '../agent/session/open-sessions.ts';
import type { FolderFile } from '../runtime/spec/folder.ts';
import type { ToolDefinition } from '../runtime/spec/model.ts';
import type { Build, OfflineState, StorageUsage } from '../runtime/spec/offline.ts';
import type { WorkspaceDisk } from '../runtime/workspace/folder-on-disk.ts';
import type { Workspace, Writing } from '../runtime/workspace/workspace.ts';
import type { Workspaces } from '../runtime/workspace/workspaces.ts';

/** `starting`: no request is answered yet. */
export type ApiState = 'starting' | 'off' | 'host' | 'standby' | 'unavailable';

/** The status of the page: that of the open folder, and of what the app adds. */
export interface AppStatus extends FolderStatus {
  readonly api: ApiState;
  /** `ok`, or the error of the browser's storage. */
  readonly storage: 'ok' | (string & {});
  readonly offline: OfflineState;
  /** A build on the server that differs from this page's; null where there is none. */
  readonly update: string | null;
}

/** The current status, which can be observed. */
export type Status = Pick<StatusHolder<AppStatus>, 'get' | 'observe'>;

export interface App {
  readonly registry: Registry;
  readonly calls: CallPath;
  readonly log: CallLog;
  readonly status: Status;
  readonly interpreters: InterpreterList;
  readonly interceptors: CallInterceptors;
  readonly sessions: OpenSessions;
  readonly folder: FolderControl;
  /** Loads the check of arguments while they are typed. */
  argumentChecking(): Promise<ArgumentChecking & SchemaInference>;
  /** Returns how the limits of each kind of provider change a tool. Rejects if that takes too long, fails, or is aborted. */
  toolConversions(signal: AbortSignal, tool: ToolDefinition): Promise<readonly ToolConversion[]>;
}

/** The ways to choose a tools folder that this browser supports. */
export interface FolderChoices {
  readonly canPick: boolean;
  /** Asks the user for a folder. Resolves with null, or rejects with an AbortError, if the user cancels. */
  pick(): Promise<FolderSource | null>;
  /** Must be called while the drop event is being handled. */
  dropped(data: DataTransfer): Promise<FolderSource>;
  /** Rejects if the zip file cannot be read. */
  zipped(file: File): Promise<FolderSource>;
  /** Fetches a tool file or a zip. Call it only for an address that the user has entered. @throws {ToolError} */
  fetched(signal: AbortSignal, address: string): Promise<FolderSource>;
  /** Returns a subfolder of the open folder as a folder to open. Rejects if it no longer exists. */
  subfolder(source: FolderSource, path: string): Promise<FolderSource>;
  samples(): Promise<FolderSource>;
  /** The files of a directory input, with their paths. */
  uploaded(files: readonly File[]): FolderSource;
  /** The folders that were opened before. */
  readonly known: {
    /** Whether a folder was open at the last visit and is about to be reopened. */
    readonly expected: boolean;
    /** Resolves once it is decided whether a folder is reopened. */
    readonly ready: Promise<KnownFolders>;
  };
}

/** The current limits. */
export type LimitsControl = Pick<ChosenLimits, 'current' | 'set'>;

/** The site: build, service worker, storage, and the browser's own agent. */
export interface SiteControl {
  readonly webMcp: WebMcp;
  /** Null in development. */
  readonly build: Build | null;
  /** The state of the service worker, as text. */
  readonly worker: Promise<string>;
  /** Makes this page answer the API instead of the page that does so now. */
  takeOverApi(): Promise<void>;
  usage(): Promise<StorageUsage>;
  storeOffline(): Promise<void>;
  removeOffline(): Promise<void>;
  /** Deletes the snapshot that Python starts from. No other is made during this visit. */
  removeSnapshot(): Promise<void>;
  /** Deletes the downloaded Python packages. */
  removePackages(): Promise<void>;
  /** Asks the browser to make storage persistent. @returns whether it agreed */
  persist(): Promise<boolean>;
}

/** The folder's policy, pending questions, the request log, and the sites that may call tools. */
export interface PolicyControl {
  readonly sites: Pick<AllowedSites, 'list' | 'observe' | 'revoke'>;
  readonly policies: Policies;
  readonly questions: Questions;
  readonly requests: RequestLog;
  /** Makes the next reload of the folder look for newer versions of its packages. */
  renewPackages(): Promise<void>;
}

export interface WorkspaceControl {
  readonly workspaces: Workspaces;
  readonly canPick: boolean;
  /** Asks the user for a folder; null if the user cancels. @throws {ToolError} */
  pick(): Promise<FileSystemDirectoryHandle | null>;
  zip(files: Iterable<FolderFile>): Promise<Blob>;
  /** Compares two versions of a file, off the page's thread. Rejects if that fails, or is aborted. */
  compare(signal: AbortSignal, question: DiffQuestion): Promise<FileDiff>;
  /** Gives the tools of every folder a workspace for this visit, which is not stored. */
  lend(name: string, disk: WorkspaceDisk, writing: Writing): Workspace;
  /** Returns a function that finds the workspace for calls in this tools folder. */
  findFor(source: FolderSource): () => Promise<Workspace | null> | null;
}

/** Turns documents of other systems into Python files. */
export interface ImportControl {
  /** Starts a worker that reads one document after the other. */
  start(): DocumentReader;
  /** Fetches a document. Call it only for an address that the user has entered. @throws {ToolError} */
  fetch(
    signal: AbortSignal,
    address: string,
  ): Promise<{ readonly document: Blob; readonly url: string }>;
}

/** Reads documents and writes Python off the page's thread. Rejects if that fails, takes too long, or is aborted. */
export interface DocumentReader {
  read(
    signal: AbortSignal,
    document: string | Blob,
    name: string,
  ): Promise<ImportOutline | ImportFault>;
  write(signal: AbortSignal, choice: ImportChoice): Promise<WrittenImport | ImportFault>;
  end(): void;
}

/** The user's controls besides calls. Parts that load after the first paint are promises; functions load their part on first use. */
export interface Controls {
  readonly folders: FolderChoices;
  readonly limits: LimitsControl;
  readonly site: Promise<SiteControl>;
  readonly policy: Promise<PolicyControl>;
  readonly workspaces: Promise<WorkspaceControl>;
  readonly tests: Promise<FolderTests>;
  readonly sessions: () => Promise<SessionsControl>;
  readonly editing: () => Promise<EditingControl>;
  readonly extensions: () => Promise<Extensions>;
  readonly plans: () => Promise<Plans>;
  readonly evals: () => Promise<Evals>;
  readonly servers: () => Promise<Servers>;
  readonly imports: () => Promise<ImportControl>;
}
