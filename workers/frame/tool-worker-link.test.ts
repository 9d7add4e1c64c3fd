import { expect, it } from 'vitest';
import type { LibraryFiles, PythonFiles } from '../../src/protocol/python.ts';
import { mostSnapshotBytes } from '../../src/spec/snapshot.ts';
import { makeSnapshot } from './tool-worker-link.ts';

/** A worker that answers every message with `answer`, and the log of what was done to it. */
function fakeWorker(answer: unknown) {
  const log: string[] = [];
  const worker = {
    onmessage: (_event: { data: unknown }): void => undefined,
    postMessage: ({ op }: { op: string }) => {
      log.push(op);
      queueMicrotask(() => worker.onmessage({ data: answer }));
    },
    terminate: () => log.push('terminated'),
  };
  return { worker: worker as unknown as Worker, log };
}

const files = [{} as PythonFiles, {} as LibraryFiles] as const;

it('returns the snapshot, and terminates the worker', async () => {
  const snapshot = new Blob(['memory']);
  const { worker, log } = fakeWorker(snapshot);
  expect(await makeSnapshot(worker, ...files)).toEqual({ ok: true, value: snapshot });
  expect(log).toEqual(['make-snapshot', 'terminated']);
});

it.each([
  ['something that is not a snapshot', { size: 3 }],
  [
    'a snapshot that is too large',
    Object.defineProperty(new Blob(), 'size', { value: mostSnapshotBytes + 1 }),
  ],
])('rejects %s, and terminates the worker', async (_, answer) => {
  const { worker, log } = fakeWorker(answer);
  const loss = { reason: 'start', detail: 'the message was not a snapshot' };
  expect(await makeSnapshot(worker, ...files)).toEqual({ ok: false, loss });
  expect(log).toEqual(['make-snapshot', 'terminated']);
});
