/** The only way to run a tool: its order, refusals, events and log entries. */

import { describe, expect, it, vi } from 'vitest';
import { noDispatch } from '../registry/dispatch.fixture.ts';
import type { CallEvent, KnownTool, Run, ToolCall } from '../spec/call.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { CallPath, type CallPathDeps } from './call-path.ts';
import { CallInterceptors } from './interceptors.ts';
import { noMask } from './output-mask.fixture.ts';
import { outputMask } from './output-mask.ts';
import { failure } from './results.ts';

const signal = new AbortController().signal;
const stream = { updates: [], dropped: 0, out: 'hello', err: '', log: [] };
const done: ToolResult = { ...failure('', 'ok'), resultType: 'success', isError: false };

const call: ToolCall = {
  id: 'c1',
  tool: 'm:f',
  arguments: '{"n": 1}',
  caller: 'user',
  sessionId: '',
  sessionKey: '',
  turnId: '',
  agentId: '',
  validate: true,
};

const fromModel: ToolCall = { ...call, caller: 'model' };
const interceptor = { name: 'test', priority: 0 };

const started: Run = (_, __, ___, watch) => {
  watch.onStart();
  watch.onStream(stream);
  return Promise.resolve(done);
};

function knownTool(name: string, run = started): KnownTool {
  const tool = { name } as RegisteredTool;
  return { tool, origin: 'folder', dispatch: { ...noDispatch, run } };
}

function path({ run, ...change }: Partial<CallPathDeps> & { readonly run?: Run } = {}) {
  const logged: unknown[] = [];
  const interceptors = new CallInterceptors(defaultLimits);
  const calls = new CallPath({
    registry: { lookup: (name) => (name === 'm:f' ? knownTool(name, run) : undefined) },
    selected: () => true,
    interceptors,
    isApproved: ({ caller }) => caller === 'user',
    approve: () => Promise.resolve({ answer: null, refusal: null }),
    outputMask: noMask,
    begin: (call) => ({
      accepted: null,
      end: (...ended) => logged.push([call, ...ended]),
    }),
    now: () => 5,
    limits: defaultLimits,
    report: () => undefined,
    ...change,
  });
  const events: CallEvent[] = [];
  calls.observe((event) => events.push(event));
  return { calls, events, logged, interceptors };
}

