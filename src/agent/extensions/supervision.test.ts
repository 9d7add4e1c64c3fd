/** The deadline of each kind of function, what happens when it passes, and which functions are listed as slow. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import type { Json } from '../../runtime/spec/json.ts';
import { ExtensionsWorld } from './extensions.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
const done = () => Promise.resolve(failure('', 'ran'));
const message = { session: 's', turnId: 't', steering: false, context: [] };

/** Calls a function of each kind, whose number is 1. Resolves to the outcome. */
const uses: Readonly<Record<string, (made: ExtensionsWorld) => Promise<string>>> = {
  before: async (made) => (await made.call('{}', done)).textResultForLlm,
  after: async (made) => (await made.call('{}', done)).textResultForLlm,
  message_hook: async ({ hooks }) => {
    const parts = [{ type: 'text', text: 'hi' }] as const;
    await hooks.messages.run({ ...message, parts }, () => Promise.resolve());
    return 'sent';
  },
  event_handler: ({ calls }) => {
    calls.emit({ type: 'call-started', callId: 'c', at: 1 });
    return Promise.resolve('observed');
  },
  command: async ({ shown }) => {
    await shown.commands[0]?.run('', 's');
    return 'ran';
  },
  complete: async ({ shown }) => String(await shown.commands[0]?.complete?.(never, '')),
  shortcut: async ({ shown }) => {
    await shown.shortcuts[0]?.run('s');
    return 'ran';
  },
  renderer: async ({ shown }) =>
    JSON.stringify(await shown.renderers[0]?.render(never, '{}', false)),
  compactor: async ({ hooks }) => {
    const asked = {
      session: 's',
      model: { provider: 'p', model: 'm' },
      messages: [],
      ask: () => Promise.resolve([]),
      countUsage: () => undefined,
    };
    const report = (): void => undefined;
    return (await hooks.compactors.compact(never, asked, () => 0, report)).summary;
  },
};

const entries: Readonly<Record<string, Json>> = {
  before: { kind: 'interceptor', name: 'n', priority: 1, before: 1, after: null },
  after: { kind: 'interceptor', name: 'n', priority: 1, before: null, after: 1 },
  message_hook: { kind: 'message_hook', name: 'n', priority: 0, run: 1 },
  event_handler: { kind: 'event_handler', name: 'n', priority: 0, run: 1 },
  command: { kind: 'command', name: 'n', description: '', run: 1, complete: null, immediate: true },
  complete: { kind: 'command', name: 'n', description: '', run: 2, complete: 1, immediate: true },
  shortcut: { kind: 'shortcut', name: 'ctrl+shift+g', description: '', run: 1 },
  renderer: { kind: 'renderer', name: 'n', run: 1 },
  compactor: { kind: 'compactor', name: 'n', threshold: 1, run: 1 },
};

async function world(kind: string, answer: () => Promise<Json>) {
  const registered = [entries[kind] ?? null];
  return new ExtensionsWorld({ registered, functions: { 1: answer, 2: () => null } }).settled();
}

test.each([
  // Guards fail closed: nothing passes that the extension has not answered.
  ['before', 5_000, 'was refused: The interceptor n of extension failed: it took longer than 5 s'],
  ['after', 5_000, 'withheld: The interceptor n of extension failed: it took longer than 5 s'],
  ['message_hook', 5_000, 'The message hook n of extension failed: it took longer than 5 s'],
  // Observers fail open: nobody notices but the list of faults.
  ['event_handler', 5_000, 'observed'],
  ['command', 5_000, 'ran'],
  ['shortcut', 5_000, 'ran'],
  ['complete', 5_000, 'it took longer than 5 s'],
  ['renderer', 5_000, 'it took longer than 5 s'],
  ['compactor', 60_000, 'it took longer than 60 s'],
])('%s has its deadline, and costs its extension alone', async (kind, deadlineMs, outcome) => {
  const made = await world(kind, () => new Promise(() => undefined));
  const using = uses[kind]?.(made) ?? Promise.reject(new Error('unknown'));
  const ended = using.then(
    (value) => value,
    (thrown: unknown) => String(thrown),
  );
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(deadlineMs - 1);
  expect(made.view()).toMatchObject({ state: 'running', faults: [] });
  await vi.advanceTimersByTimeAsync(1);
  expect(await ended).toContain(outcome);
  await vi.advanceTimersByTimeAsync(0);
  expect(made.view().state).toBe('restarting');
  const words = `took longer than ${deadlineMs / 1_000} s`;
  expect(made.view().faults.some((fault) => fault.message.includes(words))).toBe(true);
  // While an extension is down, only its guards stay registered.
  const isGuard = kind === 'before' || kind === 'after';
  expect(made.view().registered.map(({ active }) => active)).toEqual([isGuard]);
  await vi.advanceTimersByTimeAsync(500);
  expect(made.view().state).toBe('running');
  expect(made.view().registered.map(({ active }) => active)).toEqual([true]);
});

