/** A build is stored in a worker: it answers, fails, dies, and is ended by an abort. */

import { expect, it, vi } from 'vitest';
import { FakeWorker } from '../../runtime/async/fake-worker.fixture.ts';
import { buildStorer, type StoreWorker } from './store-build.ts';

const base = new URL('https://app.example/');

function storing(store: StoreWorker['store']) {
  const worker = new FakeWorker({ store });
  const stored: number[] = [];
  const stop = new AbortController();
  const work = buildStorer(
    () => worker as unknown as Worker,
    base,
    'b1',
  )(stop.signal, (done) => stored.push(done));
  return { worker, stored, stop, work };
}

const never = (): Promise<null> => new Promise(() => undefined);

it('reports the progress, and ends the worker', async () => {
  const asked: string[] = [];
  const { worker, stored, work } = storing(async (...[address, build, onStored]) => {
    asked.push(address, build);
    onStored(1, 2);
    onStored(2, 2);
    await vi.waitFor(() => expect(stored).toHaveLength(2));
    return null;
  });
  await work;
  expect([asked, stored, worker.terminated]).toEqual([[base.href, 'b1'], [1, 2], true]);
});

it('throws the failure of the worker', async () => {
  const failure = { code: 'storage', message: 'full', hint: 'Free up space.' } as const;
  const { worker, work } = storing(() => Promise.resolve(failure));
  await expect(work).rejects.toMatchObject(failure);
  expect(worker.terminated).toBe(true);
});

it('fails if the worker dies', async () => {
  const { worker, work } = storing(never);
  worker.dispatchEvent(new Event('error'));
  await expect(work).rejects.toThrow('has stopped');
});

it('ends the worker if it is aborted', async () => {
  const { worker, stop, work } = storing(never);
  stop.abort();
  await expect(work).rejects.toThrow();
  expect(worker.terminated).toBe(true);
});
