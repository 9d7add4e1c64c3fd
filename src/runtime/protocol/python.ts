/**
 * The wire between the broker (trusted) and the tool worker (hostile).
 *
 * The broker sends structured messages, which the tool worker trusts. The tool worker sends only strings: a header in
 * JSON, a line feed, and a payload; longer messages come in pieces. A message that breaks these rules costs credit, and
 * a worker without credit is terminated.
 */

import { asFields, isCount, parseJson } from '../spec/guards.ts';
import type { JsonText } from '../spec/json.ts';
import type { AskAnswer } from './ask.ts';
import type { CompileRequest, InstallRequest, ResolveRequest } from './packages.ts';
import type { TextForPython } from './long-texts.ts';
import type { FileForCopy, WorkspaceRequest } from './workspace.ts';

/** The files that Python starts from, apart from Pyodide's WebAssembly. */
export interface PythonFiles {
  /** The archive of the standard library, without {@link LibraryFiles.stdlibRest} and the sources of its byte code. */
  readonly stdlib: Blob;
  /** Text of Pyodide's lock file, without packages. */
  readonly lockfile: string;
  /** A zip of the loader's compiled modules. */
  readonly loader: Blob;
}

/** The files that are added once Python has started; an import may wait for them. */
export interface LibraryFiles {
  /** The part of the standard library's archive right before its directory. */
  readonly stdlibRest: Blob;
}

/** Adds files that tools can run without. */
export interface SourcesMessage {
  readonly op: 'sources';
  /** The part right before {@link LibraryFiles.stdlibRest}: the sources of the byte code, for tracebacks. */
  readonly stdlibSources: Blob;
}

export type FileForPython = FileForCopy;

/** Starts Python. Answered once by `ready` or `failed`; without stack switching, after the {@link LibrariesMessage}. */
export interface StartMessage {
  readonly op: 'start';
  readonly files: PythonFiles;
  /** Python's memory after startup. Null: Python starts from its files. */
  readonly snapshot: Blob | null;
  readonly heapBytes: number;
  /** Address of an empty script, which can be loaded as long as the broker lives. */
  readonly alive: string;
}

/** Pyodide, compiled. A {@link StartMessage} or {@link SnapshotMessage} waits for it. */
export interface ModuleMessage {
  readonly op: 'module';
  readonly module: WebAssembly.Module;
}

/** Completes the standard library, at any time after the {@link StartMessage}. `wanted` asks for it. */
export interface LibrariesMessage {
  readonly op: 'libraries';
  /** Null: they could not be loaded. What waits for them fails; `wanted` may ask for them again. */
  readonly libraries: LibraryFiles | null;
}

/**
 * Makes a snapshot, in a fresh worker that does nothing else. Answered once, by `failed` or by the snapshot itself. This
 * answer and that of a {@link CompileMessage} are the only messages that are not strings: no hostile code has run in these
 * workers.
 */
export interface SnapshotMessage {
  readonly op: 'make-snapshot';
  readonly files: PythonFiles;
  readonly libraries: LibraryFiles;
  /** Whether Python imports what packages usually need of the standard library first. */
  readonly forPackages: boolean;
}

/** Compiles packages, in a worker that does nothing else once it has started. Answered once, by `failed` or by a Blob. */
export interface CompileMessage extends CompileRequest {
  readonly op: 'compile-packages';
}

/** Writes files of the tools folder below `/tools/<name>`; after the message with `last` the folder is open. Answered by `done`. */
export interface FilesMessage {
  readonly op: 'files';
  readonly id: number;
  readonly name: string;
  readonly files: readonly FileForPython[];
  /** All folders, also empty ones. */
  readonly folders: readonly string[];
  readonly last: boolean;
  /** Whether typed functions of files without specs are tools. */
  readonly functionsAreTools: boolean;
}

/** Installs wheels. Answered once by `done`. */
export interface InstallMessage extends InstallRequest {
  readonly op: 'install';
  readonly id: number;
}

/** Resolves the packages that files declare to wheels, in a worker that does nothing else. Answered by `resolved`. */
export interface ResolveMessage {
  readonly op: 'resolve';
  readonly id: number;
  /** A zip of the resolver's compiled modules; null if an earlier message has sent it. */
  readonly resolver: Blob | null;
  readonly request: ResolveRequest;
}

/**
 * Changes files of the open folder, and drops the modules of changed files and all modules that import them. Sent only
 * while no call runs. Answered once by `dropped`.
 */
export interface UpdateMessage {
  readonly op: 'update';
  readonly id: number;
  readonly name: string;
  readonly written: readonly FileForPython[];
  readonly removed: readonly string[];
  /** All folders, as in {@link FilesMessage}. */
  readonly folders: readonly string[];
  /** Whether any of these files is new or removed. */
  readonly cameOrWent: boolean;
}

/** Updates the copy of the workspace, and asks what tools have changed there. Answered once by `workspace`. */
export interface WorkspaceMessage extends WorkspaceRequest {
  readonly op: 'workspace';
  readonly id: number;
}

