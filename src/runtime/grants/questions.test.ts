/** Questions: queued, limited, answered once; approvals of tools and of calls. */

import { expect, test, vi } from 'vitest';
import { toolCall } from '../spec/call.fixture.ts';
import type { Caller } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { approveCall } from './call-grants.ts';
import { FakeGrants, get, origin, registered } from './grants.fixture.ts';
import { programQuestionLimits } from './program-question-counts.ts';
import type { NewQuestion, Questions, Reply } from './questions.ts';

const never = new AbortController().signal;

function question(callId: string): NewQuestion {
  return {
    kind: 'approve',
    question: 'Sure?',
    details: null,
    tool: 't:f',
    file: 't.py',
    callId,
    caller: 'user',
  };
}

test('questions are asked one after the other, in order', async () => {
  const { questions } = new FakeGrants();
  const seen: number[] = [];
  questions.observe((list) => seen.push(list.length));
  const asked = [questions.ask(never, question('a')), questions.ask(never, question('b'))];
  const [first, second] = questions.list();
  questions.answer(first?.id ?? 0, 'once');
  questions.answer(first?.id ?? 0, 'no');
  questions.answer(second?.id ?? 0, 'no', ' because ');
  expect(await Promise.all(asked)).toEqual([
    { reply: 'once', reason: '' },
    { reply: 'no', reason: 'because' },
  ]);
  expect(seen).toEqual([1, 2, 1, 0]);
});

test('questions over the limits are refused, of one call and in total', async () => {
  const { questions } = new FakeGrants();
  const stop = new AbortController();
  const ofOne = Array.from({ length: 1_000 }, () => questions.ask(stop.signal, question('a')));
  expect(questions.list()).toHaveLength(3);
  const ofMany = Array.from({ length: 1_000 }, (_, n) =>
    questions.ask(stop.signal, question(`${n}`)),
  );
  expect(questions.list()).toHaveLength(30);
  stop.abort();
  const answers = await Promise.all([...ofOne, ...ofMany]);
  expect(answers.filter(({ reply }) => reply !== null)).toEqual([]);
  expect(questions.list()).toEqual([]);
});

test('a question ends with its call', async () => {
  const grants = new FakeGrants();
  const host = grants.host();
  const asked = host.answer(1, { ask: 'approve', question: 'Sure?', details: '{"a":1}' });
  expect(grants.questions.list()).toMatchObject([
    { kind: 'approve', question: 'Sure?', details: '{"a":1}' },
  ]);
  host.end();
  expect(await asked).toEqual({ answer: 'approval', approved: false, reason: '' });
  expect(grants.questions.list()).toEqual([]);
});

test('after three denials in a call, the user is not asked again', async () => {
  const grants = new FakeGrants();
  const host = grants.host();
  for (let n = 1; n <= 3; n += 1) {
    const asked = host.answer(n, { ask: 'approve', question: 'Sure?', details: null });
    await grants.reply('no', 'not today');
    expect(await asked).toEqual({ answer: 'approval', approved: false, reason: 'not today' });
  }
  expect(await host.answer(4, { ask: 'approve', question: 'Now?', details: null })).toMatchObject({
    approved: false,
  });
  expect(grants.clocked).toHaveLength(6);
});

test('an approval approves', async () => {
  const grants = new FakeGrants();
  const asked = grants.host().answer(1, { ask: 'approve', question: 'Sure?', details: null });
  await grants.reply('once');
  expect(await asked).toEqual({ answer: 'approval', approved: true, reason: '' });
});

/** Asks about calls to tools. @param allowed sessions in which the user has allowed the tool */
function approving(allowed: readonly string[] = []) {
  const { questions, policy } = new FakeGrants();
  const decide = vi.fn(() => Promise.resolve(false));
  const allowedInSession = (session: string) => allowed.includes(session);
  const deps = { questions, policy, allowedInSession, ...noRun };
  const dispatch = { needsApproval: decide, check: inOrder };
  const ask = (tool: RegisteredTool, caller: Caller, sessionId = '') =>
    approveCall(deps, never, tool, { ...toolCall('c', { caller }), sessionId }, dispatch);
  return { questions, policy, decide, ask };
}

/** No call is one of a program. */
const programs = { isAllowed: () => false, ask: () => Promise.reject(new Error('no program')) };

/** No session is one of a sub-agent. */
const noRun = { taskOf: () => null, allowInRun: () => undefined, programs };

