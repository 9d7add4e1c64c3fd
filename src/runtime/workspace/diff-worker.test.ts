import { expect, test } from 'vitest';
import type { DiffQuestion, FileDiff } from '../protocol/diff.ts';
import { fileComparer } from './diff-worker.ts';

const question: DiffQuestion = { before: new Uint8Array(), after: new Uint8Array([97]) };
const never = new AbortController().signal;

class FakeWorker extends EventTarget {
  asked: unknown = null;
  ended = false;
  postMessage(data: unknown): void {
    this.asked = data;
  }
  terminate(): void {
    this.ended = true;
  }
}

const compare = (signal: AbortSignal, worker: FakeWorker): Promise<FileDiff> =>
  fileComparer(() => worker as unknown as Worker)(signal, question);

test('the answer ends the worker', async () => {
  const worker = new FakeWorker();
  const found = compare(never, worker);
  worker.dispatchEvent(new MessageEvent('message', { data: { kind: 'binary' } }));
  expect(await found).toEqual({ kind: 'binary' });
  expect([worker.asked, worker.ended]).toEqual([question, true]);
});

test('its death is an error', async () => {
  const worker = new FakeWorker();
  const found = compare(never, worker);
  worker.dispatchEvent(new Event('error'));
  await expect(found).rejects.toThrow('The comparison has failed');
  expect(worker.ended).toBe(true);
});

test('an abort ends the worker', async () => {
  const worker = new FakeWorker();
  const stop = new AbortController();
  const found = compare(stop.signal, worker);
  stop.abort();
  await expect(found).rejects.toThrow('Comparing the files was cancelled');
  expect(worker.ended).toBe(true);
});