describe('the call path', () => {
  it('masks the keys of the folder in the output of a tool, and in a result that an interceptor has changed', async () => {
    const key = 'sk-very-secret-17';
    const told = { ...done, textResultForLlm: `key ${key}` };
    const { calls, events, logged, interceptors } = path({
      run: (_, __, ___, watch) => {
        watch.onStart();
        watch.onStream({ ...stream, out: `${key}\n` });
        return Promise.resolve(told);
      },
      outputMask: () => Promise.resolve(outputMask(() => [key])),
    });
    const masked = `key ${'*'.repeat(key.length)}`;
    const seen: string[] = [];
    let isChanging = false;
    interceptors.register({
      ...interceptor,
      after: (_, __, { textResultForLlm }) => {
        seen.push(textResultForLlm);
        return isChanging ? { textResultForLlm: told.textResultForLlm } : {};
      },
    });
    for (isChanging of [false, true])
      expect((await calls.call(signal, call)).textResultForLlm).toBe(masked);
    expect(seen).toEqual([masked, masked]);
    expect(events.filter(({ type }) => type === 'call-stream')).toHaveLength(2);
    expect(JSON.stringify([events, logged])).not.toContain(key);
  });

  it.each([[[]], [['sk-very-secret-17']]])(
    'goes on if a caller throws at what is streamed, with the keys %j',
    async (keys) => {
      const report = vi.fn();
      const mask = outputMask(() => keys);
      const { calls, events } = path({ report, outputMask: () => Promise.resolve(mask) });
      const failing = (): never => {
        throw new Error('The listener is broken.');
      };
      const watch = { onStart: failing, onStream: failing };
      expect(await calls.call(signal, call, watch)).toEqual(done);
      expect(events).toHaveLength(4);
      expect(report).toHaveBeenCalledTimes(2);
    },
  );

  it('runs the call, emits its events and logs it', async () => {
    const { calls, events, logged } = path();
    const streams: unknown[] = [];
    const result = await calls.call(signal, call, {
      onStart: () => streams.push('started'),
      onStream: (batch) => streams.push(batch),
    });
    expect(result).toBe(done);
    expect(streams).toEqual(['started', stream]);
    expect(events).toEqual([
      { type: 'call-queued', call, at: 5 },
      { type: 'call-started', callId: 'c1', at: 5 },
      { type: 'call-stream', callId: 'c1', stream },
      { type: 'call-ended', call, result: done, at: 5 },
    ]);
    expect(logged).toEqual([[call, done, 5, call.arguments]]);
    expect(calls.running).toEqual([]);
  });

  it.each<[string, Partial<CallPathDeps>, Partial<ToolCall>, string]>([
    ['an unknown tool', {}, { tool: 'm:g' }, 'LookupError: there is no tool m:g'],
    [
      'a tool that is not selected',
      { selected: () => false },
      {},
      'LookupError: m:f is not selected in this session',
    ],
    [
      'arguments that are not an object',
      {},
      { arguments: '[1]' },
      'ValidationError: the arguments are not a JSON object',
    ],
    [
      'arguments over the limit',
      { limits: { ...defaultLimits, valueChars: 3 } },
      {},
      'ValidationError: the arguments have 8 characters, more than the limit of 3',
    ],
  ])('refuses %s, and logs the refusal', async (_, deps, change, error) => {
    const { calls, logged } = path(deps);
    const result = await calls.call(signal, { ...call, ...change });
    expect(result).toMatchObject({ resultType: 'failure', isError: true, error });
    expect(logged).toHaveLength(1);
  });

  it('refuses calls while as many as allowed are running, and logs the refusals', async () => {
    const limits = { ...defaultLimits, callsAtOnce: 1 };
    const { calls, logged } = path({ limits });
    const first = calls.call(signal, call);
    expect(calls.isFull).toBe(true);
    expect(await calls.call(signal, { ...call, id: 'c2' })).toMatchObject({
      resultType: 'failure',
      error: 'BusyError: 1 calls are running or waiting',
    });
    expect(await first).toBe(done);
    expect(await calls.call(signal, { ...call, id: 'c3' })).toBe(done);
    expect(logged).toHaveLength(3);
  });

  it('logs calls that their caller has refused', async () => {
    const { calls, events, logged } = path();
    const refusal = failure('LookupError: there is no tool', 'There is no such tool.');
    await calls.refuse(call, refusal);
    expect(events.map(({ type }) => type)).toEqual(['call-queued', 'call-ended']);
    expect(logged).toEqual([[call, refusal, 5, call.arguments]]);
  });

  it('asks for approval after the interceptors, and runs the call with the user’s arguments', async () => {
    const answer = { approval: 'once', reason: '', arguments: '{"n": 3}' } as const;
    const seen: string[] = [];
    const { calls, events, logged, interceptors } = path({
      approve: (_, __, { arguments: args }) => {
        seen.push(`asked ${args}`);
        return Promise.resolve({ answer, refusal: null });
      },
      run: (_, __, { arguments: args }) => {
        seen.push(`ran ${args}`);
        return Promise.resolve(done);
      },
    });
    interceptors.register({ ...interceptor, before: () => ({ arguments: '{"n": 2}' }) });
    await calls.call(signal, fromModel);
    expect(seen).toEqual(['asked {"n": 2}', 'ran {"n": 3}']);
    expect(events[1]).toEqual({ type: 'call-answered', callId: 'c1', tool: call.tool, answer });
    const changes = [
      { by: 'test', what: 'arguments', before: '{"n": 1}', after: '{"n": 2}' },
      { what: 'arguments', before: '{"n": 2}', after: '{"n": 3}' },
    ];
    expect(logged).toEqual([[fromModel, { ...done, changes }, 5, '{"n": 3}']]);
  });

  it('notes that a call waits for approval, and runs it only once the end of that is noted', async () => {
    const order: string[] = [];
    const { calls } = path({
      approve: () => {
        order.push('asked');
        return Promise.resolve({ answer: null, refusal: null });
      },
      begin: () => ({
        accepted: null,
        approving: (approval) => {
          order.push(approval);
          return approval === 'waiting'
            ? null
            : Promise.resolve().then(() => void order.push('recorded'));
        },
        end: () => undefined,
      }),
      run: () => {
        order.push('runs');
        return Promise.resolve(done);
      },
    });
    await calls.call(signal, { ...call, caller: 'model' });
    expect(order).toEqual(['waiting', 'asked', 'given', 'recorded', 'runs']);
  });

  it('does not run what the user refuses, and asks for no approval of the user’s own calls', async () => {
    const refusal = failure('approval_required', 'No.');
    const asked: string[] = [];
    const { calls } = path({
      approve: (_, __, { caller }) => {
        asked.push(caller);
        return Promise.resolve({ answer: null, refusal });
      },
    });
    expect(await calls.call(signal, fromModel)).toBe(refusal);
    expect(await calls.call(signal, call)).toBe(done);
    expect(asked).toEqual(['model']);
  });

  it('looks the tool up again after the interceptors, which may take long', async () => {
    const known = new Set(['m:f']);
    const { calls, interceptors } = path({
      registry: { lookup: (name) => (known.has(name) ? knownTool(name) : undefined) },
    });
    const before = (): null => {
      known.clear();
      return null;
    };
    interceptors.register({ ...interceptor, before });
    expect((await calls.call(signal, call)).error).toBe('LookupError: there is no tool m:f');
  });

  it('returns a failure if the dispatch throws', async () => {
    const { calls } = path({ run: () => Promise.reject(new Error('No tools folder is open')) });
    expect(await calls.call(signal, call)).toMatchObject({
      error: 'Error: No tools folder is open',
      textResultForLlm: 'The call to m:f failed: No tools folder is open',
    });
  });

  it('cancels one call, or all', async () => {
    const aborted: string[] = [];
    let started = 0;
    const run: Run = (stop, _, { id }) =>
      new Promise((resolve) => {
        started += 1;
        stop.addEventListener('abort', () => {
          aborted.push(id);
          resolve(failure('cancelled', ''));
        });
      });
    const { calls } = path({ run });
    const ended = [calls.call(signal, call), calls.call(signal, { ...call, id: 'c2' })];
    await vi.waitUntil(() => started === 2);
    expect(calls.running.map(({ id }) => id)).toEqual(['c1', 'c2']);
    expect(calls.cancel('c2')).toBe(true);
    expect(calls.cancel('unknown')).toBe(false);
    calls.cancelAll();
    expect((await Promise.all(ended)).map(({ error }) => error)).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect(aborted).toEqual(['c2', 'c1']);
  });
});
