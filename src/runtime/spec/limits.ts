/** All limits of Cloche, with their defaults. */

export interface Limits {
  /** Longest time of a call whose tool sets no timeout; milliseconds. */
  readonly callMs: number;
  /** Longest time that a call runs without an update or output, if its timeout is longer; milliseconds. */
  readonly idleMs: number;
  /** Deadline of an interceptor for a call; milliseconds. */
  readonly interceptorMs: number;
  /** Import of one tool file; milliseconds. */
  readonly importMs: number;
  /** Start of an interpreter, until Python is ready; milliseconds. */
  readonly startMs: number;
  /** Start from a snapshot; afterwards Python is started from its files. Milliseconds. */
  readonly restoreMs: number;
  /** An argument object or one result, as text; characters. */
  readonly valueChars: number;
  /** A file of a tools folder; bytes. */
  readonly fileBytes: number;
  /** All files of a tools folder; bytes. */
  readonly folderBytes: number;
  /** Files of a tools folder. */
  readonly folderFiles: number;
  /** All files of a workspace; bytes. */
  readonly workspaceBytes: number;
  readonly workspaceFiles: number;
  /** Folders inside folders. */
  readonly folderDepth: number;
  /** Recent folders that are stored; the least recently opened ones are removed. */
  readonly knownFolders: number;
  /** Calls of all callers that run or wait at the same time; more are refused. */
  readonly callsAtOnce: number;
  readonly logCalls: number;
  /** Approximate size of the log; bytes. */
  readonly logBytes: number;
  /** Stored output of one call; characters. */
  readonly outputChars: number;
  /** Stored updates of one call; later ones are merged into the latest. */
  readonly updates: number;
  /** Python's heap in one interpreter; bytes. */
  readonly heapBytes: number;
  /** The report of a tool file about its tools; characters. */
  readonly reportChars: number;
  /** An event of a session; characters of its JSON. */
  readonly eventChars: number;
  /** A session file to import; bytes. */
  readonly sessionFileBytes: number;
  /** Sessions that a search finds. */
  readonly foundSessions: number;
  /** Longest wait for the first part of a model's answer: a local model may have to be loaded first; milliseconds. */
  readonly modelFirstMs: number;
  /** Longest wait for each further part, since some models send nothing while they reason; milliseconds. */
  readonly modelIdleMs: number;
  /** An answer of a model, or one list of models; bytes. */
  readonly modelAnswerBytes: number;
  readonly models: number;
}

const MB = 1024 * 1024;

export const defaultLimits: Limits = {
  callMs: 60_000,
  idleMs: 300_000,
  interceptorMs: 10_000,
  importMs: 10_000,
  startMs: 120_000,
  restoreMs: 30_000,
  valueChars: 64 * MB,
  fileBytes: 50 * MB,
  folderBytes: 200 * MB,
  folderFiles: 5_000,
  workspaceBytes: 256 * MB,
  workspaceFiles: 5_000,
  folderDepth: 32,
  knownFolders: 50,
  callsAtOnce: 1_000,
  logCalls: 5_000,
  logBytes: 200 * MB,
  outputChars: 1_000_000,
  updates: 1_000,
  heapBytes: 512 * MB,
  reportChars: 8 * MB,
  eventChars: 8 * MB,
  sessionFileBytes: 64 * MB,
  foundSessions: 200,
  modelFirstMs: 300_000,
  modelIdleMs: 300_000,
  modelAnswerBytes: 64 * MB,
  models: 2_000,
};

/** The limits that the user may change, with the least and the largest value. */
export const adjustableLimits = {
  idleMs: [1_000, 3_600_000],
  importMs: [1_000, 120_000],
  fileBytes: [MB, 500 * MB],
  folderBytes: [MB, 1_000 * MB],
  folderFiles: [10, 50_000],
  workspaceBytes: [MB, 1_000 * MB],
  workspaceFiles: [10, 50_000],
  logCalls: [100, 50_000],
  logBytes: [MB, 1_000 * MB],
  heapBytes: [128 * MB, 2_000 * MB],
} as const satisfies Partial<Record<keyof Limits, readonly [least: number, max: number]>>;

export type AdjustableLimit = keyof typeof adjustableLimits;
