/** An interpreter whose frame reports its loss. */

import { wrap } from 'comlink';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Broker, FromBroker, Loss, OrLost } from '../protocol/frame.ts';
import type { PythonFiles } from '../protocol/python.ts';
import { toolCall } from '../spec/call.fixture.ts';
import type { Inspection, PackedInspection, RegisteredTool } from '../spec/tool.ts';
import { defaultLimits } from '../spec/limits.ts';
import { Interpreter } from './interpreter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A frame whose messages the test sends. */
function fakeFrame() {
  const control = new MessageChannel();
  const messages = new MessageChannel();
  const hear = vi.fn<() => void>();
  const frame = {
    broker: wrap<Broker>(control.port1),
    messages: messages.port1,
    onGone: () => undefined,
    onMessage: (listener: () => void) => hear.mockImplementation(listener),
    isConnected: () => true,
    remove: () => {
      control.port1.close();
      messages.port1.close();
    },
  };
  const say = (message: FromBroker): void => {
    messages.port1.onmessage?.(new MessageEvent('message', { data: message }));
  };
  return { frame, say, hear };
}

/** A call in a new interpreter, with the messages sent since. */
function calling() {
  const { frame, say } = fakeFrame();
  const asked: { readonly type: string; readonly id: number }[] = [];
  frame.messages.postMessage = (message: (typeof asked)[number]) => asked.push(message);
  const python = new Interpreter('python-1', frame);
  const begin = () => {
    const tool = { name: 'm:f', parameters: {}, source: { file: 'm.py' } };
    const answer = () => new Promise<never>(() => undefined);
    return python.call(
      ...([tool as RegisteredTool, toolCall('c'), '{}', defaultLimits, { answer }] as const),
    ).outcome;
  };
  return { say, asked, begin };
}

const loss: Loss = { reason: 'crashed', detail: 'out of memory' };

it('accepts no call after its loss, and reports the loss after pending answers had time to arrive', async () => {
  const { frame, say } = fakeFrame();
  const interpreter = new Interpreter('python-1', frame);
  const reported: Loss[] = [];
  void interpreter.ended.then((ended) => reported.push(ended));
  say({ type: 'lost', loss });
  expect(interpreter.alive).toBe(false);
  await vi.advanceTimersByTimeAsync(49);
  expect(reported).toEqual([]);
  await vi.advanceTimersByTimeAsync(2);
  expect([reported, interpreter.alive]).toEqual([[loss], false]);
});

it('lets a long answer arrive completely before it reports the loss', async () => {
  const { say, asked, begin } = calling();
  const outcome = begin();
  const id = asked[0]?.id ?? -1;
  say({ type: 'text', id, piece: { nth: 1, text: 'long' } });
  say({ type: 'lost', loss });
  await vi.advanceTimersByTimeAsync(1_000);
  say({ type: 'outcome', id, outcome: { ok: false, loss: { reason: 'start', detail: '' } } });
  expect(await outcome).toEqual({ ok: false, loss: { reason: 'start', detail: 'long' } });
  expect(asked.map(({ type }) => type)).toEqual(['call', 'taken']);
});

it('reports the loss even if a long answer never arrives completely', async () => {
  const { say, asked, begin } = calling();
  const outcome = begin();
  say({ type: 'text', id: asked[0]?.id ?? -1, piece: { nth: 1, text: 'long' } });
  say({ type: 'lost', loss });
  await vi.advanceTimersByTimeAsync(5_100);
  expect(await outcome).toEqual({ ok: false, loss });
});

it('ends a call that starts in a lost interpreter', async () => {
  const { say, begin } = calling();
  say({ type: 'lost', loss });
  await vi.advanceTimersByTimeAsync(51);
  expect(await begin()).toEqual({ ok: false, loss });
});

it('begins to start while files are still arriving, and its deadline runs only from then on', async () => {
  const { frame } = fakeFrame();
  const asked: string[] = [];
  const broker = {
    start: () => (asked.push('start'), new Promise(() => undefined)),
    ping: () => Promise.resolve(true),
  };
  const python = new Interpreter('python-1', { ...frame, broker: broker as never });
  let arrive: (done: null) => void = () => undefined;
  const arrived = new Promise<null>((resolve) => (arrive = resolve));
  const start = python.start(
    new AbortController().signal,
    ...([{} as PythonFiles, arrived, null, defaultLimits, () => undefined] as const),
  );
  const failed = start.catch((thrown: unknown) => String(thrown));
  await vi.advanceTimersByTimeAsync(2 * defaultLimits.startMs);
  expect(asked).toEqual(['start']);
  arrive(null);
  let isOver = false;
  void failed.then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(defaultLimits.startMs - 1_000);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await failed).toContain('took longer than 120 s');
});

it('is not lost while its broker sends messages, although it answers no ping', async () => {
  const { frame, hear } = fakeFrame();
  const python = new Interpreter('python-1', frame);
  for (let second = 0; second < 60; second += 5) {
    await vi.advanceTimersByTimeAsync(5_000);
    hear();
  }
  expect(python.alive).toBe(true);
  await vi.advanceTimersByTimeAsync(17_000);
  expect(python.alive).toBe(false);
});

const inspectedFile: PackedInspection = {
  file: 'a.py',
  tools: [],
  problems: [],
} as unknown as PackedInspection;

it('counts the time of the first import only from the end of what Python was asked to do before', async () => {
  const { frame } = fakeFrame();
  let answer: (reports: OrLost<readonly PackedInspection[]>) => void = () => undefined;
  const broker = {
    ping: () => Promise.resolve(true),
    inspect: () => new Promise((resolve) => (answer = resolve)),
  };
  const python = new Interpreter('python-1', { ...frame, broker: broker as never });
  const begin = (before: Promise<unknown>) => {
    const { signal } = new AbortController();
    const reports: string[] = [];
    const onReport = ({ file }: Inspection): void => void reports.push(file);
    const ended = python.inspect(signal, ['a.py'], defaultLimits, onReport, before).then(
      () => reports,
      (thrown: unknown) => String(thrown),
    );
    return { ended, reports };
  };
  const { importMs } = defaultLimits;
  let update: () => void = () => undefined;
  const { ended, reports } = begin(new Promise<void>((resolve) => (update = resolve)));
  await vi.advanceTimersByTimeAsync(2 * importMs);
  update();
  await vi.advanceTimersByTimeAsync(importMs - 100);
  answer({ ok: true, value: [inspectedFile] });
  expect(await ended).toEqual(['a.py']);
  expect(reports).toEqual(['a.py']);
  const late = begin(Promise.resolve());
  await vi.advanceTimersByTimeAsync(importMs + 100);
  expect(await late.ended).toContain('The import of a.py took longer than');
  expect(await begin(Promise.reject(new Error('no update'))).ended).toBe('Error: no update');
});
