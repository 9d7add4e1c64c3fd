/** Tools that the pool's tests call. */

import { fakeTool } from '../scan/tool.fixture.ts';
import type { RegisteredTool } from '../spec/tool.ts';

export interface FakeTool {
  kind?: RegisteredTool['handler']['kind'];
  safe?: RegisteredTool['concurrency_safe'];
  stateless?: boolean;
  interrupt?: RegisteredTool['interrupt'];
  timeout_s?: number;
}

/** Returns a tool of the file t.py. */
export function registered(tool: FakeTool): RegisteredTool {
  const { kind = 'function', safe = true, stateless = false, interrupt = 'cancel' } = tool;
  return {
    ...fakeTool('t:f'),
    handler: { kind, name: 'f', file: 't.py', line: 1 },
    concurrency_safe: safe,
    stateless,
    interrupt,
    timeout_s: tool.timeout_s ?? 60,
    hash: '',
    loadedAt: 0,
    state: 'ready',
  };
}
