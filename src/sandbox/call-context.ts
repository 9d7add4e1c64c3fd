/** What a handler is told of the call that it serves. */

import type { ToolCall } from '../spec/call.ts';
import type { JsonText } from '../spec/json.ts';
import type { WorkspaceContext } from '../workspace/visit.ts';

/** @param network the origins that the tool may reach now */
export function callContext(
  call: ToolCall,
  network: readonly string[],
  workspace: WorkspaceContext | null = null,
): JsonText {
  return JSON.stringify({
    session_id: call.sessionId,
    session_key: call.sessionKey,
    turn_id: call.turnId,
    call_id: call.id,
    agent_id: call.agentId,
    workspace_path: workspace?.path,
    sandbox: { network, workspace: workspace && granted(workspace), packages: [] },
  });
}

function granted({ name, writing }: WorkspaceContext): { name: string; writing: string } {
  return { name, writing };
}
