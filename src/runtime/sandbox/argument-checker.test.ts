import { expect, test, vi } from 'vitest';
import { FakeWorker } from '../async/fake-worker.fixture.ts';
import type { ArgumentWorker } from '../protocol/argument-check.ts';
import { ArgumentChecker } from './argument-checker.ts';

const never = new AbortController().signal;
const wrong = { path: '$.a', pointer: '/a', message: 'is required' };
const hangs = (): never => new Promise(() => undefined) as never;

function started(check: ArgumentWorker['check']): {
  readonly checker: ArgumentChecker;
  readonly workers: readonly FakeWorker[];
} {
  const workers: FakeWorker[] = [];
  const checker = new ArgumentChecker(() => {
    const worker = new FakeWorker({ check });
    workers.push(worker);
    return worker as unknown as Worker;
  });
  return { checker, workers };
}

test('one worker answers all questions, and gets each schema once', async () => {
  const asked: unknown[] = [];
  const { checker, workers } = started((schema, args) => {
    asked.push([schema, args]);
    return args === '{"a":1}' ? [wrong] : [];
  });
  const first = checker.check(never, '{}', '{"a":1}');
  const second = checker.check(never, '{}', '{"a":2}');
  expect([await first, await second, workers.length]).toEqual([[wrong], [], 1]);
  expect(asked).toEqual([
    ['{}', '{"a":1}'],
    [null, '{"a":2}'],
  ]);
});

test('a check that takes too long ends the worker, and its schema is not tried again', async () => {
  vi.useFakeTimers();
  const asked: unknown[] = [];
  const { checker, workers } = started((schema) => {
    asked.push(schema);
    return schema === '{"slow":1}' ? hangs() : [];
  });
  const slow = checker.check(never, '{"slow":1}', '{}');
  const late = expect(slow).rejects.toThrow('Checking the arguments took longer than 3 s');
  await vi.advanceTimersByTimeAsync(3_000);
  await late;
  expect(workers[0]?.terminated).toBe(true);
  expect(await checker.check(never, '{"slow":1}', '{"a":1}')).toBeNull();
  vi.useRealTimers();
  // Another schema gets a new worker.
  expect([await checker.check(never, '{}', '{}'), asked.at(-1)]).toEqual([[], '{}']);
  expect(workers).toHaveLength(2);
});

test('its death is an error, and an abort leaves the worker to the next question', async () => {
  const { checker, workers } = started(hangs);
  const dies = checker.check(never, '{}', '{}');
  workers[0]?.dispatchEvent(new Event('error'));
  await expect(dies).rejects.toThrow('The check has failed');
  const stop = new AbortController();
  const aborted = checker.check(stop.signal, '{"b":1}', '{}');
  stop.abort();
  await expect(aborted).rejects.toThrow('Checking the arguments was cancelled');
  expect([workers.length, workers[1]?.terminated]).toEqual([2, false]);
  checker.dispose();
  expect(workers[1]?.terminated).toBe(true);
});
