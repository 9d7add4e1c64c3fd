/** The calls of one session: makes them on the call path, and answers those to built-in tools. */

import type { SessionLog } from '../session/log/session-log.ts';
import type { CallPath } from '../../runtime/call/call-path.ts';
import { failure } from '../../runtime/call/results.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { BuiltInAnswer, BuiltInCalls } from './built-in-tools.ts';

export interface SessionCallsDeps {
  readonly calls: Pick<CallPath, 'call' | 'refuse'>;
  readonly builtIn: Pick<BuiltInCalls, 'call'>;
}

export class SessionCalls {
  readonly #log: Pick<SessionLog, 'state' | 'written' | 'isInStore'>;
  readonly #deps: SessionCallsDeps;

  constructor(log: Pick<SessionLog, 'state' | 'written' | 'isInStore'>, deps: SessionCallsDeps) {
    this.#log = log;
    this.#deps = deps;
  }

  /** Logs a call that was refused before it ran. */
  refuse(call: ToolCall, result: ToolResult): void {
    void this.#deps.calls.refuse(call, result);
  }

  /**
   * Runs a tool. Never rejects.
   *
   * Calls of sub-agents wait until the log of their session is stored, so that none is repeated after a crash. Calls
   * to built-in tools have no effect outside the session, and do not wait; programs do.
   * @param onStart called when the call starts, after the user's approval; absent for built-in tools without effect
   * @param answer answers the call to a built-in tool
   */
  async call(
    signal: AbortSignal,
    call: ToolCall,
    onStart?: () => void,
    answer?: BuiltInAnswer,
  ): Promise<ToolResult> {
    const { calls, builtIn } = this.#deps;
    const hasEffect = answer === undefined || onStart !== undefined;
    if (hasEffect && this.#log.state.task !== null) {
      await this.#log.written();
      if (!this.#log.isInStore)
        return failure(
          'cancelled',
          `The call to ${call.tool} was not run: the browser could not store the session, so a later visit would not know of it.`,
        );
    }
    const make = (): Promise<ToolResult> =>
      calls.call(signal, call, onStart === undefined ? {} : { onStart });
    return answer === undefined ? make() : builtIn.call(call.id, answer, make);
  }
}
