/** What a page that follows shows of a turn that another page runs. */

import { expect, test } from 'vitest';
import { replayed } from '../session/reduce.ts';
import { stamped, wholeTurn } from '../session/session.fixture.ts';
import { followedLive } from './followed-live.ts';
import { idle } from './live.ts';

test('what a turn is at elsewhere is told from its log', () => {
  const phases = wholeTurn.map((fact, n) => {
    const state = replayed('s', stamped(wholeTurn.slice(0, n + 1)));
    return `${fact.type} ${followedLive(state, null, []).phase}`;
  });
  expect(phases).toEqual([
    ...['created idle', 'model idle', 'selected idle', 'message idle', 'titled idle'],
    ...['turn-began asking', 'step-began asking', 'step-ended calling', 'call-began calling'],
    ...['call-ended asking', 'step-began asking', 'step-ended asking', 'turn-ended idle'],
  ]);
});

test('a step that streams there is shown, and what waits here stays', () => {
  const state = replayed('s', stamped(wholeTurn.slice(0, 7)));
  const queue = [{ id: 'q', parts: [] }];
  const parts = [{ type: 'text', text: 'I lo' }] as const;
  expect(followedLive(state, { stepId: 'step-1', parts }, queue)).toEqual({
    ...idle,
    ...{ phase: 'streaming', stepId: 'step-1', parts, queue },
  });
});
