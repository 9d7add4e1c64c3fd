/**
 * The types that the UI gets: the app, available before the first paint, and the controls that load after it.
 * The UI imports no other file of src/app.
 */

import type { KeptSelections } from '../agent/turn/kept-selections.ts';
import type { Providers } from '../agent/providers/providers.ts';
import type { ConversationControl, StoredSessions } from '../agent/turn/sessions-control.ts';
import type { FolderControl } from '../runtime/open-folder/folder-loader.ts';
import type { EditingControl } from '../runtime/open-folder/folder-editing.ts';
import type { InterpreterList } from '../runtime/open-folder/folder-interpreters.ts';
import type { FolderStatus, StatusHolder } from '../runtime/open-folder/status.ts';
import type { ArgumentChecking } from '../runtime/sandbox/argument-checker.ts';
import type { CallLog } from '../runtime/call/call-log.ts';
import type { CallPath } from '../runtime/call/call-path.ts';
import type { CallInterceptors } from '../runtime/call/interceptors.ts';
import type { EvalModel, EvalState } from '../agent/evals/eval-record.ts';
import type { EvalRuns } from '../agent/evals/eval-runs.ts';
import type { EvaluationFile } from '../agent/evals/read-evaluation.ts';
import type { BuiltIns } from '../agent/extensions/built-ins.ts';
import type { ExtensionView } from '../agent/extensions/extensions.ts';
import type { Shown } from '../agent/extensions/shown.ts';
import type { KnownFolders } from '../runtime/folder/known-folders.ts';
import type { FolderSource } from '../runtime/folder/source.ts';
import type { AllowedSites } from '../runtime/grants/allowed-sites.ts';
import type { Policies } from '../runtime/grants/policies.ts';
import type { Power } from '../runtime/grants/powers.ts';
import type { Questions } from '../runtime/grants/questions.ts';
import type { RequestLog } from '../runtime/grants/request-log.ts';
import type { DiffQuestion, FileDiff } from '../runtime/protocol/diff.ts';
import type { ProviderFit } from '../runtime/protocol/models.ts';
import type { PlanEdits } from '../runtime/protocol/yaml.ts';
import type { Registry } from '../runtime/registry/registry.ts';
import type { PlanReferences } from '../agent/runner/plan-problems.ts';
import type { ApiPlans } from './api/api-deps.ts';
import type { FolderRun, RecordedRun } from '../agent/runner/recorded-run.ts';
import type { RunState } from '../agent/runner/run-record.ts';
import type { TaskEvidence } from '../agent/runner/run-report.ts';
import type { TimelineTask } from '../agent/runner/run-timeline.ts';
import type { SavedTests } from '../agent/saved-tests/saved-tests.ts';
import type { OpenSessions } from '../agent/session/open-sessions.ts';
import type { FolderFile } from '../runtime/spec/folder.ts';
import type { AdjustableLimit, Limits } from '../runtime/spec/limits.ts';
import type { ToolDefinition, ModelInfo } from '../runtime/spec/model.ts';
import type { Build, OfflineState, StorageUsage } from '../runtime/spec/offline.ts';
import type { Asker, Plan, PlanNeeds } from '../runtime/spec/plan.ts';
import type { Recording } from '../runtime/spec/recording.ts';
import type { Workspace } from '../runtime/workspace/workspace.ts';
import type { Workspaces } from '../runtime/workspace/workspaces.ts';

export type { ConversationControl, StoredSessions };

export type ApiState = 'off' | 'host' | 'standby' | 'unavailable';

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
  argumentChecking(): Promise<ArgumentChecking>;
  /** Returns how the limits of each kind of provider change a tool. Rejects if that takes too long, fails, or is aborted. */
  providerFits(signal: AbortSignal, tool: ToolDefinition): Promise<readonly ProviderFit[]>;
}

