/** Every limit of Cloche with its default, in one place. */

export interface Limits {
  /** A call's absolute time, where its tool says nothing else; milliseconds. */
  readonly callMs: number;
  /** A call without an update or a line of output, where its tool may take longer at all; milliseconds. */
  readonly idleMs: number;
  /** One answer of an interceptor about a call; milliseconds. */
  readonly interceptorMs: number;
  /** The import of one tool file; milliseconds. */
  readonly importMs: number;
  /** From asking for an interpreter to Python being ready; milliseconds. */
  readonly startMs: number;
  /** The same where Python goes on from a snapshot; after that it is started from its files. Milliseconds. */
  readonly restoreMs: number;
  /** One argument object or one result; characters of its text. */
  readonly valueChars: number;
  /** One file of a tools folder; bytes. */
  readonly fileBytes: number;
  /** All files of a tools folder; bytes. */
  readonly folderBytes: number;
  /** Files of a tools folder. */
  readonly folderFiles: number;
  /** All files of a workspace; bytes. */
  readonly workspaceBytes: number;
  /** Files of a workspace. */
  readonly workspaceFiles: number;
  /** Folders inside folders. */
  readonly folderDepth: number;
  /** Folders that are remembered; the one that was not opened for longest goes first. */
  readonly knownFolders: number;
  /** Calls kept in the log. */
  readonly logCalls: number;
  /** The log as a whole; bytes, about. */
  readonly logBytes: number;
  /** Printed output kept of one call; characters. */
  readonly outputChars: number;
  /** Updates kept of one call; later ones are merged into the latest. */
  readonly updates: number;
  /** Python's heap in one interpreter; bytes. */
  readonly heapBytes: number;
  /** What one tool file may report about its tools; characters. */
  readonly reportChars: number;
  /** One event of a session; characters of its JSON. */
  readonly eventChars: number;
  /** The file of a session that is imported; bytes. */
  readonly sessionFileBytes: number;
  /** Sessions that a search finds. */
  readonly foundSessions: number;
  /** From asking a model to the first sign of an answer: a local one may have to be loaded. Milliseconds. */
  readonly modelFirstMs: number;
  /** Silence within an answer: some say nothing while they reason. Milliseconds. */
  readonly modelIdleMs: number;
  /** One answer of a model, or one list of models; bytes. */
  readonly modelAnswerBytes: number;
  /** Models of one provider. */
  readonly models: number;
}

const MB = 1024 * 1024;

/** The limits of section 11 of the feature list, and those that follow from them. */
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
