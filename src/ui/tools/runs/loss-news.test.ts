import { expect, test } from 'vitest';
import { fakeLogged } from '../../../call/logged-call.fixture.ts';
import type { Caller } from '../../../spec/call.ts';
import type { ToolResult } from '../../../spec/result.ts';
import { LossNews } from './loss-news.ts';

function told(...ends: readonly (Partial<ToolResult> & { caller?: Caller; session?: string })[]) {
  const news = new LossNews();
  return ends.map(({ caller = 'person', session = '', ...result }, n) => {
    const { call, result: whole } = fakeLogged(n, result);
    const mine = { ...call, caller, sessionId: session };
    news.take({ type: 'call-ended', call: mine, result: whole, at: n });
    return news.has(call.id);
  });
}

const lost = { stateLost: true };
const stopped = { resultType: 'failure', error: 'cancelled' } as const;

test('the first result after a loss is news, those after it are not', () => {
  expect(told(stopped, lost, lost, lost)).toEqual([false, true, false, false]);
});

test('each loss is news once', () => {
  expect(told(lost, { ...stopped, ...lost }, lost, lost)).toEqual([true, false, true, false]);
  expect(told(lost, {}, lost)).toEqual([true, false, true]);
});

test('what others call, and other sessions, take no news away', () => {
  expect(told({ ...lost, caller: 'http' }, { ...lost, session: 's' }, lost)).toEqual([
    false,
    false,
    true,
  ]);
});
