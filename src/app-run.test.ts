/** A call in the open folder: run where it is allowed, as it was allowed, and in the folder that is open then. */

import { expect, test } from 'vitest';
import type { FolderInterpreters, Hands } from './app-hands.ts';
import { runInFolder } from './app-run.ts';
import { failure } from './call/results.ts';
import { registered, toolCall } from './grants/grants.fixture.ts';
import type { CallAnswer, Caller, ToolCall } from './spec/call.ts';

const never = new AbortController().signal;
const tool = registered({ requires_approval: true });
const done = failure('', 'It ran.');

/** What ran where, and what is told of the answer. */
function folder(approve: Hands['approve']) {
  const ran: [name: string, call: ToolCall][] = [];
  const answers: CallAnswer[] = [];
  const named = (name: string): FolderInterpreters =>
    ({
      needsApproval: () => Promise.resolve(true),
      run: (_signal: AbortSignal, _tool: unknown, call: ToolCall) => {
        ran.push([name, call]);
        return Promise.resolve(done);
      },
    }) as unknown as FolderInterpreters;
  const open: { now: FolderInterpreters | null } = { now: named('first') };
  const run = runInFolder(() => open.now, approve);
  const watch = {
    onStart: () => undefined,
    onAnswer: (answer: CallAnswer) => answers.push(answer),
    onStream: () => undefined,
  };
  const call = (caller: Caller) => run(never, tool, toolCall('c', caller), watch);
  return {
    call,
    ran,
    answers,
    openNext: () => (open.now = named('next')),
    close: () => (open.now = null),
  };
}

const answer: CallAnswer = { approval: 'once', reason: '', arguments: '{"n": 2}' };

test('the person is not asked about their own call', async () => {
  const { call, ran, answers } = folder(() => Promise.reject(new Error('asked')));
  expect(await call('person')).toBe(done);
  expect([ran, answers]).toEqual([[['first', toolCall('c', 'person')]], []]);
});

test('a call that is refused does not run', async () => {
  const refusal = failure('approval_required', 'No.');
  const denied: CallAnswer = { approval: 'deny', reason: 'no' };
  const { call, ran, answers } = folder(() => Promise.resolve({ answer: denied, refusal }));
  expect(await call('model')).toBe(refusal);
  expect([ran, answers]).toEqual([[], [denied]]);
});

test('it runs with the arguments that were allowed, in the folder that is open by then', async () => {
  const { call, ran, answers, openNext } = folder(() => {
    openNext();
    return Promise.resolve({ answer, refusal: null });
  });
  expect(await call('http')).toBe(done);
  expect(ran).toEqual([['next', { ...toolCall('c', 'http'), arguments: '{"n": 2}' }]]);
  expect(answers).toEqual([answer]);
});

test('where no folder is open any more, nothing runs', async () => {
  const { call, ran, close } = folder(() => {
    close();
    return Promise.resolve({ answer, refusal: null });
  });
  await expect(call('http')).rejects.toMatchObject({ code: 'no-folder' });
  expect(ran).toEqual([]);
});
