/** Sample calls for tests. */

import { newCall, type ToolCall } from './call.ts';

/** A call to the tool `t:f` by the user. */
export function toolCall(id: string, change: Partial<ToolCall> = {}): ToolCall {
  return newCall('user', 't:f', '{}', { id, ...change });
}
