/** An interpreter as the user sees it. */

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
