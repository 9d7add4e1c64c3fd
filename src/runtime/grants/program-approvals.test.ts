/** Approvals of the calls of programs: one question for the calls that wait, and one answer for a whole program. */

import { beforeEach, expect, test, vi } from 'vitest';
import { toolCall } from '../spec/call.fixture.ts';
import { fakeTool } from '../scan/tool.fixture.ts';
import type { ToolCall } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { CallDecision } from '../call/call-path.ts';
import { approveCall } from './call-grants.ts';
import { FakeGrants } from './grants.fixture.ts';
import { ProgramApprovals } from './program-approvals.ts';
import { askingOf, type Question, type Reply } from './questions.ts';

const strict: RegisteredTool = {
  ...fakeTool('t:f', { requires_approval: true }),
  ...{ hash: '', loadedAt: 0, state: 'ready' },
};
const dispatch = {
  needsApproval: () => Promise.resolve(true),
  check: () => Promise.resolve(null),
};
/** Times at which the clock of the program was stopped and started. */
let clock: string[];
let grants: FakeGrants;
let approvals: ProgramApprovals;
/** Starts the question about the calls that have joined it. */
let joined: (() => void)[];

beforeEach(() => {
  clock = [];
  grants = new FakeGrants();
  joined = [];
  const { questions } = grants;
  approvals = new ProgramApprovals({ questions, after: (_, then) => joined.push(then) });
});

function begin(program: string): () => void {
  return approvals.begin(program, {
    pause: () => clock.push('pause'),
    resume: () => clock.push('resume'),
  });
}

function ask(
  id: string,
  more: Partial<ToolCall> = {},
  signal = new AbortController().signal,
): Promise<CallDecision> {
  const { questions, policy } = grants;
  const call = toolCall(id, { caller: 'program', parent: 'p', sessionId: 's', ...more });
  const none = { taskOf: () => null, allowInRun: () => undefined, allowedInSession: () => false };
  const deps = { questions, policy, programs: approvals, ...none };
  return approveCall(deps, signal, { ...strict, name: call.tool }, call, dispatch);
}

async function question(): Promise<Question> {
  await vi.waitFor(() => expect(joined.length + grants.questions.list().length).toBeGreaterThan(0));
  for (const then of joined.splice(0)) then();
  await vi.waitFor(() => expect(grants.questions.list()).toHaveLength(1));
  const [first] = grants.questions.list();
  if (first === undefined) throw new Error('nothing is asked');
  return first;
}

async function answer(reply: Reply): Promise<void> {
  grants.questions.answer((await question()).id, reply);
}

async function approvalsOf(decisions: readonly Promise<CallDecision>[]): Promise<unknown[]> {
  return (await Promise.all(decisions)).map(({ answer: given }) => given?.approval ?? null);
}

test('calls that wait for the same tool share one question, which lists them', async () => {
  begin('p');
  const asked = Array.from({ length: 14 }, (_, n) => ask(`c${n}`, { arguments: `{"n": ${n}}` }));
  const other = ask('other', { tool: 't:g' });
  await vi.waitFor(() => expect(joined).toHaveLength(2));
  joined.shift()?.();
  const [first] = grants.questions.list();
  expect(first).toMatchObject({ kind: 'call', tool: 't:f', callId: 'c0', inSession: true });
  expect(first?.kind === 'call' ? first.calls : []).toHaveLength(14);
  expect(first).toMatchObject({
    calls: expect.arrayContaining([{ id: 'c9', arguments: '{"n": 9}' }]) as unknown,
  });
  grants.questions.answer(first?.id ?? 0, 'once');
  expect(await approvalsOf(asked)).toEqual(Array(14).fill('once'));
  await answer('no');
  expect(await approvalsOf([other])).toEqual(['deny']);
});

