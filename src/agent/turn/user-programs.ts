/** Programs that the user writes, for the tools of a session or of the open folder. */

import type { CallPath } from '../../runtime/call/call-path.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import { runPython } from '../../runtime/spec/tool.ts';
import { newCall, type ToolCall } from '../../runtime/spec/call.ts';
import type { Programs } from '../programs/programs.ts';
import { toolFunctions, type ProgramTool, type ToolFunction } from '../programs/tool-functions.ts';
import type { BuiltInCalls } from './built-in-tools.ts';
import type { LiveSessions } from './live-sessions.ts';

export interface UserProgram {
  readonly code: string;
  /** Whether it starts with the variables of the program before it. */
  readonly keep: boolean;
  /** The session whose tools and Python it uses, if its tools are locked; null for the open folder's. */
  readonly session: string | null;
}

export interface UserProgramsDeps {
  readonly calls: Pick<CallPath, 'call'>;
  readonly builtIn: Pick<BuiltInCalls, 'call'>;
  readonly programs: Pick<Programs, 'run'>;
  readonly registry: Pick<Registry, 'list' | 'get'>;
  readonly sessions: Pick<LiveSessions, 'opened'>;
}

export class UserPrograms {
  readonly #deps: UserProgramsDeps;

  constructor(deps: UserProgramsDeps) {
    this.#deps = deps;
  }

  /** The functions that a program can call. */
  functions(session: string | null): readonly ToolFunction[] {
    return toolFunctions(this.#tools(session));
  }

  /** Makes the call that runs a program. */
  callOf({ code, keep, session }: UserProgram): ToolCall {
    const args = JSON.stringify({ code, reuse_variables: keep });
    const opened = session === null ? undefined : this.#deps.sessions.opened(session);
    if (session === null || !opened?.state.selection) return newCall('user', runPython, args);
    return newCall('user', runPython, args, { sessionId: session, sessionKey: session });
  }

  /** Runs a program, whose call the log has like any other. */
  async run(signal: AbortSignal, call: ToolCall, { code, keep }: UserProgram): Promise<void> {
    const { calls, builtIn, programs } = this.#deps;
    const owner = {
      key: `user ${call.sessionId}`,
      session: '',
      tools: this.#tools(call.sessionId),
      call: (ends: AbortSignal, nested: ToolCall) => calls.call(ends, nested),
    };
    // The call path makes the call of `run_python`, a tool of Cloche itself, and that tool answers with the program.
    await builtIn.call(
      call.id,
      (_, __, ends, watch) => programs.run(ends, { call, code, keep }, owner, watch),
      () => calls.call(signal, call),
    );
  }

  #tools(session: string | null): readonly ProgramTool[] {
    const { registry, sessions } = this.#deps;
    const locked = sessions.opened(session ?? '')?.state.selection ?? null;
    if (locked === null) return registry.list();
    return locked.tools.map((tool) => ({
      ...tool,
      returns: registry.get(tool.name)?.returns ?? null,
    }));
  }
}
