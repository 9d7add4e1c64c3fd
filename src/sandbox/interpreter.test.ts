/** An interpreter as its frame tells of it. */

import { wrap } from 'comlink';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Broker, FromBroker, Loss } from '../protocol/frame.ts';
import { Interpreter } from './interpreter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A frame that says what the test has it say. */
function fakeFrame() {
  const [control, messages] = [new MessageChannel(), new MessageChannel()];
  const frame = {
    broker: wrap<Broker>(control.port1),
    messages: messages.port1,
    onGone: () => undefined,
    isHere: () => true,
    remove: () => {
      control.port1.close();
      messages.port1.close();
    },
  };
  const say = (message: FromBroker): void => {
    messages.port1.onmessage?.(new MessageEvent('message', { data: message }));
  };
  return { frame, say };
}

it('takes no call from the moment of its loss, and tells those who wait when their answers had time', async () => {
  const { frame, say } = fakeFrame();
  const interpreter = new Interpreter('python-1', frame);
  const told: Loss[] = [];
  void interpreter.ended.then((ended) => told.push(ended));
  const loss: Loss = { reason: 'crashed', detail: 'out of memory' };
  say({ type: 'lost', loss });
  expect(interpreter.alive).toBe(false);
  await vi.advanceTimersByTimeAsync(49);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(2);
  expect([told, interpreter.alive]).toEqual([[loss], false]);
});