/** The ways to choose a tools folder that this browser supports. */
export interface FolderChoices {
  /** Whether there is a directory picker. */
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
export interface LimitsControl {
  /** Changes with {@link set}. */
  readonly current: Limits;
  /** In force at once; of a running call or interpreter from its next use on. @throws {RangeError} outside the bounds */
  set(limit: AdjustableLimit, value: number): void;
}

/** The site: build, service worker, storage. */
export interface SiteControl {
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

/** The workspaces of tools folders. */
export interface WorkspaceControl {
  readonly workspaces: Workspaces;
  /** Whether there is a directory picker. */
  readonly canPick: boolean;
  /** Whether the browser can keep a folder for this site. */
  readonly canKeep: boolean;
  /** Asks the user for a folder; null if the user cancels. @throws {ToolError} */
  pick(): Promise<FileSystemDirectoryHandle | null>;
  zip(files: Iterable<FolderFile>): Promise<Blob>;
  /** Compares two versions of a file, off the page's thread. Rejects if that fails, or is aborted. */
  compare(signal: AbortSignal, question: DiffQuestion): Promise<FileDiff>;
  /** Returns a function that finds the workspace for calls in this tools folder. */
  findFor(source: FolderSource): () => Promise<Workspace | null> | null;
}

/** The extensions of the open folder. */
export interface ExtensionsControl {
  /** What they show on the page. */
  readonly shown: Shown;
  list(): readonly ExtensionView[];
  /** @returns dispose */
  observe(listener: () => void): () => void;
  /** Decides about a power of an extension, for the version of its file that is open. @throws {ToolError} */
  decide(file: string, power: Power, allowed: boolean): void;
  /** Switches an extension off, or on again. @throws {ToolError} */
  switch(file: string, off: boolean): void;
  /** Starts an extension again. */
  reload(file: string): void;
}

/** The saved tests of the open folder. */
export interface TestsControl {
  readonly tests: SavedTests;
  /** Paths of test files that are kept in this browser, because the folder cannot be written. */
  readonly pending: readonly string[];
  /** The folder's files, with pending test files in their places. */
  files(): readonly FolderFile[];
  /** Deletes a pending test file. */
  removePending(path: string): Promise<void>;
  /** The text of a test file, a pending one included; null if there is none. */
  textOf(path: string): string | null;
  /**
   * Writes a test file. Call it while a key or a click is handled, since the browser may ask for permission.
   * @param edit gets the text as it is now; null if there is no file
   * @returns `pending` if the folder cannot be written: the file is kept in this browser @throws {ToolError}
   */
  save(path: string, edit: (text: string | null) => string): Promise<'saved' | 'pending'>;
}

/** Stored and open sessions, and the models that answer in them. */
export interface SessionsControl {
  readonly stored: StoredSessions;
  readonly conversations: ConversationControl;
  readonly providers: Providers;
  readonly selections: KeptSelections;
  /** The extensions that are part of Cloche. */
  readonly builtIns: Pick<BuiltIns, 'add' | 'list' | 'observe' | 'switch'>;
  /** Local storage; null if the browser refuses it. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem'> | null;
}

/** Evaluations of the open folder, and their runs. */
export interface EvalsControl {
  readonly runs: EvalRuns;
  /** The evaluations in the open folder's `evals/`, with their problems. */
  files(): Promise<readonly EvaluationFile[]>;
  /** The models that can be tried. */
  models(): Promise<readonly (EvalModel & Pick<ModelInfo, 'price'>)[]>;
  /** @param name such as `provider/model` @throws {ToolError} `not-found` */
  modelNamed(name: string): EvalModel;
  /** Stores a run and begins it. @returns its id @throws {ToolError} */
  start(
    file: EvaluationFile,
    chosen: Pick<EvalState, 'models' | 'limits' | 'approvals'> & {
      readonly repeats: number | undefined;
    },
  ): Promise<string>;
  /** Returns an evaluation, as YAML, that is made from a session. @throws {ToolError} */
  fromSession(id: string): Promise<string>;
  fromRecording(recording: Recording): Promise<string>;
}

/** Plans, and their runs by sub-agents. */
export interface PlansControl extends Omit<ApiPlans, 'request'> {
  /** What a plan may refer to. @param session in which the plan is made; empty for none @throws {ToolError} */
  references(session: string): Promise<PlanReferences>;
  /** What a plan would use. Never rejects. @param inherited tools that its stored run inherits; by default the session's */
  needs(plan: Plan, session: string, inherited?: PlanReferences['inherited']): Promise<PlanNeeds>;
  /** Stores a run and begins it. @throws {ToolError} */
  start(plan: Plan, session: string): Promise<RunState>;
  /**
   * Stores a run that a page or an extension requests. It waits for the user's approval, unless the policy allows it.
   * @param asker a page by default
   * @throws {ToolError} `not-supported` if the policy refuses it
   */
  request(plan: Plan, session: string, asker?: Asker): Promise<RunState>;
  /** Writes and changes plans as text. They reject if a text takes too long. */
  readonly edits: PlanEdits;
  /**
   * Lets a model write a plan, for a goal or from a session.
   * @param wish may be empty if there is a session
   * @returns the plan as YAML, perhaps with problems
   */
  propose(signal: AbortSignal, wish: string, session: string): Promise<string>;
  /** Returns when each task and call of a run began and ended. */
  timeline(run: RunState): Promise<readonly TimelineTask[]>;
  /** Returns what the report needs from the sessions of the tasks, by task. */
  evidence(run: RunState): Promise<ReadonlyMap<string, TaskEvidence>>;
  /** The most interpreters that run at the same time. */
  readonly maxInterpreters: number;
  /** The recorded runs in the open folder. */
  recordings(): readonly FolderRun[];
  /** @throws {ToolError} `bad-input` */
  recordingIn(file: Blob): Promise<RecordedRun>;
  /** Starts a run whose models answer from a recording. @throws {ToolError} */
  play(recorded: RecordedRun): Promise<RunState>;
  /** A run as a recording, as JSON. @throws {ToolError} */
  record(id: string): Promise<string>;
}

/** What the user controls besides calls. Parts that load after the first paint are promises; functions load their part on first use. */
export interface Controls {
  readonly folders: FolderChoices;
  readonly limits: LimitsControl;
  readonly site: Promise<SiteControl>;
  readonly policy: Promise<PolicyControl>;
  readonly workspaces: Promise<WorkspaceControl>;
  readonly tests: Promise<TestsControl>;
  readonly sessions: () => Promise<SessionsControl>;
  readonly editing: () => Promise<EditingControl>;
  readonly extensions: () => Promise<ExtensionsControl>;
  readonly plans: () => Promise<PlansControl>;
  readonly evals: () => Promise<EvalsControl>;
}