test('one answer allows a tool for all sub-agents of a run, and of no other', async () => {
  const { questions, policy } = new FakeGrants();
  const allowed: string[] = [];
  const deps = {
    questions,
    policy,
    programs,
    allowedInSession: () => false,
    taskOf: (id: string) => ({ run: id.slice(0, 1), title: id }),
    allowInRun: (run: string, tool: string) => void allowed.push(`${run} ${tool}`),
  };
  const dispatch = { needsApproval: () => Promise.resolve(true), check: inOrder };
  const asked = ['r1', 'r2', 'q1'].map((sessionId) =>
    approveCall(
      ...[deps, never, strict],
      { ...toolCall(sessionId, { caller: 'sub-agent' }), sessionId },
      dispatch,
    ),
  );
  await shown(questions, 3);
  questions.answer(questions.list()[0]?.id ?? 0, 'session');
  expect(questions.list().map(({ callId }) => callId)).toEqual(['q1']);
  questions.answer(questions.list()[0]?.id ?? 0, 'no');
  const answers = await Promise.all(asked);
  expect(answers.map(({ answer }) => answer?.approval)).toEqual(['session', 'session', 'deny']);
  expect(allowed).toEqual([`r ${strict.name}`, `r ${strict.name}`]);
});

/** A check that finds the arguments valid. */
const inOrder = (): Promise<null> => Promise.resolve(null);

/** Waits until this many questions are pending. */
async function shown(questions: Questions, count: number): Promise<void> {
  await vi.waitFor(() => {
    expect(questions.list()).toHaveLength(count);
  });
}

const plain = registered();
const strict = registered({ requires_approval: true });
const may = { answer: null, refusal: null };

test('callers wait for the user if the tool requires approval', async () => {
  const { questions, decide, ask } = approving();
  const asking = registered({ requires_approval: 'callable' });
  expect(await ask(plain, 'http')).toEqual(may);
  expect(await ask(asking, 'http')).toEqual(may);
  expect(decide).toHaveBeenCalledTimes(1);
  decide.mockRejectedValueOnce(new Error('it died'));
  const asked = [ask(strict, 'http'), ask(asking, 'http')];
  await shown(questions, 2);
  const [first, second] = questions.list();
  questions.answer(first?.id ?? 0, 'once');
  questions.answer(second?.id ?? 0, 'no', 'too dear');
  expect(await asked[0]).toEqual({ answer: { approval: 'once', reason: '' }, refusal: null });
  expect(await asked[1]).toMatchObject({
    answer: { approval: 'deny', reason: 'too dear' },
    refusal: {
      resultType: 'failure',
      error: 'approval_required',
      textResultForLlm: expect.stringContaining('too dear') as string,
    },
  });
});

test.each([
  ['no', '', 'The user denied it.'],
  ['no', 'too dear', 'The user denied it: too dear'],
  ['never', '', 'The user has blocked this tool.'],
] as const)('a denial is explained to the model: %s, %s', async (reply, reason, reported) => {
  const { questions, ask } = approving();
  const asked = ask(strict, 'model', 's');
  await shown(questions, 1);
  questions.answer(questions.list()[0]?.id ?? 0, reply, reason);
  expect((await asked).refusal?.textResultForLlm).toBe(
    `The call to t:f requires approval, which was not given. ${reported}`,
  );
});

test('a rule for a tool takes precedence over its spec', async () => {
  const { questions, policy, ask } = approving();
  policy.rule('t:f', 'always');
  expect(await ask(strict, 'http')).toEqual(may);
  policy.rule('t:f', 'never');
  expect(await ask(plain, 'model', 's')).toMatchObject({
    answer: null,
    refusal: { error: 'approval_required' },
  });
  policy.rule('t:f', 'ask');
  void ask(plain, 'http');
  await shown(questions, 1);
  expect(questions.list()).toMatchObject([{ kind: 'call', inSession: false }]);
});

test('always and never are stored as rules; session is not', async () => {
  const { questions, policy, ask } = approving(['other']);
  const answered = async (reply: Reply) => {
    policy.rule('t:f', null);
    const asked = ask(strict, 'model', 's');
    await shown(questions, 1);
    questions.answer(questions.list()[0]?.id ?? 0, reply);
    return [(await asked).answer?.approval, policy.ruleOf('t:f')];
  };
  expect([
    await answered('session'),
    await answered('always'),
    await answered('never'),
    await ask(strict, 'model', 'other'),
  ]).toMatchObject([
    ['session', null],
    ['always', 'always'],
    ['never', 'never'],
    { refusal: { error: 'approval_required' } },
  ]);
  policy.rule('t:f', null);
  expect(await ask(strict, 'model', 'other')).toEqual(may);
});

