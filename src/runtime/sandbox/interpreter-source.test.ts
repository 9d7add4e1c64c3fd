/** Which of several frames is used, what happens to the others, and how starts are reported. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openAnswering, StartStatus } from './interpreter-source.ts';
import type { SandboxFrame } from './frame.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = () => Promise<boolean>;

const never: Answer = () => new Promise(() => undefined);
const atOnce: Answer = () => Promise.resolve(true);
const after =
  (ms: number): Answer =>
  () =>
    new Promise((resolve) => setTimeout(resolve, ms, true));

/** Opens frames whose brokers answer in the given ways, and records what happens to each. */
function fakeFrames(...answers: Answer[]) {
  const log: string[] = [];
  const listeners: (() => void)[] = [];
  const open = (): Promise<SandboxFrame> => {
    const number = listeners.length;
    log.push(`open ${number}`);
    return Promise.resolve({
      broker: { ping: answers[number] },
      onGone: (listener: () => void) => listeners.push(listener),
      remove: () => log.push(`remove ${number}`),
      number,
    } as unknown as SandboxFrame);
  };
  return { log, open, vanish: (number: number) => listeners[number]?.() };
}

const signal = (): AbortSignal => new AbortController().signal;

/** Returns the outcome within this time; the message if it rejected. */
async function inTime(ms: number, opened: Promise<SandboxFrame>): Promise<unknown> {
  let came: unknown = 'nothing';
  opened.then(
    (frame) => (came = (frame as unknown as { number: number }).number),
    (thrown: unknown) => (came = String(thrown)),
  );
  await vi.advanceTimersByTimeAsync(ms);
  return came;
}

it('uses the first frame that answers', async () => {
  const { log, open } = fakeFrames(atOnce);
  expect(await inTime(0, openAnswering(signal(), open))).toBe(0);
  expect(log).toEqual(['open 0']);
});

it('replaces a frame that does not answer', async () => {
  const { log, open } = fakeFrames(never, atOnce);
  const opened = openAnswering(signal(), open);
  expect(await inTime(2_999, opened)).toBe('nothing');
  expect(await inTime(2, opened)).toBe(1);
  expect(log).toEqual(['open 0', 'remove 0', 'open 1']);
});

it('waits longer for the next frame, because the machine may be busy', async () => {
  const { log, open } = fakeFrames(never, after(7_000));
  expect(await inTime(11_000, openAnswering(signal(), open))).toBe(1);
  expect(log).toEqual(['open 0', 'remove 0', 'open 1']);
});

it('gives up and removes all frames when none answers', async () => {
  const { log, open } = fakeFrames(never, never, never);
  const message = await inTime(32_000, openAnswering(signal(), open));
  expect(message).toContain('Starting the sandbox took longer than 20 s');
  expect(log).toEqual(['open 0', 'remove 0', 'open 1', 'remove 1', 'open 2', 'remove 2']);
});

it('immediately replaces a frame that was removed from the page', async () => {
  const { log, open, vanish } = fakeFrames(never, atOnce);
  const opened = openAnswering(signal(), open);
  expect(await inTime(10, opened)).toBe('nothing');
  vanish(0);
  expect(await inTime(0, opened)).toBe(1);
  expect(log).toEqual(['open 0', 'remove 0', 'open 1']);
});

it('opens no other frame after an abort', async () => {
  const { log, open } = fakeFrames(never, atOnce);
  const stop = new AbortController();
  const opened = openAnswering(stop.signal, open);
  expect(await inTime(10, opened)).toBe('nothing');
  stop.abort();
  expect(await inTime(0, opened)).toContain('Starting the sandbox was cancelled');
  expect(log).toEqual(['open 0', 'remove 0']);
});

it('rejects with the error of opening a frame', async () => {
  const opened = openAnswering(signal(), () => Promise.reject(new Error('no files')));
  await expect(opened).rejects.toThrow('no files');
});

function listening(): { status: StartStatus; reported: string[] } {
  const reported: string[] = [];
  const status = new StartStatus((state, text) => reported.push(`${state} ${text}`.trim()));
  return { status, reported };
}

it('reports the progress of a start and its outcome', () => {
  const { status, reported } = listening();
  status.started();
  status.progress('loading');
  status.ready();
  status.started();
  status.failed('no memory');
  expect(reported).toEqual(['starting loading', 'ready', 'failed no memory']);
});

it('is off after a cancelled first start, and ready after a cancelled later one', () => {
  const { status, reported } = listening();
  status.started();
  status.progress('loading');
  status.aborted();
  status.started();
  status.ready();
  status.started();
  status.progress('loading');
  status.aborted();
  expect(reported).toEqual(['starting loading', 'off', 'ready', 'starting loading', 'ready']);
});

it('keeps the status of the other start when one of two is cancelled', () => {
  const { status, reported } = listening();
  status.started();
  status.started();
  status.progress('loading');
  status.aborted();
  expect(reported).toEqual(['starting loading']);
  status.ready();
  expect(reported).toEqual(['starting loading', 'ready']);
});