test('an answer for the listed calls is not one for a call that comes later', async () => {
  begin('p');
  const asked = ask('a');
  await question();
  const later = ask('b');
  await new Promise((resolve) => setTimeout(resolve));
  await answer('once');
  expect(await approvalsOf([asked])).toEqual(['once']);
  expect(await question()).toMatchObject({ callId: 'b', calls: [{ id: 'b' }] });
  await answer('no');
  expect(await approvalsOf([later])).toEqual(['deny']);
});

test('a tool that is allowed for a program is allowed for no other program and no other tool', async () => {
  begin('p');
  begin('q');
  const first = ask('a');
  await answer('program');
  expect(await approvalsOf([first, ask('b')])).toEqual(['once', null]);
  expect((await ask('c')).refusal).toBeNull();
  for (const more of [{ parent: 'q' }, { tool: 't:g' }]) {
    const other = ask('d', more);
    await answer('no');
    expect((await other).refusal?.error).toBe('approval_required');
  }
});

test('a user who wants to be asked each time is asked about each call of a program', async () => {
  begin('p');
  grants.policy.rule('t:f', 'ask');
  const asked = [ask('a'), ask('b')];
  await vi.waitFor(() => expect(joined).toHaveLength(2));
  for (const then of joined.splice(0)) then();
  await vi.waitFor(() => expect(grants.questions.list()).toHaveLength(2));
  for (const one of grants.questions.list()) expect(one).not.toHaveProperty('calls');
  const [first, second] = grants.questions.list();
  grants.questions.answer(first?.id ?? 0, 'program');
  grants.questions.answer(second?.id ?? 0, 'no');
  expect(await approvalsOf(asked)).toEqual(['once', 'deny']);
  const again = ask('c');
  await answer('no');
  expect(await approvalsOf([again])).toEqual(['deny']);
});

test('a tool that is never allowed is refused without a question', async () => {
  begin('p');
  grants.policy.rule('t:f', 'never');
  expect((await ask('a')).refusal?.error).toBe('approval_required');
  expect(joined).toEqual([]);
});

test('the clock of a program is paused while the user is asked anything for one of its calls', async () => {
  begin('p');
  const asked = ask('a');
  await question();
  expect(clock).toEqual(['pause']);
  await answer('once');
  await asked;
  expect(clock).toEqual(['pause', 'resume']);
  const { questions } = grants;
  const { signal } = new AbortController();
  const askFor = (parent: string): Promise<unknown> => {
    const asking = askingOf(strict, toolCall('b', { caller: 'program', parent }));
    const request = { origin: 'https://a.example', method: 'GET', url: 'https://a.example/' };
    return questions.ask(signal, { kind: 'network', ...request, ...asking });
  };
  const both = [askFor('p'), askFor('p')];
  expect(clock).toEqual(['pause', 'resume', 'pause']);
  questions.answer(questions.list()[0]?.id ?? 0, 'once');
  expect(clock).toHaveLength(3);
  questions.answer(questions.list()[0]?.id ?? 0, 'once');
  await Promise.all(both);
  expect(clock).toEqual(['pause', 'resume', 'pause', 'resume']);
  void askFor('q');
  expect(clock).toHaveLength(4);
});

test('a question ends with its last call, and a call of an unknown program is not asked about', async () => {
  const end = begin('p');
  const [one, two] = [new AbortController(), new AbortController()];
  const asked = [ask('a', {}, one.signal), ask('b', {}, two.signal)];
  await vi.waitFor(() => expect(joined).toHaveLength(1));
  await question();
  one.abort();
  expect(grants.questions.list()).toHaveLength(1);
  two.abort();
  expect((await Promise.all(asked)).map(({ refusal }) => refusal?.error)).toEqual([
    'cancelled',
    'cancelled',
  ]);
  expect(grants.questions.list()).toEqual([]);
  end();
  for (const parent of ['p', 'forged'])
    expect((await ask('c', { parent })).refusal?.error).toBe('approval_required');
  expect(grants.questions.list()).toEqual([]);
});