test('a reply for more than one call applies to pending questions too', async () => {
  const replies = async (reply: Reply): Promise<readonly unknown[]> => {
    const { questions, policy } = new FakeGrants();
    const deps = { questions, policy, allowedInSession: () => false, ...noRun };
    const dispatch = { needsApproval: () => Promise.resolve(true), check: inOrder };
    const other = registered({ name: 't:other', requires_approval: true });
    const asked = [
      [strict, 'a', 's'] as const,
      [strict, 'b', 's'] as const,
      [strict, 'c', 'another'] as const,
      [other, 'd', 's'] as const,
    ].map(([tool, id, sessionId]) =>
      approveCall(deps, never, tool, { ...toolCall(id, { caller: 'model' }), sessionId }, dispatch),
    );
    await shown(questions, 4);
    questions.answer(questions.list()[0]?.id ?? 0, reply, 'for a reason', '{"a": 1}');
    const waiting = questions.list().map(({ callId }) => callId);
    for (const { id } of questions.list()) questions.answer(id, 'no');
    const answers = await Promise.all(asked);
    return [waiting, ...answers.slice(0, 3).map(({ answer }) => answer?.approval)];
  };
  expect([
    await replies('once'),
    await replies('no'),
    await replies('session'),
    await replies('always'),
    await replies('never'),
  ]).toEqual([
    [['b', 'c', 'd'], 'once', 'deny', 'deny'],
    [['b', 'c', 'd'], 'deny', 'deny', 'deny'],
    [['c', 'd'], 'session', 'session', 'deny'],
    [['d'], 'always', 'always', 'always'],
    [['d'], 'never', 'never', 'never'],
  ]);
});

test('a rule made elsewhere answers the questions about its tool', async () => {
  const { questions, ask } = approving();
  const asked = [ask(strict, 'http'), ask(strict, 'model', 's')];
  await shown(questions, 2);
  questions.answerTool('t:other', 'always');
  expect(questions.list()).toHaveLength(2);
  questions.answerTool('t:f', 'always');
  expect(await Promise.all(asked)).toEqual([
    { answer: { approval: 'always', reason: '' }, refusal: null },
    { answer: { approval: 'always', reason: '' }, refusal: null },
  ]);
});

test('a rule that allows does not answer for another site, and one that refuses does', () => {
  const { questions } = approving();
  const site = 'https://docs.example';
  const asked = { ...question('c'), kind: 'call', arguments: '{}', inSession: false } as const;
  void questions.ask(never, { ...asked, sessionId: '', task: null, site });
  questions.answerTool('t:f', 'always');
  expect(questions.list()).toMatchObject([{ site }]);
  questions.answerTool('t:f', 'never');
  expect(questions.list()).toEqual([]);
});

test('with the rule to ask each time, an earlier reply for the session does not count', async () => {
  const { questions, policy, ask } = approving(['s']);
  policy.rule('t:f', 'ask');
  void ask(strict, 'model', 's');
  await shown(questions, 1);
  expect(questions.list()).toMatchObject([{ kind: 'call', inSession: false }]);
});

test('a model’s call waits for the user without limit, and may run with changed arguments', async () => {
  const grants = new FakeGrants();
  const { questions, policy } = grants;
  const deps = { questions, policy, allowedInSession: () => false, ...noRun };
  const call = { ...toolCall('c', { caller: 'model' }), sessionId: 's' };
  const dispatch = { needsApproval: () => Promise.resolve(true), check: inOrder };
  const asked = approveCall(deps, never, strict, call, dispatch);
  await shown(questions, 1);
  expect(grants.timers).toEqual([]);
  questions.answer(questions.list()[0]?.id ?? 0, 'once', '', '{"a": 3.0}');
  expect(await asked).toEqual({
    answer: { approval: 'once', reason: '', arguments: '{"a": 3.0}' },
    refusal: null,
  });
});

test('an answer about an origin counts once for a program, however many of its calls have asked', async () => {
  const grants = new FakeGrants();
  const { questions } = grants;
  const asked = Array.from({ length: programQuestionLimits.refused }, (_, n) => {
    const call = toolCall(`c${n}`, { caller: 'program', parent: 'p' });
    return grants.host(call).answer(1, get(`${origin}/${n}`));
  });
  await shown(questions, asked.length);
  await grants.reply('never');
  const refused = { answer: 'refused', error: 'PermissionError' };
  expect(await Promise.all(asked)).toMatchObject(asked.map(() => refused));
  expect(questions.list()).toEqual([]);
  void questions.ask(never, { ...question('next'), parent: 'p' });
  expect(questions.list()).toMatchObject([{ callId: 'next' }]);
});

test('a decision about an origin answers only the questions about it', async () => {
  const { questions } = new FakeGrants();
  const network: NewQuestion = {
    ...question('a'),
    kind: 'network',
    origin,
    method: 'GET',
    url: origin,
  };
  const asked = questions.ask(never, network);
  void questions.ask(never, question('b'));
  questions.answerOrigin(origin, 'never');
  expect(await asked).toEqual({ reply: 'never', reason: '' });
  expect(questions.list()).toHaveLength(1);
});
