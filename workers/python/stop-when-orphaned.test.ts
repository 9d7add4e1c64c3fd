import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OrphanWatch } from './stop-when-orphaned.ts';

const load = vi.fn<(address: string) => void>();

beforeEach(() => {
  vi.useFakeTimers();
  load.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Python that has run for some milliseconds. Returns the signal that it finds then. */
function running() {
  const watch = new OrphanWatch('blob:alive', load);
  let pending: ArrayLike<number> = [];
  watch.watch({ setInterruptBuffer: (buffer) => (pending = buffer) });
  watch.rest();
  const after = (ms: number): number | undefined => {
    vi.advanceTimersByTime(ms);
    return pending[0];
  };
  return { watch, after };
}

const fail = () => {
  throw new Error('NetworkError');
};

it('looks only after Python has run for a while, and not at each question', () => {
  const { watch, after } = running();
  expect([after(99), after(0)]).toEqual([0, 0]);
  expect(load).not.toHaveBeenCalled();
  expect([after(1), after(1), after(98)]).toEqual([0, 0, 0]);
  expect(load.mock.calls).toEqual([['blob:alive']]);
  watch.rest();
  after(99);
  expect(load).toHaveBeenCalledTimes(1);
});

it('interrupts again and again when the broker is gone', () => {
  const { after } = running();
  load.mockImplementation(fail);
  expect([after(100), after(20), after(1), after(20)]).toEqual([0, 2, 0, 2]);
});

it('does not interrupt for one failure', () => {
  const { after } = running();
  load.mockImplementationOnce(fail);
  expect([after(100), after(20), after(20), after(100)]).toEqual([0, 0, 0, 0]);
  expect(load).toHaveBeenCalledTimes(3);
});
