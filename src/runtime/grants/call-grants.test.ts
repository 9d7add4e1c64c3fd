/** When the user is asked about a call, and what happens before. */

import { expect, test } from 'vitest';
import { toolCall } from '../spec/call.fixture.ts';
import { failure } from '../call/results.ts';
import { fakeTool } from '../scan/tool.fixture.ts';
import type { ToolCall } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { approveCall, type ApproveDeps } from './call-grants.ts';

const { signal } = new AbortController();
const call = { ...toolCall('c'), caller: 'http' } as const;
const refusal = failure('TypeError: f() got an unexpected keyword argument', 'No.');

function approving(
  requires: RegisteredTool['requires_approval'],
  wrong: typeof refusal | null,
  { rule = null, ...from }: { rule?: 'always' | null } & Partial<ToolCall> = {},
) {
  const order: string[] = [];
  const deps = {
    questions: {
      ask: () => {
        order.push('ask');
        return Promise.resolve({ reply: 'once', reason: '' });
      },
    },
    policy: { ruleOf: () => rule },
    allowedInSession: () => false,
  } as unknown as ApproveDeps;
  const tool: RegisteredTool = {
    ...fakeTool('t:f', { requires_approval: requires }),
    hash: '',
    loadedAt: 0,
    state: 'ready',
  };
  const decided = approveCall(
    deps,
    signal,
    tool,
    { ...call, ...from },
    {
      check: () => {
        order.push('check');
        return Promise.resolve(wrong);
      },
      needsApproval: () => {
        order.push('decide');
        return Promise.resolve(true);
      },
    },
  );
  return { decided, order };
}

test('the user is not asked about a call with invalid arguments', async () => {
  const { decided, order } = approving(true, refusal);
  expect(await decided).toEqual({ answer: null, refusal });
  expect(order).toEqual(['check']);
});

test('the user is asked after the arguments have been checked', async () => {
  const { decided, order } = approving('callable', null);
  expect(await decided).toMatchObject({ answer: { approval: 'once' }, refusal: null });
  expect(order).toEqual(['decide', 'check', 'ask']);
});

test('the arguments of a call that needs no approval are not checked here', async () => {
  const { decided, order } = approving(false, refusal);
  expect(await decided).toEqual({ answer: null, refusal: null });
  expect(order).toEqual([]);
});

test('a question of a session waits as long as the user needs, also for a tool with the rule to ask', async () => {
  const asked: unknown[] = [];
  const deciding = (rule: 'ask' | null, caller: 'model' | 'http') => {
    const deps = {
      questions: {
        ask: (_: AbortSignal, question: object, withinMs: number | null) => {
          asked.push([rule, caller, (question as { inSession: boolean }).inSession, withinMs]);
          return Promise.resolve({ reply: 'once', reason: '' });
        },
      },
      policy: { ruleOf: () => rule },
      allowedInSession: () => false,
    } as unknown as ApproveDeps;
    const tool: RegisteredTool = {
      ...fakeTool('t:f', { requires_approval: true }),
      hash: '',
      loadedAt: 0,
      state: 'ready',
    };
    const ofSession = { ...toolCall('c'), caller, sessionId: 's' };
    const dispatch = {
      check: () => Promise.resolve(null),
      needsApproval: () => Promise.resolve(true),
    };
    return approveCall(deps, signal, tool, ofSession, dispatch);
  };
  await deciding('ask', 'model');
  await deciding(null, 'model');
  await deciding('ask', 'http');
  expect(asked).toEqual([
    ['ask', 'model', false, null],
    [null, 'model', true, null],
    ['ask', 'http', false, 60_000],
  ]);
});

test('"Always allow" does not count for calls of another site or the browser’s agent, but tools without approval run', async () => {
  const site = 'https://docs.example';
  const own = approving(true, null, { rule: 'always' });
  const other = approving(true, null, { rule: 'always', site });
  const agent = approving(true, null, { rule: 'always', caller: 'webmcp' });
  const callable = approving('callable', null, { rule: 'always', site });
  const free = approving(false, null, { rule: 'always', site });
  const all = [own, other, agent, callable, free];
  await Promise.all(all.map(({ decided }) => decided));
  expect(all.map(({ order }) => order)).toEqual([
    [],
    ['check', 'ask'],
    ['check', 'ask'],
    ['decide', 'check', 'ask'],
    [],
  ]);
});
