/** An interpreter whose frame reports its loss. */

import { wrap } from 'comlink';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Broker, FromBroker, Loss } from '../protocol/frame.ts';
import type { LibraryFiles, PythonFiles } from '../protocol/python.ts';
import { toolCall } from '../spec/call.fixture.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { Interpreter } from './interpreter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A frame whose messages the test sends. */
function fakeFrame() {
  const [control, messages] = [new MessageChannel(), new MessageChannel()];
  const frame = {
    broker: wrap<Broker>(control.port1),
    messages: messages.port1,
    onGone: () => undefined,
    isConnected: () => true,
    remove: () => {
      control.port1.close();
      messages.port1.close();
    },
  };
  const say = (message: FromBroker): void => {
    messages.port1.onmessage?.(new MessageEvent('message', { data: message }));
  };
  return { frame, say };
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

it('starts before the libraries have arrived, and its deadline runs only from then on', async () => {
  const { frame } = fakeFrame();
  const asked: string[] = [];
  const broker = {
    ...{ start: () => (asked.push('start'), new Promise(() => undefined)) },
    ...{ addLibraries: () => asked.push('libraries'), ping: () => Promise.resolve(true) },
  };
  const python = new Interpreter('python-1', { ...frame, broker: broker as never });
  let arrive: (libraries: LibraryFiles) => void = () => undefined;
  const libraries = new Promise<LibraryFiles>((resolve) => (arrive = resolve));
  const start = python.start(
    new AbortController().signal,
    ...([{} as PythonFiles, libraries, null, defaultLimits, () => undefined] as const),
  );
  const failed = start.catch((thrown: unknown) => String(thrown));
  await vi.advanceTimersByTimeAsync(2 * defaultLimits.startMs);
  expect(asked).toEqual(['start']);
  arrive({} as LibraryFiles);
  await vi.advanceTimersByTimeAsync(defaultLimits.startMs - 1_000);
  expect(asked).toEqual(['start', 'libraries']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await failed).toContain('took longer than 120 s');
});
