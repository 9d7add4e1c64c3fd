/** Built-in tools on the call path. */

import { expect, test } from 'vitest';
import { CallInterceptors } from '../../runtime/call/interceptors.ts';
import { noMask } from '../../runtime/call/output-mask.fixture.ts';
import { CallPath } from '../../runtime/call/call-path.ts';
import { noDispatch } from '../../runtime/registry/dispatch.fixture.ts';
import { Registry } from '../../runtime/registry/registry.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import { BuiltInCalls } from './built-in-tools.ts';
import { textResult } from '../../runtime/call/results.ts';

const { signal } = new AbortController();

function setUp() {
  const report = (thrown: unknown): void => {
    throw thrown;
  };
  const logged: unknown[] = [];
  const builtIn = new BuiltInCalls();
  const registry = new Registry(noDispatch, report);
  registry.register('built-in', builtIn.tools, builtIn.dispatch);
  const calls = new CallPath({
    registry,
    selected: () => true,
    interceptors: new CallInterceptors(defaultLimits),
    isApproved: ({ caller }) => caller === 'user',
    approve: () => Promise.resolve({ answer: null, refusal: null }),
    outputMask: noMask,
    begin: ({ tool }) => ({
      accepted: null,
      end: ({ textResultForLlm }) => logged.push([tool, textResultForLlm]),
    }),
    now: () => 0,
    limits: defaultLimits,
    report,
  });
  return { builtIn, calls, logged };
}

const call = toolCall('c', { tool: 'tool_search', arguments: '{"query": "x"}', caller: 'model' });

test('a call with its answer goes along the path and into the log', async () => {
  const { builtIn, calls, logged } = setUp();
  const result = await builtIn.call(
    call.id,
    (args) => textResult(JSON.stringify(args)),
    () => calls.call(signal, call),
  );
  expect(result).toMatchObject({ resultType: 'success', textResultForLlm: '{"query":"x"}' });
  expect(logged).toEqual([['tool_search', '{"query":"x"}']]);
});

test('a call without an answer is refused, and logged', async () => {
  const { calls, logged } = setUp();
  const result = await calls.call(signal, call);
  expect(result.error).toContain('only by the model of a session');
  expect(logged).toHaveLength(1);
});
