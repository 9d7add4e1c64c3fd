/** Each way in which a wait ends: answer, throw, death, deadline, abort. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolError } from '../spec/error.ts';
import { pause, wait } from './wait.ts';

const never = new Promise<never>(() => undefined);
const { signal } = new AbortController();
const alive = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('wait', () => {
  it('resolves with the answer', async () => {
    await expect(
      wait(signal, Promise.resolve(1), { lost: alive, deadlineMs: 10, what: 'It' }),
    ).resolves.toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects with the error of the reply', async () => {
    const reply = Promise.reject(new Error('bug'));
    await expect(wait(signal, reply, { lost: alive, deadlineMs: 10, what: 'It' })).rejects.toThrow(
      'bug',
    );
  });

  it('rejects when the other side is lost', async () => {
    const life = new AbortController();
    const raced = wait(signal, never, { lost: life.signal, deadlineMs: 10, what: 'It' });
    life.abort(new ToolError('crashed', 'gone'));
    await expect(raced).rejects.toMatchObject({ code: 'crashed' });
    await expect(
      wait(signal, never, { lost: life.signal, deadlineMs: 10, what: 'It' }),
    ).rejects.toMatchObject({
      code: 'crashed',
    });
  });

  it('rejects at its deadline', async () => {
    const raced = wait(signal, never, { lost: alive, deadlineMs: 2_000, what: 'It' });
    const ended = expect(raced).rejects.toMatchObject({
      code: 'timeout',
      message: 'It took longer than 2 s',
    });
    await vi.advanceTimersByTimeAsync(2_000);
    await ended;
  });

  it('rejects when its signal aborts, before or during the wait', async () => {
    const stop = new AbortController();
    const raced = wait(stop.signal, never, { lost: alive, deadlineMs: Infinity, what: 'It' });
    stop.abort();
    await expect(raced).rejects.toMatchObject({ code: 'aborted' });
    await expect(
      wait(stop.signal, never, { lost: alive, deadlineMs: Infinity, what: 'It' }),
    ).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('rejects with the reason of the abort, or the error of `onAbort`, if no subject is given', async () => {
    const reason = new Error('enough');
    const stop = new AbortController();
    const waiting = wait(stop.signal, never);
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const late = Promise.reject(new Error('late'));
    await expect(wait(stop.signal, late)).rejects.toBe(reason);
    const other = new Error('other');
    await expect(wait(stop.signal, never, { onAbort: () => other })).rejects.toBe(other);
  });
});

describe('pause', () => {
  it('lasts the given time, and rejects when its signal aborts', async () => {
    const over = expect(pause(signal, 5)).resolves.toBeUndefined();
    await vi.advanceTimersByTimeAsync(5);
    await over;
    const stop = new AbortController();
    const stopped = expect(pause(stop.signal, 5)).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await stopped;
    expect(vi.getTimerCount()).toBe(0);
  });
});
