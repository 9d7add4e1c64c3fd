/** Programs with real interceptors, approvals and policies: what they can do, and what bounds them. */

import { expect, test } from 'vitest';
import type { CallView } from '../../runtime/call/intercepted-call.ts';
import { CallInterceptors } from '../../runtime/call/interceptors.ts';
import { CallPath } from '../../runtime/call/call-path.ts';
import { noMask } from '../../runtime/call/output-mask.fixture.ts';
import { textResult } from '../../runtime/call/results.ts';
import { approveCall } from '../../runtime/grants/call-grants.ts';
import { FakeGrants, get, origin, registered } from '../../runtime/grants/grants.fixture.ts';
import { ProgramApprovals } from '../../runtime/grants/program-approvals.ts';
import { programQuestionLimits } from '../../runtime/grants/program-question-counts.ts';
import type { AskAnswer } from '../../runtime/protocol/ask.ts';
import { noDispatch } from '../../runtime/registry/dispatch.fixture.ts';
import type { CallChange, ToolResult } from '../../runtime/spec/result.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import { programLimits } from './program-limits.ts';
import { page } from './programs.fixture.ts';

const report = (thrown: unknown): never => {
  throw thrown;
};

/** The result of a tool with a text. */
function says(text: string): ToolResult {
  return { ...textResult(text), content: [{ type: 'text', text }] };
}

test('interceptors of extensions change and refuse the calls of a program like any others', async () => {
  const interceptors = new CallInterceptors(defaultLimits);
  const ran: string[] = [];
  const path = new CallPath({
    registry: {
      lookup: (name) => ({
        tool: registered({ name }),
        origin: 'folder',
        dispatch: {
          ...noDispatch,
          run: (_, __, { arguments: args }) => {
            ran.push(args);
            return Promise.resolve(says(`ran ${args}`));
          },
        },
      }),
    },
    selected: () => true,
    interceptors,
    isApproved: () => true,
    approve: () => Promise.reject(new Error('nothing to approve')),
    begin: () => ({ accepted: null, end: () => undefined }),
    outputMask: noMask,
    now: () => 0,
    limits: defaultLimits,
    report,
  });
  const seen: CallView[] = [];
  interceptors.register({
    name: 'guard',
    extension: 'Guard',
    priority: 0,
    before: (_, call) => {
      seen.push(call);
      if (call.arguments.includes('13')) return { refuse: 'unlucky' };
      return { arguments: '{"n": 2}' };
    },
    after: (_, __, { textResultForLlm }) => {
      const text = `${textResultForLlm}, seen`;
      return { textResultForLlm: text, content: [{ type: 'text', text }] };
    },
  });
  const { run, owner, events } = page(async (ask) => {
    const answers = [await ask('t:f', '{"n": 1}'), await ask('t:f', '{"n": 13}')];
    return answers.map((one) => (one.answer === 'value' ? one.value : one.answer)).join('\n');
  });
  const changes: (readonly CallChange[])[] = [];
  owner.onCall = async (signal, call) => {
    const result = await path.call(signal, call);
    changes.push(result.changes ?? []);
    return result;
  };
  const { textResultForLlm } = await run();
  expect(textResultForLlm.split('\n').map((text): unknown => JSON.parse(text))).toEqual([
    { ok: true, parts: [{ type: 'text', text: 'ran {"n": 2}, seen' }] },
    {
      ok: false,
      error: 'InterceptorError: unlucky',
      message: 'The call to t:f was refused: unlucky',
    },
  ]);
  expect(ran).toEqual(['{"n": 2}']);
  const nested = { tool: 't:f', caller: 'program', parent: 'program', sessionId: 's' };
  expect(seen).toMatchObject([
    { ...nested, arguments: '{"n": 1}' },
    { ...nested, arguments: '{"n": 13}' },
  ]);
  // The user sees in the log what the extension has changed.
  expect(changes).toMatchObject([
    [
      { by: 'guard (Guard)', what: 'arguments', before: '{"n": 1}', after: '{"n": 2}' },
      { by: 'guard (Guard)', what: 'result', after: 'ran {"n": 2}, seen' },
    ],
    [],
  ]);
  expect(events).toEqual([
    'began n1',
    'ended n1 ok',
    'began n2',
    'ended n2 InterceptorError: unlucky',
  ]);
});

/** More approvals than any program gets. */
const asked = 5 * programLimits.calls;

