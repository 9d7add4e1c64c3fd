/** Compares two versions of a file in a separate worker, which ends with the comparison. */

import type { MessageTap } from '../protocol/message-tap.ts';
import { askOnce } from '../async/worker-client.ts';
import type { DiffQuestion, DiffWorker, FileDiff } from '../protocol/diff.ts';

/** The worker limits the comparison itself; this deadline is for a worker that never answers. */
const deadlineMs = 10_000;

export type CompareFiles = (signal: AbortSignal, question: DiffQuestion) => Promise<FileDiff>;

export function fileComparer(start: () => Worker): CompareFiles {
  const diedError = (): Error => new Error('The comparison has failed');
  return (signal, question) =>
    askOnce<DiffWorker, FileDiff>(
      signal,
      { start, died: diedError },
      async (worker): Promise<FileDiff> => worker.compare(question),
      { deadlineMs, what: 'Comparing the files' },
    );
}

export function startDiffWorker(tap: MessageTap): Worker {
  const worker = new Worker(new URL('../../../workers/diff/differ.ts', import.meta.url), {
    type: 'module',
    name: 'diff',
  });
  return tap.watch('diff', worker);
}
