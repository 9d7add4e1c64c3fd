/**
 * The wires between the app page, the sandbox frame and the broker.
 *
 * The page sends the frame one message ({@link FrameBoot}) with two ports; the frame starts the broker and passes them
 * on. The first port is Comlink's ({@link Broker}). The second carries calls and notifications as plain messages
 * ({@link ToBroker}, {@link FromBroker}), which are faster. The broker sends the next `stream` of a call only after the
 * page has answered the last one with a {@link StreamCredit}. It sends two `text` messages at once, and one more after each
 * {@link TextTaken}.
 */

import type { PackedInspection, SpecProposal } from '../spec/tool.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { Stream, ToolResult } from '../spec/result.ts';
import type { pythonResult } from '../spec/schemas/sandbox.ts';
import type { Accepted } from '../spec/schemas/schema.ts';
import type { Ask } from './ask.ts';
import type { TextPiece } from './long-texts.ts';
import type { CompileRequest, InstallRequest, ResolveAnswer, ResolveRequest } from './packages.ts';
import type {
  AnswerMessage,
  CallMessage,
  DecisionKey,
  FileForPython,
  FilesMessage,
  LibraryFiles,
  PythonFiles,
  UpdateMessage,
} from './python.ts';
import type { WorkspaceReport, WorkspaceRequest } from './workspace.ts';
import { errorText, ToolError } from '../spec/error.ts';

/** The page's only message to the frame; starts the broker. */
export interface FrameBoot {
  readonly broker: Blob;
  /** Source text of the tool worker, which the broker creates before it answers anything. */
  readonly toolWorker: Blob;
}

export interface BrokerStart {
  readonly files: PythonFiles;
  readonly limits: Limits;
  /** Null: Python starts from its files. */
  readonly snapshot: Blob | null;
}

/** Facts that Python reports about itself when it has started. */
export interface PythonFacts {
  readonly version: string;
  readonly stackSwitching: boolean;
}

/** A call to a tool, as the page asks the broker for it. */
export interface BrokerCall extends Omit<CallMessage, 'op' | 'id'> {
  /** False: no caller watches, and the broker sends no `stream` messages. */
  readonly live: boolean;
}

/** The outcome of a call in Python, with everything that it streamed. */
export interface PythonOutcome extends Omit<PythonResult, 'durationMs' | 'outputDropped'> {
  readonly recoverable: boolean;
  readonly streamed: Streamed;
}

/** The end of a call, as the tool worker reports it. */
export type PythonResult = Accepted<typeof pythonResult>;

/** Everything that a call has streamed, within the limits; the `…Dropped` fields count the rest. */
export type Streamed = Pick<
  ToolResult,
  'updates' | 'updatesDropped' | 'stdout' | 'stderr' | 'outputDropped' | 'log'
>;

/** Why an interpreter ended. */
export type LossReason = 'crashed' | 'flood' | 'protocol' | 'start' | 'terminated';

export interface Loss {
  readonly reason: LossReason;
  readonly detail: string;
}

/** The value, or, as data, the loss of the interpreter during the request. Promises reject only on bugs. */
export type OrLost<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly loss: Loss; readonly streamed?: Streamed };

/** A file to inspect, and the id of the request to the tool worker. */
export interface InspectedFile {
  readonly id: number;
  readonly file: string;
}

export type ChangesForPython = Omit<UpdateMessage, 'op' | 'id' | 'name'>;

