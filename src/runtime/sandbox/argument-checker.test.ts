import { expect, test, vi } from 'vitest';
import type { ArgumentAnswer, ArgumentQuestion } from '../protocol/argument-check.ts';
import { ArgumentChecker } from './argument-checker.ts';

const never = new AbortController().signal;
const wrong = { path: '$.a', pointer: '/a', message: 'is required' };

class FakeWorker extends EventTarget {
  readonly asked: ArgumentQuestion[] = [];
  ended = false;
  postMessage(data: ArgumentQuestion): void {
    this.asked.push(data);
  }
  answer(answer: ArgumentAnswer): void {
    this.dispatchEvent(new MessageEvent('message', { data: answer }));
  }
  terminate(): void {
    this.ended = true;
  }
}

function started(): { checker: ArgumentChecker; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const checker = new ArgumentChecker(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker as unknown as Worker;
  });
  return { checker, workers };
}

test('one worker answers all questions, and gets each schema once', async () => {
  const { checker, workers } = started();
  const first = checker.check(never, '{}', '{"a":1}');
  const second = checker.check(never, '{}', '{"a":2}');
  workers[0]?.answer({ id: 2, errors: [] });
  workers[0]?.answer({ id: 1, errors: [wrong] });
  expect([await first, await second, workers.length]).toEqual([[wrong], [], 1]);
  expect(workers[0]?.asked).toEqual([
    { id: 1, schema: '{}', arguments: '{"a":1}' },
    { id: 2, arguments: '{"a":2}' },
  ]);
});

test('a check that takes too long ends the worker, and its schema is not tried again', async () => {
  vi.useFakeTimers();
  const { checker, workers } = started();
  const slow = checker.check(never, '{"slow":1}', '{}');
  const late = expect(slow).rejects.toThrow('Checking the arguments took longer than 3 s');
  await vi.advanceTimersByTimeAsync(3_000);
  await late;
  expect(workers[0]?.ended).toBe(true);
  expect(await checker.check(never, '{"slow":1}', '{"a":1}')).toBeNull();
  // Another schema gets a new worker.
  const other = checker.check(never, '{}', '{}');
  workers[1]?.answer({ id: 2, errors: [] });
  expect(await other).toEqual([]);
  vi.useRealTimers();
});

test('its death is an error, and an abort leaves the worker to the next question', async () => {
  const { checker, workers } = started();
  const dies = checker.check(never, '{}', '{}');
  workers[0]?.dispatchEvent(new Event('error'));
  await expect(dies).rejects.toThrow('The check has failed');
  const stop = new AbortController();
  const aborted = checker.check(stop.signal, '{"b":1}', '{}');
  stop.abort();
  await expect(aborted).rejects.toThrow('Checking the arguments was cancelled');
  expect([workers.length, workers[1]?.ended]).toEqual([2, false]);
  checker.dispose();
  expect(workers[1]?.ended).toBe(true);
});
