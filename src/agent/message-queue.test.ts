import { expect, test } from 'vitest';
import { LiveState } from './live-state.ts';
import { MessageQueue } from './message-queue.ts';

const parts = [{ type: 'text', text: 'Hello' }] as const;
const stopped = { id: 'a', parts, stopped: 'no secrets' };

function queueWithStopped(): MessageQueue {
  const queue = new MessageQueue(new LiveState(() => undefined));
  queue.putBack([stopped]);
  return queue;
}

test('a message that was taken back steers nothing, though a stopped one waits', () => {
  const queue = queueWithStopped();
  queue.add('b', parts);
  expect(queue.steered().aborted).toBe(true);
  queue.remove('b');
  expect([queue.steered().aborted, queue.take()]).toEqual([false, []]);
});

test('one of two messages that was taken back leaves the other to steer, until it is taken', () => {
  const queue = queueWithStopped();
  queue.add('b', parts);
  queue.add('c', parts);
  queue.remove('b');
  expect(queue.steered().aborted).toBe(true);
  expect(queue.take()).toMatchObject([{ id: 'c' }]);
  expect(queue.steered().aborted).toBe(false);
});

test('a call under way is steered, though a stopped message was taken back since it began', () => {
  const queue = queueWithStopped();
  const steered = queue.steered();
  queue.remove('a');
  queue.add('b', parts);
  expect(steered.aborted).toBe(true);
});