test.each([
  ['one after the other', 1],
  ['at once', asked],
])(
  'a program that asks for approvals without end, %s, is ended, and each call ends once',
  async (_, atOnce) => {
    const grants = new FakeGrants();
    const { questions, policy } = grants;
    const programs = new ProgramApprovals({ questions, after: (__, then) => queueMicrotask(then) });
    const tool = registered({ requires_approval: true });
    const dispatch = {
      needsApproval: () => Promise.resolve(true),
      check: () => Promise.resolve(null),
    };
    const none = { taskOf: () => null, allowInRun: () => undefined, allowedInSession: () => false };
    const { run, owner, events, calls } = page(
      async (ask) => {
        for (let n = 0; n < asked; n += atOnce)
          await Promise.all(Array.from({ length: atOnce }, () => ask('t:f')));
        return new Promise(() => undefined);
      },
      { approvals: programs },
    );
    let ran = 0;
    owner.onCall = async (signal, call) => {
      const deps = { questions, policy, programs, ...none };
      // Each call has a signal of its own, as on the call path.
      const ends = AbortSignal.any([signal]);
      const { refusal } = await approveCall(deps, ends, tool, call, dispatch);
      if (refusal === null) ran += 1;
      return refusal ?? says('ran');
    };
    const denied = new Set<number>();
    questions.observe((pending) => {
      for (const { id } of pending) {
        denied.add(id);
        queueMicrotask(() => questions.answer(id, 'no'));
      }
    });
    const { textResultForLlm } = await run();
    expect(textResultForLlm).toContain(
      'The program was ended because it went on after 1,000 calls.',
    );
    expect(ran).toBe(0);
    expect(calls).toHaveLength(programLimits.calls);
    const ids = (what: string): readonly string[] =>
      events.flatMap((event) => (event.startsWith(what) ? [event.split(' ')[1] ?? ''] : [])).sort();
    expect(new Set(ids('began')).size).toBe(programLimits.calls);
    expect(ids('ended')).toEqual(ids('began'));
    // If all calls are made at once, the program is ended before the first question.
    expect(denied.size).toBe(atOnce === 1 ? programQuestionLimits.refused : 0);
    expect(questions.list()).toEqual([]);
  },
);

test('a program asks the user only so often in total, and the next program asks again', async () => {
  const grants = new FakeGrants();
  const { questions, policy } = grants;
  const programs = new ProgramApprovals({ questions, after: (_, then) => queueMicrotask(then) });
  const tool = registered({ requires_approval: true });
  const dispatch = {
    needsApproval: () => Promise.resolve(true),
    check: () => Promise.resolve(null),
  };
  const none = { taskOf: () => null, allowInRun: () => undefined, allowedInSession: () => false };
  const { asked: max, refused } = programQuestionLimits;
  const { run, owner } = page(
    async (ask) => {
      const answers: unknown[] = [];
      for (let n = 0; n < max + 2; n += 1) {
        const answer = await ask('t:f');
        answers.push(answer.answer === 'value' ? JSON.parse(answer.value) : answer);
      }
      return JSON.stringify(answers.slice(-2));
    },
    { approvals: programs },
  );
  owner.onCall = async (signal, call) => {
    const deps = { questions, policy, programs, ...none };
    const ends = AbortSignal.any([signal]);
    return (await approveCall(deps, ends, tool, call, dispatch)).refusal ?? says('ran');
  };
  let count = 0;
  questions.observe(([first]) => {
    if (first === undefined) return;
    count += 1;
    // Permissions between them: the refusals alone do not end the questions.
    const reply = count % refused === 0 ? 'once' : 'no';
    queueMicrotask(() => questions.answer(first.id, reply));
  });
  for (const total of [max, 2 * max]) {
    const { textResultForLlm } = await run();
    expect(count).toBe(total);
    const refusal = { ok: false, error: 'approval_required' };
    expect(JSON.parse(textResultForLlm)).toMatchObject([refusal, refusal]);
    expect(textResultForLlm).toContain('is asked nothing more for it');
  }
});

test('the questions that tools ask in the calls of a program are limited with the others', async () => {
  const grants = new FakeGrants();
  const { questions } = grants;
  const programs = new ProgramApprovals({ questions, after: (_, then) => queueMicrotask(then) });
  const { run, owner } = page(
    async (ask) => {
      for (let n = 0; n < 20; n += 1) await ask('t:f');
      return 'ended';
    },
    { approvals: programs },
  );
  const answers: AskAnswer[] = [];
  owner.onCall = async (_, call) => {
    const host = grants.host(call);
    answers.push(await host.answer(1, { ask: 'approve', question: 'Really?', details: null }));
    host.end();
    return says('ran');
  };
  let count = 0;
  questions.observe(([first]) => {
    if (first === undefined) return;
    count += 1;
    queueMicrotask(() => questions.answer(first.id, 'no'));
  });
  expect((await run()).textResultForLlm).toBe('ended');
  expect(count).toBe(programQuestionLimits.refused);
  expect(answers).toHaveLength(20);
  expect(answers.at(-1)).toMatchObject({ approved: false });
});

test('a program reaches what the policy of the folder allows, and nothing else', async () => {
  const grants = new FakeGrants();
  grants.policy.grant(origin, 'visit');
  const { run } = page(
    async (_, { ask }) => {
      const all = [
        await ask(get(`${origin}/a`)),
        await ask(get('https://other.example/b')),
        await ask(get('https://other.example/c')),
      ];
      return all.map((one) => (one.answer === 'refused' ? one.error : one.answer)).join();
    },
    { openHost: grants.openHost },
  );
  const running = run();
  await grants.reply('never');
  expect((await running).textResultForLlm).toBe('response,PermissionError,PermissionError');
  expect(grants.sent.map(({ url }) => url)).toEqual([`${origin}/a`]);
  expect(grants.log.list().map(({ tool, url }) => [tool, url])).toContainEqual([
    'run_python',
    `${origin}/a`,
  ]);
});