/** The broker's methods for the page. The page chooses the ids; the start has 0. */
export interface Broker {
  /** Compiles Pyodide. `start` and `makeSnapshot` wait for it. */
  compile(wasm: Blob): void;
  start(start: BrokerStart): Promise<OrLost<PythonFacts>>;
  /** Completes the standard library, at any time after `start`; null if that is not possible now. */
  addLibraries(libraries: LibraryFiles | null): void;
  /** Hands over the sources of the standard library's byte code, after the libraries. */
  addSources(stdlibSources: Blob): void;
  /** Makes a snapshot for later starts, in a frame that was not started and can do nothing else afterwards. */
  makeSnapshot(
    files: PythonFiles,
    libraries: LibraryFiles,
    forPackages: boolean,
  ): Promise<OrLost<Blob>>;
  /** Compiles packages for later installations, in a frame that was started and can do nothing else afterwards. */
  compilePackages(request: CompileRequest): Promise<OrLost<Blob>>;
  /** Installs packages; only before any file of the folder is there. */
  install(id: number, request: InstallRequest): Promise<OrLost<null>>;
  /** Resolves the packages that files declare to wheels. The frame does nothing else. */
  resolve(
    id: number,
    resolver: Blob | null,
    request: ResolveRequest,
  ): Promise<OrLost<ResolveAnswer>>;
  /** Sends files of the tools folder, in batches; the folder is open once the batch with `last` has arrived. */
  putFiles(
    id: number,
    name: string,
    files: readonly FileForPython[],
    folders: readonly string[],
    options: Pick<FilesMessage, 'last' | 'functionsAreTools'>,
  ): Promise<OrLost<null>>;
  /** Changes files of the open folder; only while no call runs. @returns paths of files whose modules were dropped */
  updateFiles(
    id: number,
    name: string,
    changes: ChangesForPython,
  ): Promise<OrLost<readonly string[]>>;
  /** Updates the copy of the workspace, and reports what tools have changed in it. */
  workspace(id: number, request: WorkspaceRequest): Promise<OrLost<WorkspaceReport>>;
  /**
   * Imports tool files one after the other, and reports their tool specs and problems, in order.
   * @returns the first reports, at least one; the others come from {@link inspected}
   */
  inspect(
    id: number,
    files: readonly InspectedFile[],
  ): Promise<OrLost<readonly PackedInspection[]>>;
  /** The next reports of an inspection, at least one, until all files have been reported on. */
  inspected(id: number): Promise<OrLost<readonly PackedInspection[]>>;
  /** Proposes specs for the functions of a tool file. @param names JSON list of tools to write, or `null` for all */
  propose(id: number, file: string, names: JsonText): Promise<OrLost<SpecProposal>>;
  /** Sets the values of settings; only while no call runs. @returns paths of files whose modules were dropped */
  setSettings(id: number, values: JsonText): Promise<OrLost<readonly string[]>>;
  /** Evaluates the callable at a key of a tool spec for a call with these arguments. */
  decide(
    id: number,
    tool: string,
    file: string,
    key: DecisionKey,
    args: JsonText,
  ): Promise<OrLost<boolean>>;
  /** Judges a saved test by its expectation and by how its call ended. @returns the reasons why it fails */
  judge(id: number, expect: JsonText, outcome: JsonText): Promise<OrLost<readonly string[]>>;
  /**
   * Returns what a call has streamed so far, for a page that stops waiting for it; null if no such
   * call runs.
   */
  streamed(id: number): Streamed | null;
  /** In debug mode, sends a {@link MessageReport} about the tool worker's messages over this port. */
  report(port: MessagePort): void;
  ping(): true;
}

/** Starts a call. Answered by any number of `stream` and `ask`, then the `text` pieces, then one `outcome`. */
export interface CallRequest extends BrokerCall {
  readonly type: 'call';
  readonly id: number;
}

/** Asks the call to end by itself; its `outcome` still follows, if it ends. */
export interface CancelRequest {
  readonly type: 'cancel';
  readonly id: number;
}

/** The page has processed the last `stream` of this call. */
export interface StreamCredit {
  readonly type: 'credit';
  readonly id: number;
}

/** The page has processed a `text` of this call. */
export interface TextTaken {
  readonly type: 'taken';
  readonly id: number;
}

/** Answers an `ask` of a running call, once. */
export interface AnswerToCall extends Omit<AnswerMessage, 'op'> {
  readonly type: 'answer';
}

export type ToBroker = CallRequest | CancelRequest | StreamCredit | TextTaken | AnswerToCall;

export type FromBroker =
  /** Progress of the start. */
  | { readonly type: 'step'; readonly step: string }
  /** Something in Python waits for the libraries. */
  | { readonly type: 'wanted' }
  | { readonly type: 'stream'; readonly id: number; readonly stream: Stream }
  | { readonly type: 'ask'; readonly id: number; readonly n: number; readonly ask: Ask }
  /** A piece of a long text of the `outcome` that follows. */
  | { readonly type: 'text'; readonly id: number; readonly piece: TextPiece }
  | { readonly type: 'outcome'; readonly id: number; readonly outcome: OrLost<PythonOutcome> }
  /** The interpreter ended; sent once. */
  | { readonly type: 'lost'; readonly loss: Loss };

/** Returns the error that says how an interpreter was lost. */
export function lossError({ reason, detail }: Loss): ToolError {
  switch (reason) {
    case 'flood':
      return new ToolError('flood', `The interpreter was stopped: it ${detail}`);
    case 'protocol':
      return new ToolError('protocol', `The interpreter was stopped: it ${detail}`);
    case 'start':
      return new ToolError('crashed', `Python could not be started: ${detail}`, 'Reload the page.');
    case 'terminated':
      return new ToolError('aborted', detail);
    case 'crashed':
      return new ToolError('crashed', `The interpreter crashed: ${detail}`);
  }
}

/** Returns the error for a failed start, whatever was thrown. */
export function startError(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return lossError({ reason: 'start', detail: errorText(thrown) });
}

/** Returns the value of an answer. @throws {ToolError} if the interpreter was lost */
export function orThrow<T>(answer: OrLost<T>): T {
  if (answer.ok) return answer.value;
  throw lossError(answer.loss);
}
