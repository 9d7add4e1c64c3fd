/** Compares two versions of a file in a separate worker, which ends with the comparison. */

import { wait } from '../async/wait.ts';
import type { DiffQuestion, FileDiff } from '../protocol/diff.ts';

/** The worker limits the comparison itself; this deadline is for a worker that never answers. */
const deadlineMs = 10_000;

export type CompareFiles = (signal: AbortSignal, question: DiffQuestion) => Promise<FileDiff>;

/** @param start starts the worker; an `error` event of the worker means that it has died */
export function fileComparer(start: () => Worker): CompareFiles {
  return async (signal, question) => {
    signal.throwIfAborted();
    const worker = start();
    const answer = new Promise<FileDiff>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<FileDiff>) => resolve(data));
      worker.addEventListener('error', () => reject(new Error('The comparison has failed')));
    });
    worker.postMessage(question);
    try {
      return await wait(signal, answer, { deadlineMs, what: 'Comparing the files' });
    } finally {
      worker.terminate();
    }
  };
}

export function startDiffWorker(): Worker {
  return new Worker(new URL('../../../workers/diff/differ.ts', import.meta.url), {
    type: 'module',
    name: 'diff',
  });
}
