/** Asks the person before a call runs whose tool requires approval; pressing Run is consent already. */

import { endingText, failure } from '../call/results.ts';
import type { ToolCall } from '../spec/call.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { whyNot } from './open-host.ts';
import type { Questions } from './questions.ts';

/** How long the person may take; milliseconds. */
const answerMs = 60_000;

type DecideApproval = (
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
) => Promise<boolean>;

/** Null: the call may run; else its result. Never rejects. */
export type Approve = (
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  decide: DecideApproval,
) => Promise<ToolResult | null>;

/**
 * @param decide asks the tool file where its spec has a callable; where that fails, approval is needed
 * @returns null: it may run; else its result. Never rejects
 */
export async function approveCall(
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  questions: Questions,
  decide: DecideApproval,
): Promise<ToolResult | null> {
  if (call.caller === 'person' || tool.requires_approval === false) return null;
  if (tool.requires_approval === 'callable') {
    const needed = await decide(signal, tool, call).catch(() => true);
    if (!needed) return null;
  }
  const answered = await questions.ask(
    signal,
    {
      kind: 'call',
      tool: tool.name,
      file: tool.source.file,
      callId: call.id,
      caller: call.caller,
      arguments: call.arguments,
    },
    answerMs,
  );
  if (answered.reply === 'once') return null;
  const ending = signal.aborted ? 'cancelled' : 'approval_required';
  return failure(ending, endingText(ending, tool.name, whyNot(answered)));
}
