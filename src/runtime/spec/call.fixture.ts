/** Sample calls for tests. */

import type { ToolCall } from './call.ts';

/** A call to the tool `t:f` by the user. */
export function toolCall(id: string, change: Partial<ToolCall> = {}): ToolCall {
  return {
    id,
    tool: 't:f',
    arguments: '{}',
    caller: 'person',
    sessionId: '',
    sessionKey: '',
    turnId: '',
    agentId: '',
    validate: true,
    ...change,
  };
}
