/** Questions to a worker: answer, throw, death, deadline, abort. */

import { afterEach, expect, test, vi } from 'vitest';
import { FakeWorker } from './fake-worker.fixture.ts';
import { askOnce, WorkerClient } from './worker-client.ts';

interface Doubler {
  double(n: number): number | Promise<number>;
}

const { signal } = new AbortController();
const never = (): Promise<never> => new Promise(() => undefined);
const died = (): Error => new Error('It has died');
const doubler = (own: Partial<Doubler> = {}): FakeWorker =>
  new FakeWorker({ double: (n: number) => n * 2, ...own });

function clientOf(...workers: FakeWorker[]): WorkerClient<Doubler> {
  return new WorkerClient({ start: () => workers.shift() as unknown as Worker, died });
}

afterEach(() => {
  vi.useRealTimers();
});

test('one worker answers and throws', async () => {
  const client = clientOf(
    doubler({ double: (n) => (n > 1 ? Promise.reject(new Error('too large')) : n * 2) }),
  );
  const worker = client.connect();
  expect(await worker.ask(signal, worker.remote.double(1))).toBe(2);
  await expect(worker.ask(signal, worker.remote.double(2))).rejects.toThrow('too large');
  expect(client.connect()).toBe(worker);
});

test('its death rejects what waits, and the next question starts another worker', async () => {
  const dying = doubler({ double: never });
  const client = clientOf(dying, doubler());
  const worker = client.connect();
  const waiting = worker.ask(signal, worker.remote.double(1));
  dying.dispatchEvent(new Event('error'));
  await expect(waiting).rejects.toThrow('It has died');
  expect(dying.terminated).toBe(true);
  const next = client.connect();
  expect(await next.ask(signal, next.remote.double(2))).toBe(4);
});

test('a missed deadline ends the worker, and only its own question fails with the timeout', async () => {
  vi.useFakeTimers();
  const hanging = doubler({ double: never });
  const client = clientOf(hanging);
  const worker = client.connect();
  const limits = { deadlineMs: 1_000, what: 'Doubling' };
  const late = expect(worker.ask(signal, worker.remote.double(1), limits)).rejects;
  const other = expect(worker.ask(signal, worker.remote.double(2))).rejects;
  const both = Promise.all([
    late.toThrow('Doubling took longer than 1 s'),
    other.toThrow('It has died'),
  ]);
  await vi.advanceTimersByTimeAsync(1_000);
  await both;
  expect(hanging.terminated).toBe(true);
});

test('an abort leaves the worker to the other questions', async () => {
  const slow = doubler({ double: (n) => (n === 1 ? never() : n * 2) });
  const worker = clientOf(slow).connect();
  const stop = new AbortController();
  const aborted = worker.ask(stop.signal, worker.remote.double(1), { what: 'Doubling' });
  stop.abort();
  await expect(aborted).rejects.toThrow('Doubling was cancelled');
  expect([slow.terminated, await worker.ask(signal, worker.remote.double(2))]).toEqual([false, 4]);
});

test('a worker for one question ends with its answer, its error and its abort', async () => {
  const stop = new AbortController();
  const ask = (worker: FakeWorker): Promise<number> => {
    const options = { start: () => worker as unknown as Worker, died };
    const question = (remote: { double(n: number): Promise<number> }) => remote.double(1);
    return askOnce<Doubler, number>(stop.signal, options, question, { what: 'Doubling' });
  };
  const workers = [doubler(), doubler({ double: () => Promise.reject(new Error('bug')) })];
  const hanging = doubler({ double: never });
  expect(await ask(workers[0] ?? hanging)).toBe(2);
  await expect(ask(workers[1] ?? hanging)).rejects.toThrow('bug');
  const aborted = ask(hanging);
  stop.abort();
  await expect(aborted).rejects.toThrow('Doubling was cancelled');
  expect([...workers, hanging].map(({ terminated }) => terminated)).toEqual([true, true, true]);
});
