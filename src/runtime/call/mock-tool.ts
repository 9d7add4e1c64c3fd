/**
 * A mock tool and a mock context, for tests of code that calls tools, and of tools that extensions register.
 * `cloche_test.py` has the same for tools in Python.
 */

import type { KnownTool, RunWatch, ToolCall } from '../spec/call.ts';
import type { Json, JsonObject } from '../spec/json.ts';
import { plainTool } from '../spec/plain-tool.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { textResult } from './results.ts';

export interface MockToolOptions extends Partial<Omit<RegisteredTool, 'name' | 'returns'>> {
  /** The value that each call returns, or a function of the arguments. */
  readonly returns?: Json | ((args: JsonObject) => Json | Promise<Json>);
  /** The error of each call, `Type: message`, instead of a value. */
  readonly raises?: string;
  /** Values that each call streams first. */
  readonly updates?: readonly Json[];
}

export interface MockTool extends KnownTool {
  /** The arguments of each call, in order. */
  readonly calls: readonly JsonObject[];
}

/**
 * A tool that records its calls, as the registry knows it.
 * @param options what it returns or raises; other keys replace those of the tool
 */
export function mockTool(name = 'mock:tool', options: MockToolOptions = {}): MockTool {
  const { returns = null, raises, updates = [], ...keys } = options;
  const [module = '', handler = ''] = name.split(':');
  const file = `${module}.py`;
  const tool = plainTool(name, {
    description: 'A mock tool.',
    source: { file, line: 1, column: 1 },
    handler: { kind: 'function', name: handler, file, line: 1 },
    ...keys,
  });
  const calls: JsonObject[] = [];
  return {
    tool,
    origin: 'extension',
    calls,
    dispatch: {
      check: () => Promise.resolve(null),
      needsApproval: () => Promise.resolve(tool.requires_approval !== false),
      async run(signal, _, call, watch) {
        const args = JSON.parse(call.arguments) as JsonObject;
        calls.push(args);
        watch.onStart();
        const streamed = updates.map((value, n) => ({ n, json: JSON.stringify(value) }));
        if (streamed.length > 0)
          watch.onStream({ updates: streamed, dropped: 0, out: '', err: '', log: [] });
        const ended = { ...empty, updates: streamed };
        if (signal.aborted) return { ...ended, error: 'cancelled', textResultForLlm: 'Cancelled' };
        if (raises !== undefined) return { ...ended, error: raises, textResultForLlm: raises };
        const value = typeof returns === 'function' ? await returns(args) : returns;
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        return {
          ...ended,
          resultType: 'success',
          isError: false,
          textResultForLlm: text,
          content: [{ type: typeof value === 'string' ? 'text' : 'json', text }],
        };
      },
    },
  };
}

export interface MockContext {
  readonly signal: AbortSignal;
  readonly call: ToolCall;
  readonly watch: RunWatch;
  readonly started: boolean;
  readonly updates: readonly Json[];
  readonly logs: readonly (readonly [level: string, message: string])[];
  readonly output: string;
  abort(): void;
}

/**
 * Creates what a tool's `run` receives after the tool: a call, a signal, and a watch that records.
 * @param args the call's arguments
 * @param call replaces parts of the call, such as its session
 */
export function mockContext(args: JsonObject = {}, call: Partial<ToolCall> = {}): MockContext {
  const controller = new AbortController();
  const recorded = {
    started: false,
    updates: [] as Json[],
    logs: [] as [string, string][],
    output: '',
  };
  return {
    signal: controller.signal,
    call: {
      id: 'mock-call',
      tool: 'mock:tool',
      arguments: JSON.stringify(args),
      caller: 'test',
      sessionId: '',
      sessionKey: '',
      turnId: '',
      agentId: '',
      validate: true,
      ...call,
    },
    watch: {
      onStart() {
        recorded.started = true;
      },
      onStream({ updates, log, out, err }) {
        for (const { json } of updates) recorded.updates.push(JSON.parse(json) as Json);
        for (const { level, message } of log) recorded.logs.push([level, message]);
        recorded.output += out + err;
      },
    },
    get started() {
      return recorded.started;
    },
    get updates() {
      return recorded.updates;
    },
    get logs() {
      return recorded.logs;
    },
    get output() {
      return recorded.output;
    },
    abort() {
      controller.abort();
    },
  };
}

/** A failure without text. */
const empty: ToolResult = { ...textResult(''), resultType: 'failure', isError: true };
