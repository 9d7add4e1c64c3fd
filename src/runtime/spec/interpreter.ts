/** An interpreter as the user sees it, and the snapshot from which Python starts faster than from its files. */

/** Purpose of an interpreter. `helper`: runs `stateless` calls of any session; `spare`: started in advance, for the next session that needs one; `program`: runs programs that call tools. */
export type InterpreterRole = 'session' | 'helper' | 'spare' | 'program';

/** The name, in place of a session's, of the interpreter that compiles the expressions of plans and holds no state. */
export const planExpressions = 'plan-expressions';

/** `ending`: replaced in its session, and waits for a running call that must not be interrupted. */
export type InterpreterState = 'starting' | 'ready' | 'busy' | 'ending';

export interface InterpreterView {
  /** A label such as `python-3`, unique until the page is closed; empty while it starts. */
  readonly name: string;
  readonly role: InterpreterRole;
  /** Session whose state it holds; empty if it holds none, or serves calls without a session. */
  readonly sessionId: string;
  readonly state: InterpreterState;
  /** Tools whose calls it runs, oldest first, or the file that it imports. */
  readonly busyWith: readonly string[];
  /** Number of calls that wait for it. */
  readonly waiting: number;
  /** Whether the session has lost Python state, with an earlier interpreter that was terminated. */
  readonly stateLost: boolean;
}

/**
 * Python's memory after it has imported the loader and before any tool code, in a format of the tool worker. It comes
 * from a sandbox, so the page checks its size and hash, and does not parse it.
 */
export interface MemorySnapshot {
  /** Key of everything that the snapshot depends on. */
  readonly key: string;
  readonly content: Blob;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Limit of a snapshot's size in bytes; it has about 15 MB. The same limit applies to compiled packages. */
export const maxSnapshotBytes = 64 * 1024 * 1024;

/** Stores one snapshot between visits. */
export interface SnapshotStore {
  /** Null if there is none, or the record is invalid. The caller checks the key and the hash. */
  read(): Promise<MemorySnapshot | null>;
  /** Replaces the snapshot. @throws if storage is blocked or full; then none is stored */
  write(snapshot: MemorySnapshot): Promise<void>;
  clear(): Promise<void>;
  bytes(): Promise<number>;
}
