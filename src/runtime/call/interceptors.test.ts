/** Interceptors: what they can change, what they cannot, and how they fail. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toolCall } from '../spec/call.fixture.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { CallChange, ToolResult } from '../spec/result.ts';
import type { CallInterceptor, CallView } from './intercepted-call.ts';
import { CallInterceptors } from './interceptors.ts';
import { failure } from './results.ts';

const { signal } = new AbortController();
const call = { ...toolCall('c'), arguments: '{"n": 1}' };
const { error: _, ...empty } = failure('', 'done', { interpreter: 'python-1', durationMs: 7 });
const done: ToolResult = { ...empty, resultType: 'success', isError: false };
const never = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs the call with interceptors of these names. */
function around(given: Record<string, Partial<CallInterceptor>>, abort = signal) {
  const interceptors = new CallInterceptors(defaultLimits);
  for (const [name, one] of Object.entries(given))
    interceptors.register({ name, priority: 0, ...one });
  const ran: string[] = [];
  const result = interceptors.around(abort, call, (args) => {
    ran.push(args);
    return Promise.resolve(done);
  });
  return { result, ran };
}

test('without interceptors, the call runs unchanged', async () => {
  const { result, ran } = around({});
  expect([await result, ran]).toEqual([done, [call.arguments]]);
});

test('if the code that runs interceptors cannot be loaded, the call does not run', async () => {
  vi.doMock('./intercepted-call.ts', () => Promise.reject(new Error('The connection was lost.')));
  const { result, ran } = around({ guard: { before: () => ({ refuse: 'not on Sundays' }) } });
  await expect(result).rejects.toThrow();
  vi.doUnmock('./intercepted-call.ts');
  expect(ran).toEqual([]);
});

test('Stop and the deadline end a call while the code that runs interceptors loads', async () => {
  const interceptors = new CallInterceptors(defaultLimits, never);
  interceptors.register({ name: 'guard', priority: 0 });
  const ran = vi.fn(() => Promise.resolve(done));
  const stop = new AbortController();
  const stopped = interceptors.around(stop.signal, call, ran);
  stop.abort();
  expect((await stopped).error).toBe('cancelled');
  const late = expect(interceptors.around(signal, call, ran)).rejects.toThrow(
    'Loading the code that runs interceptors took longer than 10 s',
  );
  await vi.advanceTimersByTimeAsync(defaultLimits.interceptorMs);
  await late;
  expect(ran).not.toHaveBeenCalled();
});

test('arguments are changed in order of priority, and the result in the opposite order', async () => {
  const added = (name: string): Partial<CallInterceptor> => ({
    before: (_, { arguments: args }) => ({ arguments: args.replace('}', `, "${name}": 0}`) }),
    after: (_, __, { textResultForLlm }) => ({ textResultForLlm: `${textResultForLlm} ${name}` }),
  });
  const { result, ran } = around({
    low: added('low'),
    high: { ...added('high'), priority: 5 },
  });
  expect((await result).textResultForLlm).toBe('done low high');
  expect(ran).toEqual(['{"n": 1, "high": 0, "low": 0}']);
});

test('a refusal gives its reason, and nothing runs', async () => {
  const { result, ran } = around({ guard: { before: () => ({ refuse: 'not on Sundays' }) } });
  expect(await result).toMatchObject({
    error: 'InterceptorError: not on Sundays',
    textResultForLlm: 'The call to t:f was refused: not on Sundays',
  });
  expect(ran).toEqual([]);
});

test('nothing but arguments and result can be changed', async () => {
  const views: CallView[] = [];
  const facts = { durationMs: 0, interpreter: 'mine', stateLost: true, textResultForLlm: 'new' };
  const { result, ran } = around({
    forger: {
      before: (_, view) => {
        views.push(view);
        expect(Object.isFrozen(view)).toBe(true);
        return { arguments: '{}', caller: 'user', tool: 'm:g', validate: false };
      },
      after: (_, view) => {
        views.push(view);
        return facts;
      },
    },
  });
  expect(await result).toEqual({ ...done, textResultForLlm: 'new' });
  expect(ran).toEqual(['{}']);
  const { rejoin: _rejoin, ...seen } = call as typeof call & { readonly rejoin?: unknown };
  expect(views).toEqual([seen, { ...seen, arguments: '{}' }]);
});

test('content, updates and log lines are replaced', async () => {
  const change = {
    content: [
      { type: 'text', text: 'x' },
      { type: 'image', mediaType: 'image/png', data: '' },
    ],
    updates: [{ n: 0, json: '1' }],
    log: [{ level: 'info', message: 'x' }],
  } as const;
  const { result } = around({ strict: { after: () => change } });
  expect(await result).toEqual({ ...done, ...change });
});

test('a failure can become a success and vice versa, with or without an error accordingly', async () => {
  const { result } = around({ strict: { after: () => ({ resultType: 'failure', error: 'Bad' }) } });
  expect(await result).toMatchObject({ resultType: 'failure', isError: true, error: 'Bad' });
  const { result: mended } = around({
    strict: { after: () => ({ resultType: 'failure', error: 'Bad' }) },
    lenient: { priority: 1, after: () => ({ resultType: 'success' }) },
  });
  expect(await mended).toEqual(done);
});

