/** An interpreter as the person sees it. */

/** What an interpreter is there for: a session, `stateless` calls of any session, or to take the place of another. */
export type InterpreterRole = 'session' | 'helper' | 'spare';

/** `ending`: its session has another one already; it is waited for, because a call in it must not be cut off. */
export type InterpreterState = 'starting' | 'ready' | 'busy' | 'ending';

export interface InterpreterView {
  /** Unique while the page lives; a label such as `python-3`, empty while it starts. */
  readonly name: string;
  readonly role: InterpreterRole;
  /** Whose state it holds; empty: the calls without a session, and whatever is no session's. */
  readonly sessionId: string;
  readonly state: InterpreterState;
  /** Tools whose calls it is busy with, or the file that it imports; oldest first. */
  readonly busyWith: readonly string[];
  /** Calls that wait for it. */
  readonly waiting: number;
  /** The session lost Python state earlier, with an interpreter that had to be ended. */
  readonly stateLost: boolean;
}
