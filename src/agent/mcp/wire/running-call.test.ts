/** The limits of a call to an MCP server. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunningCall } from './running-call.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('neither limit counts the time in which the user is asked', async () => {
  const call = new RunningCall(1, { idle: 300, total: 1_000 });
  let answer = (): void => undefined;
  const asking = call.whileAsking(new Promise<void>((resolve) => (answer = resolve)));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(call.fault).toBeNull();
  answer();
  await asking;
  for (let n = 0; n < 9; n += 1) {
    await vi.advanceTimersByTimeAsync(100);
    call.heard();
  }
  expect(call.fault).toBeNull();
  await vi.advanceTimersByTimeAsync(100);
  expect(call.fault).toEqual({ cause: 'timeout', message: 'Its limit is 1 s.', status: null });
  expect(call.signal.aborted).toBe(true);
});
