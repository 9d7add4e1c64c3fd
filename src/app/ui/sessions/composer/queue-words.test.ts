/** What queued messages wait for. */

import { expect, test } from 'vitest';
import { queueWait } from './queue-words.ts';

const call = (name: string, interruptible = true) => ({ name, interruptible });

test('while calls run, a message waits for them, and an interruption cancels those that allow it', () => {
  expect(queueWait('calling', [call('a')], 'GPT')).toEqual({
    words: 'Sent when a has ended.',
    interrupts: 'Cancels a.',
  });
  expect(queueWait('calling', [call('a'), call('a'), call('b', false)], 'GPT')).toEqual({
    words: 'Sent when a and b have ended.',
    interrupts: 'Cancels a. Waits for b, which cannot be interrupted.',
  });
  expect(queueWait('paused', [call('a'), call('b'), call('c')], '').words).toBe(
    'Sent when a and 2 others have ended.',
  );
});

test('nothing can be interrupted if no call may be cancelled', () => {
  expect(queueWait('calling', [call('a', false)], 'GPT')).toEqual({
    words: 'Sent when a has ended. This tool does not allow interruption.',
    interrupts: '',
  });
  expect(queueWait('calling', [call('a', false), call('b', false)], 'GPT').words).toBe(
    'Sent when a and b have ended. These tools do not allow interruption.',
  );
});

test.each([
  ['idle', 'Sent before your next message.'],
  ['asking', 'Sent when GPT has answered.'],
  ['streaming', 'Sent when GPT has answered.'],
  ['waiting', 'Sent with the next attempt.'],
  ['compacting', 'Sent when earlier messages are summarised.'],
  ['paused', 'Sent with the next step.'],
  ['calling', 'Sent with the next request to GPT.'],
] as const)('without calls, while %s', (phase, words) => {
  expect(queueWait(phase, [], 'GPT')).toEqual({ words, interrupts: '' });
});
