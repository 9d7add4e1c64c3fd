/**
 * The wires between the app page, the sandbox frame and the broker.
 *
 * The page sends the frame one message ({@link FrameBoot}) with two ports; the frame starts the broker and hands
 * them on. The first port is Comlink's: {@link Broker}. Over the second go calls and what the broker tells unasked, as
 * plain messages ({@link ToBroker}, {@link FromBroker}), since they are what has to be quick; the page answers every
 * `stream` with a {@link StreamCredit} before the next may come, and every `text` with a {@link TextTaken}.
 */

import type { PackedInspection } from '../spec/inspection.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { ContentPart, Frame, LogLine, Stream, Update } from '../spec/result.ts';
import type { Ask, AskAnswer } from './ask.ts';
import type { TextPiece } from './long-texts.ts';
import type { InstallRequest, ResolveAnswer, ResolveRequest } from './packages.ts';
import type { DecisionKey, FileForPython, ToolWorkerAssets, UpdateMessage } from './python.ts';
import type { WorkspaceReport, WorkspaceRequest } from './workspace.ts';

export interface FrameBoot {
  /** Source text of the broker. */
  readonly broker: Blob;
  /** And of the tool worker, which the broker makes before it answers anything. */
  readonly toolWorker: Blob;
}

export interface BrokerStart {
  readonly assets: ToolWorkerAssets;
  readonly limits: Limits;
  /** Transferred; null: Python starts from its files. */
  readonly snapshot: ArrayBuffer | null;
}

/** What Python tells of itself when it is up. */
export interface PythonFacts {
  readonly version: string;
  readonly stackSwitching: boolean;
}

export interface BrokerCall {
  readonly tool: string;
  readonly file: string;
  readonly arguments: JsonText;
  readonly context: JsonText;
  /** Schema of the arguments; absent where it went over with an earlier call of this tool. */
  readonly schema?: JsonText;
  readonly validate: boolean;
  /** false: nobody watches, no `stream` notices. */
  readonly live: boolean;
  /** The handler does not run: the outcome is empty, or the failure of a call with these arguments. */
  readonly checkOnly?: true;
}

/** How a call ended in Python, with all that it streamed. */
export interface PythonOutcome {
  readonly ok: boolean;
  readonly content: readonly ContentPart[];
  readonly metadata: JsonText;
  /** `Type: message`. */
  readonly error?: string;
  /** Text for a model. */
  readonly message?: string;
  readonly traceback?: string;
  readonly frames?: readonly Frame[];
  readonly recoverable: boolean;
  readonly streamed: Streamed;
}

/** All that a call has streamed, bounded. */
export interface Streamed {
  readonly updates: readonly Update[];
  readonly updatesDropped: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputDropped: number;
  readonly log: readonly LogLine[];
}

/** Why an interpreter is no more. */
export type LossReason = 'crashed' | 'flood' | 'protocol' | 'start' | 'terminated';

export interface Loss {
  readonly reason: LossReason;
  readonly detail: string;
}

/** An expected failure crosses as data: the interpreter was lost in the middle of the request. */
export type OrLost<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly loss: Loss; readonly streamed?: Streamed };

export type ChangesForPython = Omit<UpdateMessage, 'op' | 'id' | 'name'>;

/** What the broker does for the page; the page makes up their ids (the start has 0). */
export interface Broker {
  /** Starts Python. */
  start(start: BrokerStart): Promise<OrLost<PythonFacts>>;
  /** In place of a start: what later ones may go on from. The frame is of no other use. */
  makeSnapshot(assets: ToolWorkerAssets): Promise<OrLost<Blob>>;
  /** Puts wheels among Python's packages, before there is anything of a folder. */
  install(id: number, request: InstallRequest): Promise<OrLost<null>>;
  /** Asks which wheels satisfy what files declare. The frame is of no other use. */
  resolve(
    id: number,
    resolver: Blob | null,
    request: ResolveRequest,
  ): Promise<OrLost<ResolveAnswer>>;
  /** Hands over files of the tools folder, some at a time; with the last of them it is open. */
  putFiles(
    id: number,
    name: string,
    files: readonly FileForPython[],
    folders: readonly string[],
    last: boolean,
  ): Promise<OrLost<null>>;
  /** Changes files of the open folder between calls. @returns files whose modules were dropped */
  updateFiles(
    id: number,
    name: string,
    changes: ChangesForPython,
  ): Promise<OrLost<readonly string[]>>;
  /** Changes the copy of the workspace, and tells what tools have changed in it. */
  workspace(id: number, request: WorkspaceRequest): Promise<OrLost<WorkspaceReport>>;
  inspect(id: number, file: string): Promise<OrLost<PackedInspection>>;
  /** Asks the callable at a key of a tool's spec about a call with these arguments. */
  decide(
    id: number,
    tool: string,
    file: string,
    key: DecisionKey,
    args: JsonText,
  ): Promise<OrLost<boolean>>;
  /** What a call has streamed so far; asked when its page has given it up. */
  streamed(id: number): Streamed | null;
  ping(): true;
}

/** Asks for a call; answered once by `outcome`, with any number of `stream` and `ask` before, and `text` right before. */
export interface CallRequest extends BrokerCall {
  readonly type: 'call';
  readonly id: number;
}

/** Asks the call to end by itself; its outcome, if any, still comes. */
export interface CancelRequest {
  readonly type: 'cancel';
  readonly id: number;
}

/** The page has taken the last `stream` of this call. */
export interface StreamCredit {
  readonly type: 'credit';
  readonly id: number;
}

/** The page has taken the last `text` of this call. */
export interface TextTaken {
  readonly type: 'taken';
  readonly id: number;
}

/** What the page says to a question of a running call. */
export interface AnswerToCall {
  readonly type: 'answer';
  readonly id: number;
  readonly n: number;
  /** Bytes in it are transferred. */
  readonly answer: AskAnswer;
}

export type ToBroker = CallRequest | CancelRequest | StreamCredit | TextTaken | AnswerToCall;

export type FromBroker =
  | { readonly type: 'step'; readonly step: string }
  | { readonly type: 'stream'; readonly id: number; readonly stream: Stream }
  | { readonly type: 'ask'; readonly id: number; readonly n: number; readonly ask: Ask }
  /** A piece of a long text of the outcome that follows. */
  | { readonly type: 'text'; readonly id: number; readonly piece: TextPiece }
  | { readonly type: 'outcome'; readonly id: number; readonly outcome: OrLost<PythonOutcome> }
  | { readonly type: 'lost'; readonly loss: Loss };
