/** Runs the programs of a session's model, and logs the calls that they make. */

import { failure } from '../../runtime/call/results.ts';
import { savedNameTable } from '../../runtime/registry/provider-names.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import { asObject } from '../../runtime/spec/guards.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { ProgramOwner } from '../programs/nested-calls.ts';
import { programLimits } from '../programs/program-limits.ts';
import type { TurnDeps } from './deps.ts';

type ProgramDeps = Pick<TurnDeps, 'log' | 'calls' | 'selection' | 'programs'>;

/** Whether the session's model may write programs. */
export function hasPrograms({ log }: Pick<TurnDeps, 'log'>): boolean {
  return log.state.selection?.programs === true;
}

/** @param onStart called when the program starts */
export function runProgram(
  signal: AbortSignal,
  call: ToolCall,
  onStart: () => void,
  deps: ProgramDeps,
): Promise<ToolResult> {
  return deps.calls.call(signal, call, onStart, (args, _, callSignal, watch) => {
    // Recordings and sessions of earlier versions say `keep`, which models copy from them.
    const { code, keep, reuse_variables: reuse } = asObject(args);
    if (typeof code !== 'string')
      return failure('ValidationError: code must be a string', 'Pass the program as `code`.');
    const program = { call, code, keep: (reuse ?? keep) === true };
    return deps.programs.run(callSignal, program, ownerOf(call, deps), watch);
  });
}

function ownerOf({ id: parent, sessionId }: ToolCall, deps: ProgramDeps): ProgramOwner {
  const { log, calls, selection } = deps;
  const names = savedNameTable(log.state.selection?.names ?? []);
  let left: number = programLimits.loggedArgumentsChars;
  return {
    key: sessionId,
    session: sessionId,
    tools: (log.state.selection?.tools ?? []).map((tool) => ({
      ...tool,
      wire: names.toWire(tool.name),
      returns: selection.tool(tool.name)?.returns ?? null,
    })),
    call: (signal, nested) => calls.call(signal, nested),
    onBegan: ({ id: callId, tool, arguments: given }) => {
      const args = given.length <= left ? given : shorten(given);
      left -= args.length;
      log.append({ type: 'nested-began', callId, parent, tool, arguments: args });
    },
    onEnded: ({ id: callId }, result) => {
      log.append({ type: 'nested-ended', callId, parent, result: loggedResult(result) });
    },
  };
}

/** The result without its content, and with short texts. */
function loggedResult(result: ToolResult): ToolResult {
  const { traceback: _, frames: __, changes: ___, workspace: ____, error, ...rest } = result;
  return {
    ...rest,
    ...(error === undefined ? {} : { error: shorten(error) }),
    textResultForLlm: shorten(result.textResultForLlm),
    stdout: shorten(result.stdout),
    stderr: shorten(result.stderr),
    metadata: '{}',
    content: [],
    updates: [],
    log: [],
  };
}

function shorten(text: string): string {
  const { loggedChars } = programLimits;
  if (text.length <= loggedChars) return text;
  return `${text.slice(0, loggedChars).toWellFormed()} …`;
}
