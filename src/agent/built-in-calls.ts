/**
 * Sends calls to the built-in tools through the call path. Each call brings its own answer function, since the tools
 * read the session's state.
 */

import { failure } from '../call/results.ts';
import type { Dispatch } from '../spec/dispatch.ts';
import { errorText } from '../spec/error.ts';
import type { Json, JsonText } from '../spec/json.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { builtInNames } from './built-in-tools.ts';

/** Answers a call. Interceptors may have changed the arguments. */
export type BuiltInAnswer = (args: Json, text: JsonText) => ToolResult | Promise<ToolResult>;

export class BuiltInCalls {
  readonly #answers = new Map<string, BuiltInAnswer>();

  /** The tools to register. */
  readonly tools: readonly RegisteredTool[] = builtInNames.map(toolOf);

  /** How the registry runs the tools. */
  readonly dispatch: Dispatch = {
    run: (_, { name }, { id, arguments: args }, watch) => {
      const answer = this.#answers.get(id);
      const alone = `The tool ${name} can be called only by the model of a session.`;
      if (answer === undefined) return Promise.resolve(failure(`LookupError: ${alone}`, alone));
      watch.onStart();
      return answered(answer, args);
    },
    check: () => Promise.resolve(null),
    needsApproval: () => Promise.resolve(false),
  };

  /** Makes a call that is answered by `answer`. */
  async call(
    callId: string,
    answer: BuiltInAnswer,
    make: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    this.#answers.set(callId, answer);
    try {
      return await make();
    } finally {
      this.#answers.delete(callId);
    }
  }
}

async function answered(answer: BuiltInAnswer, args: JsonText): Promise<ToolResult> {
  try {
    return await answer(JSON.parse(args) as Json, args);
  } catch (thrown) {
    const why = errorText(thrown);
    return failure(`ValidationError: ${why}`, `The call failed: ${why}`);
  }
}

function toolOf(name: string): RegisteredTool {
  return {
    ...{ name, label: name, description: '', parameters: { type: 'object' } },
    source: { file: '', line: 1, column: null },
    handler: { kind: 'function', name, file: null, line: null },
    ...{ takesContext: false, timeout_s: 60, requires_approval: false, concurrency_safe: true },
    ...{ stateless: true, background_safe: true, interrupt: 'cancel', deferred: false },
    ...{ prompt_hint: '', prompt_guides: [], examples: [], returns: null, annotations: {} },
    ...{ hash: '', loadedAt: 0, state: 'ready' },
  };
}
