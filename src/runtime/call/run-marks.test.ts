/** Names and pins of runs in the call log. */

import { expect, test } from 'vitest';
import type { LoggedCall } from '../spec/call.ts';
import { CallLog, maxPinned, type CallLogDeps } from './call-log.ts';
import { searchCalls } from './log-search.ts';
import { fakeLogged } from './logged-call.fixture.ts';

function logOf(stored: LoggedCall[] = [], limits: Partial<CallLogDeps['limits']> = {}) {
  const waiting: (() => void)[] = [];
  const log = new CallLog({
    store: {
      load(take) {
        stored.forEach(take);
        return Promise.resolve();
      },
      write(added, dropped) {
        stored.push(...added);
        const kept = stored.filter(({ id }) => !dropped.includes(id));
        stored.splice(0, stored.length, ...kept);
        return Promise.resolve();
      },
      begin: () => Promise.resolve(),
      begun: () => Promise.resolve([]),
      clear: () => Promise.resolve(void (stored.length = 0)),
    },
    limits: { logCalls: 3, logBytes: 1_000_000, ...limits },
    pages: null,
    onStorageFailure: (message) => expect.unreachable(message),
    after: (_ms, then) => waiting.push(then),
    report: (thrown) => expect.unreachable(String(thrown)),
  });
  const pass = async (): Promise<void> => {
    for (const then of waiting.splice(0)) then();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { log, stored, pass };
}

const pin = { name: '', pinned: true, at: 50 };
const ids = (calls: readonly LoggedCall[]): string[] => calls.map(({ id }) => id);

test('a mark survives a reload, in whatever order the store returns entries', async () => {
  const { log, stored, pass } = logOf();
  log.add(fakeLogged(1));
  await pass();
  expect(log.mark('call-1', { name: '  Before the fix ', pinned: true, at: 9 })).toBe(true);
  await pass();
  for (const order of [stored, [...stored].reverse()]) {
    const next = logOf(order).log;
    await next.load();
    expect([next.count, next.get('call-1')?.mark]).toEqual([
      1,
      { name: 'Before the fix', pinned: true, at: 9 },
    ]);
  }
  expect(log.mark('unknown', pin)).toBe(false);
});

test('a mark set before the run was written is written once', async () => {
  const { log, stored, pass } = logOf();
  log.add(fakeLogged(1));
  log.mark('call-1', pin);
  await pass();
  expect(stored.map(({ mark }) => mark)).toEqual([pin]);
});

test('a mark does not change the order, and the log drops pinned runs last', () => {
  const { log } = logOf();
  for (const n of [1, 2, 3]) log.add(fakeLogged(n));
  log.mark('call-1', pin);
  expect(ids(log.recent(9))).toEqual(['call-3', 'call-2', 'call-1']);
  log.add(fakeLogged(4));
  expect(ids(log.recent(9))).toEqual(['call-4', 'call-3', 'call-1']);
  expect(ids(log.pinned())).toEqual(['call-1']);
  for (const id of ['call-3', 'call-4']) log.mark(id, pin);
  log.add(fakeLogged(5));
  // All others are pinned: the newest is the only one that may go.
  expect(ids(log.recent(9))).toEqual(['call-4', 'call-3', 'call-1']);
});

test('pinned runs above the limit of the log are dropped too', () => {
  const { log } = logOf([], { logBytes: 3_000 });
  log.add(fakeLogged(1));
  log.mark('call-1', pin);
  log.add(fakeLogged(2, { stdout: 'x'.repeat(2_900) }));
  expect(log.bytes).toBeLessThanOrEqual(3_000);
});

test('the number of pinned runs is limited', () => {
  const { log } = logOf([], { logCalls: 1_000 });
  for (let n = 0; n <= maxPinned; n += 1) log.add(fakeLogged(n));
  const marks = Array.from({ length: maxPinned + 1 }, (_, n) => log.mark(`call-${String(n)}`, pin));
  expect(marks.filter((done) => done).length).toBe(maxPinned);
  expect([marks.at(-1), log.mark('call-0', pin)]).toEqual([false, true]);
  log.mark('call-0', { ...pin, pinned: false });
  expect(log.mark(`call-${String(maxPinned)}`, pin)).toBe(true);
});

test('clearing keeps pinned runs, until there are no others', async () => {
  const { log, stored } = logOf();
  log.add(fakeLogged(1));
  log.add(fakeLogged(2));
  log.mark('call-1', pin);
  await log.clear();
  expect([ids(log.recent(9)), ids(stored)]).toEqual([['call-1'], ['call-1']]);
  await log.clear();
  expect([log.count, stored]).toEqual([0, []]);
});

test('a search finds names, updates, the log and metadata', async () => {
  const { log } = logOf([], { logCalls: 10 });
  log.add(fakeLogged(1, { updates: [{ n: 0, json: '{"step": "Resizing"}' }] }));
  log.add(fakeLogged(2, { log: [{ level: 'info', message: 'Opened the archive' }] }));
  log.add(fakeLogged(3, { metadata: '{"model": "v7"}' }));
  log.add(fakeLogged(4));
  log.mark('call-4', { name: 'Baseline', pinned: false, at: 1 });
  const found = async (words: string): Promise<string[]> =>
    ids(await searchCalls(new AbortController().signal, log.recent(Infinity), words));
  expect([
    await found('resizing'),
    await found('ARCHIVE'),
    await found('model v7'),
    await found('baseline'),
    await found('nothing'),
  ]).toEqual([['call-1'], ['call-2'], ['call-3'], ['call-4'], []]);
});