test('register(app) has ten seconds, and nothing is active if it takes longer', async () => {
  const made = new ExtensionsWorld({ registered: [entries.command ?? null], hangs: true });
  await vi.advanceTimersByTimeAsync(9_999);
  expect(made.view().state).toBe('starting');
  await vi.advanceTimersByTimeAsync(1);
  await made.settled();
  expect(made.view()).toMatchObject({ state: 'failed', registered: [] });
  expect(made.view().faults[0]?.message).toContain('took longer than 10 s');
});

test.each(Object.keys(uses))('%s is named as slow after 50 ms, and not before', async (kind) => {
  for (const [ms, named] of [
    [40, false],
    [60, true],
  ] as const) {
    const answer = kind === 'complete' || kind === 'renderer' || kind === 'compactor' ? [] : null;
    const made = await world(
      kind,
      () =>
        new Promise((resolve) => {
          setTimeout(resolve, ms, kind === 'message_hook' ? { text: '' } : answer);
        }),
    );
    const using = uses[kind]?.(made);
    await vi.advanceTimersByTimeAsync(100);
    await using;
    expect([ms, made.view().slow.length > 0]).toEqual([ms, named]);
    expect(made.view()).toMatchObject({ calls: 1, faults: [] });
    expect(made.view().spentMs).toBeGreaterThanOrEqual(ms);
  }
});

test('it is started again after 0.5, 2 and 8 seconds, and not a fourth time', async () => {
  const made = await world('command', () => Promise.resolve(null));
  for (const waitMs of [500, 2_000, 8_000]) {
    const { length } = made.pythons;
    made.python.die();
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect([made.pythons.length, made.view().state]).toEqual([length, 'restarting']);
    expect(made.shown.commands).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect([made.pythons.length, made.view().state]).toEqual([length + 1, 'running']);
    expect(made.shown.commands).toHaveLength(1);
  }
  made.python.die();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([made.pythons.length, made.view().state]).toEqual([4, 'failed']);
  expect(made.view().faults.at(-1)?.message).toContain('ended 4 times');
});

test('Stop does not wait for a guard that hangs', async () => {
  for (const kind of ['before', 'after']) {
    const made = await world(kind, () => new Promise(() => undefined));
    const stop = new AbortController();
    const calling = made.call('{}', done, stop.signal);
    await vi.advanceTimersByTimeAsync(10);
    stop.abort();
    let isOver = false;
    void calling.then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(100);
    expect([kind, isOver]).toEqual([kind, true]);
  }
});

test('a notice says why a command, a shortcut or a choice from a picker failed', async () => {
  const failing = entries.command ?? null;
  const shortcut: Json = { kind: 'shortcut', name: 'ctrl+shift+h', description: '', run: 1 };
  const opening = {
    kind: 'command',
    name: 'open',
    description: '',
    run: 2,
    complete: null,
    immediate: true,
  };
  const items = [{ label: 'One', detail: '' }];
  const made = await new ExtensionsWorld({
    registered: [failing, shortcut, opening],
    functions: {
      1: () => new Error('no such colour'),
      2: () => ({ action: 'show_picker', title: 'Which?', run: 1, items }),
    },
  }).settled();
  const told = (): readonly string[] => made.shown.notices.map(({ text }) => text);
  const [fails, opens] = made.shown.commands;
  await opens?.run('', 's');
  expect(told()).toEqual([]);
  await fails?.run('', 's');
  await made.shown.shortcuts[0]?.run('s');
  made.shown.pickers.close(made.shown.pickers.current?.id ?? -1, 0);
  await vi.advanceTimersByTimeAsync(0);
  const words = 'of extension failed: ValueError: no such colour';
  expect(told()).toEqual([
    `The command /n ${words}`,
    `The shortcut ctrl+shift+h ${words}`,
    `The picker Which? ${words}`,
  ]);
  expect(made.shown.notices[0]).toMatchObject({ file: 'extension.py', stays: false });
  expect(made.view().faults).toHaveLength(3);
});

test('a failure of work that the user did not ask for is listed, without a notice', async () => {
  const made = await world('event_handler', () => Promise.reject(new Error('broken')));
  await uses.event_handler?.(made);
  await vi.advanceTimersByTimeAsync(10);
  expect(made.view().faults).not.toEqual([]);
  expect(made.shown.notices).toEqual([]);
});