test.each<[string, Partial<CallInterceptor>, string]>([
  ['throws before', { before: () => Promise.reject(new Error('broken')) }, 'broken'],
  [
    'answers true before',
    { before: (() => true) as never },
    'before a call, an interceptor must return {arguments}',
  ],
  ['throws after', { after: () => Promise.reject(new Error('broken')) }, 'broken'],
  [
    'answers a text after',
    { after: (() => 'text') as never },
    'after a call, an interceptor must return parts',
  ],
  [
    'answers parts of another type',
    { after: () => ({ content: 'x' as never }) },
    'an interceptor returned a result whose content',
  ],
  ...[
    { content: [{ type: 'video', text: 'x' }] },
    { content: [{ type: 'image', data: 'x' }] },
    { content: [null] },
    { updates: [{ n: 0, json: 1 }] },
    { log: [{ level: 'info' }] },
  ].map((change): [string, Partial<CallInterceptor>, string] => [
    `answers ${JSON.stringify(change)}`,
    { after: () => change as never },
    `an interceptor returned a result whose ${Object.keys(change).join()} has the wrong type`,
  ]),
])('fails closed if an interceptor %s', async (_, guard, why) => {
  const { result } = around({ guard });
  const { resultType, error, content } = await result;
  expect([resultType, content]).toEqual(['failure', []]);
  expect(error).toContain(`InterceptorError: ${why}`);
});

test.each(['before', 'after'] as const)(
  'fails closed if an interceptor hangs %s the call',
  async (when) => {
    const { result } = around({ guard: { [when]: never } });
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await result).error).toBe(
      'InterceptorError: The interceptor guard took longer than 10 s',
    );
  },
);

test.each(['before', 'after'] as const)(
  'cancelling does not wait for an interceptor that hangs %s the call',
  async (when) => {
    const stop = new AbortController();
    let given: AbortSignal | undefined;
    const hang = (its: AbortSignal): Promise<never> => {
      given = its;
      return never();
    };
    const { result } = around({ guard: { [when]: hang } }, stop.signal);
    await vi.dynamicImportSettled();
    expect(given?.aborted).toBe(false);
    stop.abort();
    expect((await result).error).toBe('cancelled');
    expect(given?.aborted).toBe(true);
  },
);

test('a removed interceptor runs only for calls that started with it', async () => {
  const interceptors = new CallInterceptors(defaultLimits);
  const remove = interceptors.register({
    name: 'a',
    priority: 0,
    before: () => {
      remove();
      return null;
    },
    after: () => ({ textResultForLlm: 'seen' }),
  });
  const run = (): Promise<ToolResult> => Promise.resolve(done);
  expect((await interceptors.around(signal, call, run)).textResultForLlm).toBe('seen');
  expect((await interceptors.around(signal, call, run)).textResultForLlm).toBe('done');
});

test('a call waits for interceptors that are being loaded, and then runs with them', async () => {
  const interceptors = new CallInterceptors(defaultLimits);
  let load = (): void => undefined;
  interceptors.hold(
    new Promise((resolve) => {
      load = resolve;
    }),
  );
  const ran: string[] = [];
  const result = interceptors.around(signal, call, (args) => {
    ran.push(args);
    return Promise.resolve(done);
  });
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ran).toEqual([]);
  interceptors.register({ name: 'late', priority: 0, before: () => ({ refuse: 'no' }) });
  load();
  expect((await result).textResultForLlm).toContain('no');
  expect(ran).toEqual([]);
});

test('if interceptors cannot be loaded, calls are refused until the hold is released', async () => {
  const interceptors = new CallInterceptors(defaultLimits);
  const release = interceptors.hold(Promise.reject(new Error('gate.py is broken')));
  const run = (): Promise<ToolResult> =>
    interceptors.around(signal, call, () => Promise.resolve(done));
  expect((await run()).textResultForLlm).toContain('gate.py is broken');
  expect((await run()).isError).toBe(true);
  release();
  expect(await run()).toEqual(done);
});

test('Stop ends a call that waits for interceptors', async () => {
  const interceptors = new CallInterceptors(defaultLimits);
  interceptors.hold(never());
  const stop = new AbortController();
  const result = interceptors.around(stop.signal, call, () => Promise.resolve(done));
  stop.abort();
  expect((await result).error).toBe('cancelled');
});

test('changes are reported with who made them, and what did not change is not', async () => {
  const interceptors = new CallInterceptors(defaultLimits);
  const content = [{ type: 'text', text: 'done' }] as const;
  interceptors.register({
    name: 'guard',
    extension: 'Safety',
    priority: 2,
    before: () => ({ arguments: '{"n": 2}' }),
    after: () => ({ textResultForLlm: 'hidden' }),
  });
  interceptors.register({
    name: 'logger',
    priority: 1,
    before: (_, { arguments: args }) => ({ arguments: args }),
    // A copy of the same result.
    after: (_, __, result) => ({ ...result, content: result.content.map((part) => ({ ...part })) }),
  });
  interceptors.register({ name: 'painter', priority: 0, after: () => ({ content: [] }) });
  const changes: CallChange[] = [];
  await interceptors.around(
    signal,
    call,
    () => Promise.resolve({ ...done, content }),
    (change) => changes.push(change),
  );
  expect(changes).toEqual([
    { by: 'guard (Safety)', what: 'arguments', before: '{"n": 1}', after: '{"n": 2}' },
    { by: 'painter', what: 'result', before: 'done', after: 'done' },
    { by: 'guard (Safety)', what: 'result', before: 'done', after: 'hidden' },
  ]);
});
