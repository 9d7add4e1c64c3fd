/** Claiming a session. */

import { expect, test, vi } from 'vitest';
import { SessionClaim, type ReleaseClaim, type SessionPages } from './session-claim.ts';

interface Asked {
  readonly steal: boolean;
  readonly onLost: () => void;
  answer(giveBack: ReleaseClaim | null): void;
}

function bench(): { claim: SessionClaim; asked: Asked[]; onLost: () => number } {
  const asked: Asked[] = [];
  const lost = vi.fn();
  const take: SessionPages['take'] = (_session, { steal = false, onLost = () => undefined } = {}) =>
    new Promise((answer) => {
      asked.push({ steal, onLost, answer });
    });
  return {
    claim: new SessionClaim({ take }, 's', lost),
    asked,
    onLost: () => lost.mock.calls.length,
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('a claim is held until another tab takes it, which is reported once', async () => {
  const { claim, asked, onLost } = bench();
  const taking = claim.take();
  await turn();
  asked[0]?.answer(() => Promise.resolve());
  expect([await taking, claim.held, await claim.take({ steal: true }), asked.length]).toEqual([
    true,
    true,
    true,
    1,
  ]);
  asked[0]?.onLost();
  expect([claim.held, onLost()]).toEqual([false, 1]);
});

test('a claim that another tab holds can be tried again', async () => {
  const { claim, asked } = bench();
  const both = [claim.take(), claim.take({ steal: true })];
  await turn();
  expect(asked.map(({ steal }) => steal)).toEqual([false]);
  asked[0]?.answer(null);
  await turn();
  asked[1]?.answer(() => Promise.resolve());
  expect([await Promise.all(both), asked.map(({ steal }) => steal)]).toEqual([
    [false, true],
    [false, true],
  ]);
});

test('a claim that is lost while it is taken is not held', async () => {
  const { claim, asked, onLost } = bench();
  const taking = claim.take();
  await turn();
  asked[0]?.answer(() => Promise.resolve());
  asked[0]?.onLost();
  expect([await taking, claim.held, onLost()]).toEqual([false, false, 0]);
});

test('closing releases the claim, also one that is granted later', async () => {
  const { claim, asked } = bench();
  const giveBack = vi.fn(() => Promise.resolve());
  const taking = claim.take();
  await turn();
  await claim.close();
  asked[0]?.answer(giveBack);
  expect([await taking, claim.held, giveBack.mock.calls.length]).toEqual([false, false, 1]);
  expect([await claim.take({ steal: true }), asked.length]).toEqual([false, 1]);
});
