/** Log entries for tests. */

import type { LoggedCall } from '../spec/call.ts';
import type { ToolResult } from '../spec/result.ts';

/** A successful call, `n` milliseconds after the epoch. */
export function fakeLogged(
  n: number,
  result: Partial<ToolResult> = {},
  args = '{"city":"Oslo"}',
): LoggedCall {
  const id = `call-${n}`;
  return {
    id,
    at: n,
    call: {
      id,
      tool: 'weather:today',
      arguments: args,
      caller: 'person',
      sessionId: '',
      sessionKey: '',
      turnId: '',
      agentId: '',
      validate: true,
    },
    result: {
      resultType: 'success',
      textResultForLlm: 'sunny',
      content: [{ type: 'text', text: 'sunny' }],
      isError: false,
      recoverable: false,
      metadata: '{}',
      updates: [],
      updatesDropped: 0,
      log: [],
      stdout: '',
      stderr: '',
      outputDropped: 0,
      durationMs: 1,
      interpreter: 'one',
      stateLost: false,
      ...result,
    },
    folder: 'folder',
    folderId: 'folder-id',
    cut: false,
  };
}
