/** All that can happen to a request into the sandbox: answer, throw, death, deadline, abort. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolError } from '../spec/error.ts';
import { race } from './race.ts';

const never = new Promise<never>(() => undefined);
const { signal } = new AbortController();
const alive = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('race', () => {
  it('gives the answer', async () => {
    await expect(race(signal, Promise.resolve(1), alive, 10, 'It')).resolves.toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('passes on what the reply throws', async () => {
    const reply = Promise.reject(new Error('bug'));
    await expect(race(signal, reply, alive, 10, 'It')).rejects.toThrow('bug');
  });

  it('ends with the loss of the other side', async () => {
    const life = new AbortController();
    const raced = race(signal, never, life.signal, 10, 'It');
    life.abort(new ToolError('crashed', 'gone'));
    await expect(raced).rejects.toMatchObject({ code: 'crashed' });
    await expect(race(signal, never, life.signal, 10, 'It')).rejects.toMatchObject({
      code: 'crashed',
    });
  });

  it('ends at its deadline', async () => {
    const raced = race(signal, never, alive, 2_000, 'It');
    const ended = expect(raced).rejects.toMatchObject({
      code: 'timeout',
      message: 'It took longer than 2 s',
    });
    await vi.advanceTimersByTimeAsync(2_000);
    await ended;
  });

  it('ends when its signal aborts, before or later', async () => {
    const stop = new AbortController();
    const raced = race(stop.signal, never, alive, Infinity, 'It');
    stop.abort();
    await expect(raced).rejects.toMatchObject({ code: 'aborted' });
    await expect(race(stop.signal, never, alive, Infinity, 'It')).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});
