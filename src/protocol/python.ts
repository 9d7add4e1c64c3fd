/**
 * The wire between the broker (ours) and the tool worker (hostile).
 *
 * Toward the tool worker: structured messages; the worker trusts the broker. From it: strings only, each a
 * header in JSON, a line feed, and a payload; a string longer than one piece comes in pieces. Whatever breaks
 * these rules costs credit, and the worker its life when the credit is used up.
 */

import { fields, isCount } from '../spec/guards.ts';
import type { JsonText } from '../spec/json.ts';
import type { AskAnswer } from './ask.ts';
import type { InstallRequest, ResolveRequest } from './packages.ts';
import type { WorkspaceRequest } from './workspace.ts';

export interface ToolWorkerAssets {
  readonly wasm: Blob;
  readonly stdlib: Blob;
  readonly timeZones: Blob;
  /** Pyodide's lock file, without packages. */
  readonly lockfile: string;
  /** A zip of the loader's compiled modules. */
  readonly loader: Blob;
}

export interface FileForPython {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly bytes: Uint8Array;
}

/** Answered once by `ready` or `failed`. */
export interface StartMessage {
  readonly op: 'start';
  readonly assets: ToolWorkerAssets;
  /** Where Python goes on from, transferred; null: it starts from its files. */
  readonly snapshot: ArrayBuffer | null;
  readonly heapBytes: number;
}

/**
 * Asks a fresh worker for a snapshot, the only thing that it is ever asked for. Answered once, by the snapshot itself
 * (the one message that is no string: nothing hostile has been near this worker) or by `failed`.
 */
export interface SnapshotMessage {
  readonly op: 'make-snapshot';
  readonly assets: ToolWorkerAssets;
}

/** Puts files of the tools folder below `/tools/<name>`; with the last of them the folder is open. Answered by `done`. */
export interface FilesMessage {
  readonly op: 'files';
  readonly id: number;
  readonly name: string;
  readonly files: readonly FileForPython[];
  /** Folders that are there even where no file lies in them. */
  readonly folders: readonly string[];
  readonly last: boolean;
}

/** Answered once by `done`. */
export interface InstallMessage extends InstallRequest {
  readonly op: 'install';
  readonly id: number;
}

/** Asks which wheels satisfy what files declare; of a worker that is asked for nothing else. Answered by `resolved`. */
export interface ResolveMessage {
  readonly op: 'resolve';
  readonly id: number;
  /** A zip of the resolver's compiled modules; null where it went over with an earlier question. */
  readonly resolver: Blob | null;
  readonly request: ResolveRequest;
}

/**
 * Changes files of the open folder, and drops the modules of what has changed and of all that imports it; sent while
 * no call runs. Answered once by `dropped`.
 */
export interface UpdateMessage {
  readonly op: 'update';
  readonly id: number;
  readonly name: string;
  readonly written: readonly FileForPython[];
  readonly removed: readonly string[];
  /** As in {@link FilesMessage}. */
  readonly folders: readonly string[];
  /** Some of these files are new to the folder, or go. */
  readonly cameOrWent: boolean;
}

/** Changes the copy of the workspace, and asks what has changed there since. Answered once by `workspace`. */
export interface WorkspaceMessage extends WorkspaceRequest {
  readonly op: 'workspace';
  readonly id: number;
}

/** Answered once by `report`. */
export interface InspectMessage {
  readonly op: 'inspect';
  readonly id: number;
  readonly file: string;
}

/** Where a spec may have a callable of its own. */
export type DecisionKey = 'concurrency_safe' | 'requires_approval';

/** Asks a spec's own callable about a call with these arguments. Answered once by `decision`: `1` or `0`. */
export interface DecideMessage {
  readonly op: 'decide';
  readonly id: number;
  readonly tool: string;
  readonly file: string;
  readonly key: DecisionKey;
  readonly arguments: JsonText;
}

/** Answered once by `result`, with any number of `stream` and `ask` before. */
export interface CallMessage {
  readonly op: 'call';
  readonly id: number;
  readonly tool: string;
  readonly file: string;
  readonly arguments: JsonText;
  readonly context: JsonText;
  /** Schema of the arguments; absent where it went over with an earlier call of this tool. */
  readonly schema?: JsonText;
  readonly validate: boolean;
  /** The handler does not run: the result is empty, or the failure of a call with these arguments. */
  readonly checkOnly?: true;
}

/** Asks a call to end by itself; its result, if any, still comes. */
export interface CancelMessage {
  readonly op: 'cancel';
  readonly id: number;
}

/** Answers what a running call has asked with `ask`, once for each. */
export interface AnswerMessage {
  readonly op: 'answer';
  readonly id: number;
  readonly n: number;
  /** Bytes in it are transferred. */
  readonly answer: AskAnswer;
}

export type ToToolWorker =
  | StartMessage
  | SnapshotMessage
  | InstallMessage
  | ResolveMessage
  | FilesMessage
  | UpdateMessage
  | WorkspaceMessage
  | InspectMessage
  | DecideMessage
  | CallMessage
  | CancelMessage
  | AnswerMessage;

export type HeaderType =
  | 'step'
  | 'ready'
  | 'failed'
  | 'done'
  | 'resolved'
  | 'dropped'
  | 'workspace'
  | 'report'
  | 'decision'
  | 'stream'
  | 'ask'
  | 'result'
  | 'crashed';

export interface Header {
  readonly t: HeaderType;
  /** The request that this answers; 0 where there is none. */
  readonly id: number;
}

const headerTypes: ReadonlySet<string> = new Set<HeaderType>([
  'step',
  'ready',
  'failed',
  'done',
  'resolved',
  'dropped',
  'workspace',
  'report',
  'decision',
  'stream',
  'ask',
  'result',
  'crashed',
]);

/** Characters of one piece of a long message, its mark not counted. */
export const pieceChars = 1024 * 1024;
/** Characters of one header. */
const headerChars = 200;

/** First character of a string on the wire: all of a message, a piece with more to come, the last piece. */
export const marks = { whole: '=', piece: '+', last: '.' } as const;

/** Cuts a message into the strings that travel. */
export function* toPieces(message: string): Generator<string> {
  if (message.length <= pieceChars) {
    yield marks.whole + message;
    return;
  }
  let from = 0;
  for (; message.length - from > pieceChars; from += pieceChars)
    yield marks.piece + message.slice(from, from + pieceChars);
  yield marks.last + message.slice(from);
}

/** Header and payload of a message or of its first piece; null where it is not of this wire. */
export function parseHeader(message: string): { header: Header; payloadAt: number } | null {
  const first = message.slice(0, headerChars).indexOf('\n');
  if (first < 0) return null;
  let header: unknown;
  try {
    header = JSON.parse(message.slice(0, first));
  } catch {
    return null;
  }
  const { t, id = 0 } = fields(header);
  if (typeof t !== 'string' || !headerTypes.has(t)) return null;
  if (!isCount(id)) return null;
  return { header: { t: t as HeaderType, id }, payloadAt: first + 1 };
}
