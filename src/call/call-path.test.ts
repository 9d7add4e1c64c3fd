/** The one way to run a tool: its order, its refusals, its events, its log. */

import { describe, expect, it } from 'vitest';
import { createInterceptors } from '../hooks/intercept.ts';
import type { CallEvent, ToolCall } from '../spec/call.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { CallPath, type CallEffects } from './call-path.ts';
import { failure } from './results.ts';
import type { Run } from './run.ts';

const signal = new AbortController().signal;
const stream = { updates: [], dropped: 0, out: 'hello', err: '', log: [] };
const done: ToolResult = { ...failure('', 'ok'), resultType: 'success', isError: false };

const call: ToolCall = {
  id: 'c1',
  tool: 'm:f',
  arguments: '{"n": 1}',
  caller: 'person',
  sessionId: '',
  sessionKey: '',
  turnId: '',
  agentId: '',
  validate: true,
};

function path(change: Partial<CallEffects> = {}): {
  calls: CallPath;
  events: CallEvent[];
  logged: unknown[];
} {
  const logged: unknown[] = [];
  const calls = new CallPath({
    lookup: (name) => (name === 'm:f' ? ({ name } as RegisteredTool) : undefined),
    selected: () => true,
    interceptors: createInterceptors(),
    run: (_, __, ___, watch) => {
      watch.onStart();
      watch.onStream(stream);
      return Promise.resolve(done);
    },
    begin: (call) => ({
      admitted: null,
      end: (...ended) => logged.push([call, ...ended]),
    }),
    now: () => 5,
    limits: defaultLimits,
    report: () => undefined,
    ...change,
  });
  const events: CallEvent[] = [];
  calls.observe((event) => events.push(event));
  return { calls, events, logged };
}

describe('the call path', () => {
  it('runs, tells and logs', async () => {
    const { calls, events, logged } = path();
    const streams: unknown[] = [];
    const result = await calls.call(signal, call, (batch) => streams.push(batch));
    expect(result).toBe(done);
    expect(streams).toEqual([stream]);
    expect(events).toEqual([
      { type: 'call-queued', call, at: 5 },
      { type: 'call-started', callId: 'c1', at: 5 },
      { type: 'call-stream', callId: 'c1', stream },
      { type: 'call-ended', call, result: done, at: 5 },
    ]);
    expect(logged).toEqual([[call, done, 5, call.arguments]]);
    expect(calls.running).toEqual([]);
  });

  it.each<[string, Partial<CallEffects>, Partial<ToolCall>, string]>([
    ['an unknown tool', {}, { tool: 'm:g' }, 'LookupError: there is no tool m:g'],
    [
      'a tool that is not selected',
      { selected: () => false },
      {},
      'LookupError: m:f is not selected in this session',
    ],
    [
      'arguments that are no object',
      {},
      { arguments: '[1]' },
      'ValidationError: the arguments are not a JSON object',
    ],
    [
      'arguments past the limit',
      { limits: { ...defaultLimits, valueChars: 3 } },
      {},
      'ValidationError: the arguments have 8 characters, more than the limit of 3',
    ],
  ])('refuses %s, and logs the refusal', async (_, effects, change, error) => {
    const { calls, logged } = path(effects);
    const result = await calls.call(signal, { ...call, ...change });
    expect(result).toMatchObject({ resultType: 'failure', isError: true, error });
    expect(logged).toHaveLength(1);
  });

  it('tells what the person answered, and logs what it ran with because of it', async () => {
    const answer = { approval: 'once', reason: '', arguments: '{"n": 2}' } as const;
    const { calls, events, logged } = path({
      run: (_, __, ___, watch) => {
        watch.onAnswer(answer);
        return Promise.resolve(done);
      },
    });
    await calls.call(signal, call);
    expect(events[1]).toEqual({
      ...{ type: 'call-answered', callId: 'c1', tool: call.tool, answer },
    });
    expect(logged).toEqual([[call, done, 5, '{"n": 2}']]);
  });

  it('goes through the interceptors, which may change the call and its result', async () => {
    const interceptors: CallEffects['interceptors'] = createInterceptors();
    const ran: string[] = [];
    const run: Run = (_, __, admitted) => {
      ran.push(admitted.arguments);
      return Promise.resolve(done);
    };
    interceptors.intercept(0, async (inner, next) => ({
      ...(await next({ ...inner, arguments: '{"n": 2}' })),
      textResultForLlm: 'changed',
    }));
    const result = await path({ interceptors, run }).calls.call(signal, call);
    expect(ran).toEqual(['{"n": 2}']);
    expect(result.textResultForLlm).toBe('changed');
  });

  it('tells about which tool the person was asked, where an interceptor has changed it', async () => {
    const interceptors: CallEffects['interceptors'] = createInterceptors();
    interceptors.intercept(0, (inner, next) => next({ ...inner, tool: 'm:g' }));
    const answer = { approval: 'session', reason: '' } as const;
    const { calls, events } = path({
      interceptors,
      lookup: (name) => ({ name }) as RegisteredTool,
      run: (_, __, ___, watch) => {
        watch.onAnswer(answer);
        return Promise.resolve(done);
      },
    });
    await calls.call(signal, call);
    expect(events[1]).toEqual({ type: 'call-answered', callId: 'c1', tool: 'm:g', answer });
  });

  it('refuses a tool that an interceptor has put in, and the session may not use', async () => {
    const interceptors: CallEffects['interceptors'] = createInterceptors();
    interceptors.intercept(0, (inner, next) => next({ ...inner, tool: 'm:g' }));
    const ran: string[] = [];
    const { calls } = path({
      interceptors,
      lookup: (name) => ({ name }) as RegisteredTool,
      selected: (_, name) => name === call.tool,
      run: (_, tool) => {
        ran.push(tool.name);
        return Promise.resolve(done);
      },
    });
    const result = await calls.call(signal, call);
    expect(result.error).toBe('LookupError: m:g is not selected in this session');
    expect(ran).toEqual([]);
  });

  it('refuses when an interceptor fails', async () => {
    const interceptors: CallEffects['interceptors'] = createInterceptors();
    interceptors.intercept(0, () => Promise.reject(new Error('guard broke')));
    const result = await path({ interceptors }).calls.call(signal, call);
    expect(result.error).toBe('InterceptorError: guard broke');
  });

  it('cancels one call, or all', async () => {
    const aborted: string[] = [];
    const run: Run = (stop, _, { id }) =>
      new Promise((resolve) => {
        stop.addEventListener('abort', () => {
          aborted.push(id);
          resolve(failure('cancelled', ''));
        });
      });
    const { calls } = path({ run });
    const ended = [calls.call(signal, call), calls.call(signal, { ...call, id: 'c2' })];
    await Promise.resolve();
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
