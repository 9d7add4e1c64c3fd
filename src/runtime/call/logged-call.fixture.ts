/** Log entries and results for tests. */

import { newCall, type LoggedCall } from '../spec/call.ts';
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
    call: newCall('user', 'weather:today', args, { id }),
    result: fakeSuccess('sunny', result),
    folder: 'folder',
    folderId: 'folder-id',
    cut: false,
  };
}

/** The result of a call that succeeded with a text. */
export function fakeSuccess(text: string, more: Partial<ToolResult> = {}): ToolResult {
  return {
    resultType: 'success',
    textResultForLlm: text,
    content: [{ type: 'text', text }],
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
    ...more,
  };
}