/** Imports a tool file and reports its tool specs and problems. Answered once by `report`. */
export interface InspectMessage {
  readonly op: 'inspect';
  readonly id: number;
  readonly file: string;
}

/** Infers specs for the functions of a tool file, and writes them into its text. Answered once by `proposal`. */
export interface ProposeMessage {
  readonly op: 'propose';
  readonly id: number;
  readonly file: string;
  /** JSON list of the ids of tools to write, or `null` for all. */
  readonly names: JsonText;
}

/**
 * Sets the values of the settings that files declare, and drops the modules of files whose values have changed. Sent only
 * while no call runs. Answered once by `dropped`.
 */
export interface SettingsMessage {
  readonly op: 'settings';
  readonly id: number;
  /** JSON of {@link SettingValues}; they replace all earlier ones. */
  readonly values: JsonText;
}

/** Keys of a tool spec that may hold a callable instead of a boolean. */
export type DecisionKey = 'concurrency_safe' | 'requires_approval';

/** Evaluates the callable at a key of a tool spec for these arguments. Answered once by `decision`, `1` or `0`. */
export interface DecideMessage {
  readonly op: 'decide';
  readonly id: number;
  readonly tool: string;
  readonly file: string;
  readonly key: DecisionKey;
  readonly arguments: JsonText;
}

/** Judges a saved test. Answered once by `verdict`, a JSON list of the reasons why it fails. */
export interface JudgeMessage {
  readonly op: 'judge';
  readonly id: number;
  readonly expect: JsonText;
  /** The outcome of the call, as JSON text. */
  readonly outcome: JsonText;
}

/**
 * Runs a tool. Answered by any number of `stream` and `ask`, then one `result`: JSON on one line, and the text of the content
 * part with the index `longText` after a line feed, if the JSON has this member. A long text would take long to write as JSON.
 */
export interface CallMessage {
  readonly op: 'call';
  readonly id: number;
  readonly tool: string;
  readonly file: string;
  /** JSON text; bytes are transferred. */
  readonly arguments: TextForPython;
  readonly context: JsonText;
  /** Schema of the arguments; absent if an earlier call to this tool has sent it. */
  readonly schema?: JsonText;
  readonly validate: boolean;
  /**
   * Whether only the arguments are checked, and the handler does not run: the result is empty, or
   * the failure of the check.
   */
  readonly checkOnly?: true;
}

/** Asks a call to end by itself; its `result` still follows, if it ends. */
export interface CancelMessage {
  readonly op: 'cancel';
  readonly id: number;
}

/** Answers an `ask` of a running call, once. */
export interface AnswerMessage {
  readonly op: 'answer';
  readonly id: number;
  /** Number of the ask. */
  readonly n: number;
  /** Bytes in it are transferred. */
  readonly answer: AskAnswer;
}

export type ToToolWorker =
  | StartMessage
  | ModuleMessage
  | LibrariesMessage
  | SourcesMessage
  | SnapshotMessage
  | CompileMessage
  | InstallMessage
  | ResolveMessage
  | FilesMessage
  | UpdateMessage
  | WorkspaceMessage
  | InspectMessage
  | ProposeMessage
  | SettingsMessage
  | DecideMessage
  | JudgeMessage
  | CallMessage
  | CancelMessage
  | AnswerMessage;

const headerTypes = [
  'step',
  'wanted',
  'ready',
  'failed',
  'done',
  'resolved',
  'dropped',
  'workspace',
  'report',
  'proposal',
  'decision',
  'verdict',
  'stream',
  'ask',
  'result',
  'crashed',
] as const;

export type HeaderType = (typeof headerTypes)[number];

export interface Header {
  readonly t: HeaderType;
  /** The request that this answers; 0 if there is none. */
  readonly id: number;
}

/** Length of one piece of a long message without its mark, in characters. */
export const pieceChars = 1024 * 1024;
/** Limit of a header's length, in characters. */
const headerChars = 200;

/** First character of each string on the wire: a whole message, a piece that others follow, or the last piece. */
export const marks = { whole: '=', piece: '+', last: '.' } as const;

/** Splits a message into strings for the wire. @param header JSON text */
export function* toPieces(header: string, payload: string): Generator<string> {
  const room = pieceChars - header.length - 1;
  if (payload.length <= room) {
    yield `${marks.whole}${header}\n${payload}`;
    return;
  }
  // Slicing one joined text would copy the payload once more.
  yield `${marks.piece}${header}\n${payload.slice(0, room)}`;
  let from = room;
  for (; payload.length - from > pieceChars; from += pieceChars)
    yield marks.piece + payload.slice(from, from + pieceChars);
  yield marks.last + payload.slice(from);
}

/** Header, and offset of the payload, of a message or its first piece; null if it breaks the wire's rules. */
export function parseHeader(message: string): { header: Header; payloadAt: number } | null {
  const first = message.slice(0, headerChars).indexOf('\n');
  if (first < 0) return null;
  const { t, id = 0 } = asFields(parseJson(message.slice(0, first)));
  const type = headerTypes.find((known) => known === t);
  if (type === undefined || !isCount(id)) return null;
  return { header: { t: type, id }, payloadAt: first + 1 };
}
