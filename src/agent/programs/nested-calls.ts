/** The calls that one program makes. Each takes the call path, with the program's own call as its parent. */

import {
  type AskAnswer,
  type CallAsk,
  type CallClock,
  refusal,
} from '../../runtime/protocol/ask.ts';
import { failure } from '../../runtime/call/results.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import { programLimits } from './program-limits.ts';
import type { ProgramTool } from './tool-functions.ts';

/** The session or the user that a program runs for. */
export interface ProgramOwner {
  /** Programs with the same key can keep their variables. */
  readonly key: string;
  /** The session whose model writes the programs; empty if the user does. */
  readonly session: string;
  readonly tools: readonly ProgramTool[];
  /** Makes a call on the call path. Never rejects. */
  call(signal: AbortSignal, call: ToolCall): Promise<ToolResult>;
  /** Called when a program makes a call, and when it has ended: once each. */
  onBegan?(call: ToolCall): void;
  onEnded?(call: ToolCall, result: ToolResult): void;
}

export interface NestedCallsDeps {
  /** The program's own call. */
  readonly program: ToolCall;
  readonly owner: ProgramOwner;
  readonly clock: Pick<CallClock, 'progress'>;
  readonly newId: () => string;
  /** Ends the program, because it goes on after its calls are used up. */
  readonly stop: () => void;
}

export class NestedCalls {
  readonly #deps: NestedCallsDeps;
  readonly #names: ReadonlySet<string>;
  readonly #life = new AbortController();
  readonly #running = new Set<Promise<ToolResult>>();
  #count = 0;

  constructor(deps: NestedCallsDeps) {
    this.#deps = deps;
    this.#names = new Set(deps.owner.tools.map(({ name }) => name));
  }

  /** Makes a call. Never rejects. */
  async answer({ tool, arguments: args }: CallAsk): Promise<AskAnswer> {
    // @mutant a program calls nothing after its end => never [src/agent/programs/programs.test.ts]
    if (this.#life.signal.aborted) return refusal('ConnectionError', 'The program has ended.');
    this.#deps.clock.progress();
    this.#count += 1;
    const { calls, refusals } = programLimits;
    // @mutant the calls of a program are limited => this.#count > calls -> false [src/agent/programs/programs.test.ts]
    if (this.#count > calls) {
      if (this.#count > calls + refusals) this.#deps.stop();
      const max = calls.toLocaleString('en');
      return refusal('RuntimeError', `A program can make at most ${max} calls.`);
    }
    if (!this.#names.has(tool))
      return refusal('ValueError', `The session has no tool ${tool.slice(0, 200)}.`);
    const { program, owner, newId } = this.#deps;
    const { sessionId, sessionKey, turnId, agentId, id: parent } = program;
    const call: ToolCall = {
      id: newId(),
      tool,
      arguments: args,
      caller: 'program',
      parent,
      sessionId,
      sessionKey,
      turnId,
      agentId,
      validate: true,
    };
    owner.onBegan?.(call);
    const made = owner.call(this.#life.signal, call).catch((thrown: unknown) => {
      const why = errorText(thrown);
      return failure('crashed', `The call to ${tool} failed inside Cloche: ${why}`);
    });
    this.#running.add(made);
    const result = await made;
    this.#running.delete(made);
    owner.onEnded?.(call, result);
    this.#deps.clock.progress();
    return { answer: 'value', value: resultForProgram(tool, result) };
  }

  /** Cancels the calls that run, since the program has ended. */
  end(): void {
    this.#life.abort();
  }

  /** Resolves when all calls have ended. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** The result as JSON, for `program_tools.py`. */
function resultForProgram(tool: string, result: ToolResult): JsonText {
  const { content, isError, error = '', textResultForLlm } = result;
  if (isError) return JSON.stringify({ ok: false, error, message: textResultForLlm });
  const texts = content.map((part) => ('text' in part ? part.text : part.data));
  const chars = texts.reduce((sum, { length }) => sum + length, 0);
  const max = programLimits.resultChars;
  if (chars <= max) return JSON.stringify({ ok: true, parts: content });
  const why = `The result of ${tool} has ${chars.toLocaleString('en')} characters. A program can read ${max.toLocaleString('en')}.`;
  return JSON.stringify({ ok: false, error: 'limit', message: why });
}
