/** Tools, results and problems for tests: complete values in which a test sets only what it is about. */

import type { LoggedCall, ToolCall } from '../../src/runtime/spec/call.ts';
import type { Problem } from '../../src/runtime/spec/folder.ts';
import type { ToolResult } from '../../src/runtime/spec/result.ts';
import type { RegisteredTool } from '../../src/runtime/spec/tool.ts';

export function sampleTool(over: Partial<RegisteredTool> = {}): RegisteredTool {
  const name = over.name ?? 'weather_tools:get_temperatures';
  const [module = '', handler = ''] = name.split(':');
  return {
    name,
    label: name,
    description: "Today's lowest and highest temperature for a location, in degrees Celsius.",
    parameters: {
      type: 'object',
      properties: { location: { type: 'string', description: 'City or region' } },
      required: ['location'],
    },
    source: { file: `${module}.py`, line: 8, column: 5 },
    handler: { kind: 'function', name: handler, file: `${module}.py`, line: 3 },
    takesContext: false,
    timeout_s: 60,
    requires_approval: false,
    concurrency_safe: true,
    stateless: false,
    background_safe: false,
    interrupt: 'cancel',
    deferred: false,
    prompt_hint: '',
    prompt_guides: [],
    examples: [],
    returns: null,
    annotations: {},
    hash: 'a'.repeat(64),
    loadedAt: 0,
    state: 'ready',
    ...over,
  };
}

export function sampleProblem(over: Partial<Problem> = {}): Problem {
  return {
    severity: 'error',
    code: 'missing-key',
    file: 'broken.py',
    line: 12,
    column: 5,
    message: "the tool spec has no 'description'",
    expected: 'a text that says what the tool does',
    hint: "Add 'description': '…' to the tool spec.",
    ...over,
  };
}

export function sampleCall(over: Partial<ToolCall> = {}): ToolCall {
  return {
    id: 'call-1',
    tool: 'weather_tools:get_temperatures',
    arguments: '{"location": "Oslo"}',
    caller: 'user',
    sessionId: '',
    sessionKey: '',
    turnId: '',
    agentId: '',
    validate: true,
    ...over,
  };
}

export function sampleResult(over: Partial<ToolResult> = {}): ToolResult {
  return {
    resultType: 'success',
    textResultForLlm: '{"min_c": 9, "max_c": 15}',
    content: [{ type: 'json', text: '{"min_c": 9, "max_c": 15}' }],
    isError: false,
    recoverable: false,
    metadata: '{}',
    updates: [],
    updatesDropped: 0,
    log: [],
    stdout: '',
    stderr: '',
    outputDropped: 0,
    durationMs: 38.4,
    interpreter: 'shared',
    stateLost: false,
    ...over,
  };
}

export function sampleLoggedCall(over: Partial<LoggedCall> = {}): LoggedCall {
  const call = over.call ?? sampleCall();
  return {
    id: call.id,
    at: 0,
    call,
    result: sampleResult(),
    folder: 'weather-tools',
    folderId: 'weather',
    cut: false,
    ...over,
  };
}
