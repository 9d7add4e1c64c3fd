import { expect, test } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import { CallInterceptors } from './interceptors.ts';
import { CallPath } from './call-path.ts';
import { noMask } from './output-mask.fixture.ts';
import { mockContext, mockTool, type MockTool } from './mock-tool.ts';

/** The call path of Cloche, with one tool. */
function pathTo(known: MockTool): CallPath {
  return new CallPath({
    registry: { lookup: (name) => (name === known.tool.name ? known : undefined) },
    selected: () => true,
    interceptors: new CallInterceptors(defaultLimits),
    isApproved: () => true,
    approve: () => Promise.resolve({ answer: null, refusal: null }),
    outputMask: noMask,
    begin: () => ({ accepted: null, end: () => undefined }),
    now: () => 0,
    limits: defaultLimits,
    report: () => undefined,
  });
}

test('a mock tool records its calls, and returns or raises what it was given', async () => {
  const known = mockTool('weather:now', { returns: ({ place = '' }) => ({ place, c: 9 }) });
  const { signal, call } = mockContext({ place: 'Oslo' }, { tool: 'weather:now' });
  const result = await pathTo(known).call(signal, call);
  expect(result).toMatchObject({
    resultType: 'success',
    content: [{ type: 'json', text: '{"place":"Oslo","c":9}' }],
  });
  expect(known.calls).toEqual([{ place: 'Oslo' }]);

  const failing = mockTool('weather:now', { raises: 'ValueError: no such place' });
  expect(await pathTo(failing).call(signal, call)).toMatchObject({
    resultType: 'failure',
    isError: true,
    error: 'ValueError: no such place',
  });
});

test('a mock context records what a run streams, and cancels it', async () => {
  const { tool, dispatch } = mockTool('a:b', { updates: [1, { step: 2 }], returns: 'done' });
  const context = mockContext({ n: 1 }, { sessionId: 's1' });
  expect([context.started, context.call.sessionId]).toEqual([false, 's1']);
  const result = await dispatch.run(context.signal, tool, context.call, context.watch);
  expect(result).toMatchObject({ textResultForLlm: 'done', content: [{ type: 'text' }] });
  context.watch.onStream({
    updates: [],
    dropped: 0,
    out: 'printed',
    err: '',
    log: [{ level: 'info', message: 'hello' }],
  });
  expect([context.started, context.updates, context.logs, context.output]).toEqual([
    true,
    [1, { step: 2 }],
    [['info', 'hello']],
    'printed',
  ]);
  context.abort();
  expect(await dispatch.run(context.signal, tool, context.call, context.watch)).toMatchObject({
    error: 'cancelled',
  });
});
