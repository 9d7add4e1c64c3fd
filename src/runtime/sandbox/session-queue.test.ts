/** The queue of jobs: order, cancellation, and removal from the middle. */

import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { WorkJob } from './interpreter-slot.ts';
import { JobQueue } from './session-queue.ts';

function work(what: string, signal: AbortSignal): WorkJob {
  return { kind: 'work', signal, what, run: () => Promise.resolve(true), refuse: () => undefined };
}

it('reports a job that is cancelled while queued, and keeps the order of the others', () => {
  const cancelled: unknown[] = [];
  const queue = new JobQueue((job) => cancelled.push(job));
  const { signal } = new AbortController();
  const stop = new AbortController();
  const a = work('a', signal);
  const b = work('b', stop.signal);
  const c = work('c', signal);
  for (const job of [a, b, c]) {
    queue.add(job);
    queue.watch(job);
  }
  stop.abort();
  expect([cancelled, queue.size, queue.first]).toEqual([[b], 2, a]);
  expect([queue.drain(), queue.size]).toEqual([[a, c], 0]);
});

it('removes its listener from a long-lived signal, however a job leaves', () => {
  const queue = new JobQueue(() => undefined);
  const { signal } = new AbortController();
  const jobs = ['a', 'b', 'c', 'd'].map((what) => work(what, signal));
  for (const job of jobs) {
    queue.add(job);
    queue.watch(job);
  }
  expect(getEventListeners(signal, 'abort').length).toBe(4);
  if (queue.first) queue.remove(queue.first);
  const found = queue.find((job) => job === jobs[2]);
  if (found) queue.remove(found);
  expect([queue.size, getEventListeners(signal, 'abort').length]).toEqual([2, 2]);
  queue.drain();
  expect([queue.size, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
});

it('watches no job that leaves at once, and finds a signal that aborted before the job was watched', () => {
  const cancelled: unknown[] = [];
  const queue = new JobQueue((job) => cancelled.push(job));
  const stop = new AbortController();
  const gone = work('gone', stop.signal);
  const late = work('late', stop.signal);
  queue.add(gone);
  queue.remove(gone);
  queue.watch(gone);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  queue.add(late);
  stop.abort();
  queue.watch(late);
  expect([cancelled, queue.size]).toEqual([[late], 0]);
});
