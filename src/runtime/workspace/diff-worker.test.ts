import { expect, test } from 'vitest';
import { FakeWorker } from '../async/fake-worker.fixture.ts';
import type { DiffQuestion } from '../protocol/diff.ts';
import { fileComparer } from './diff-worker.ts';

const question: DiffQuestion = { before: new Uint8Array(), after: new Uint8Array([97]) };
const { signal } = new AbortController();

test('two versions are compared in a worker, which ends with the answer', async () => {
  const asked: unknown[] = [];
  const worker = new FakeWorker({
    compare: (given: unknown) => {
      asked.push(given);
      return { kind: 'binary' };
    },
  });
  const compare = fileComparer(() => worker as unknown as Worker);
  expect(await compare(signal, question)).toEqual({ kind: 'binary' });
  expect([asked, worker.terminated]).toEqual([[question], true]);
});

test('the death of the worker is an error', async () => {
  const worker = new FakeWorker({ compare: () => new Promise(() => undefined) });
  const found = fileComparer(() => worker as unknown as Worker)(signal, question);
  worker.dispatchEvent(new Event('error'));
  await expect(found).rejects.toThrow('The comparison has failed');
});
