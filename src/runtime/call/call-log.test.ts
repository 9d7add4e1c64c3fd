/** The call log. */

import { expect, onTestFinished, test, vi } from 'vitest';
import type { LoggedCall } from '../spec/call.ts';
import { CallLog, type CallLogDeps, type CallStore } from './call-log.ts';
import { exportCalls, searchCalls } from './log-search.ts';
import { fakeLogged } from './logged-call.fixture.ts';

interface Bench {
  readonly log: CallLog;
  /** The contents of the store, oldest first. */
  readonly stored: LoggedCall[];
  readonly failures: string[];
  /** Lets the time before a write pass. */
  pass(): Promise<void>;
  /** Timers that are running. */
  readonly waiting: (() => void)[];
}

function bench(over: Partial<CallLogDeps> & { stored?: LoggedCall[] } = {}): Bench {
  const { stored = [], ...deps } = over;
  const waiting: (() => void)[] = [];
  const failures: string[] = [];
  const log = new CallLog({
    store: memoryStore(stored),
    limits: { logCalls: 100, logBytes: 1_000_000 },
    pages: null,
    onStorageFailure: (message) => failures.push(message),
    after: (_ms, then) => waiting.push(then),
    report: (thrown) => {
      throw thrown;
    },
    ...deps,
  });
  const pass = async (): Promise<void> => {
    for (const then of waiting.splice(0)) then();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { log, stored, failures, pass, waiting };
}

function memoryStore(stored: LoggedCall[]): CallStore {
  return {
    async load(take) {
      await Promise.resolve();
      stored.forEach(take);
    },
    write(added, dropped) {
      stored.push(...added);
      const kept = stored.filter(({ id }) => !dropped.includes(id));
      stored.splice(0, stored.length, ...kept);
      return Promise.resolve();
    },
    begin: () => Promise.resolve(),
    begun: () => Promise.resolve([]),
    clear() {
      stored.length = 0;
      return Promise.resolve();
    },
  };
}

function failingStore(message: string): CallStore {
  const fail = (): Promise<never> => Promise.reject(new Error(message));
  return { load: fail, write: fail, begin: fail, begun: fail, clear: fail };
}

function ids(calls: readonly LoggedCall[]): string[] {
  return calls.map(({ id }) => id);
}

test('entries are available at once, and are written later in one batch', async () => {
  const { log, stored, pass, waiting } = bench();
  log.add(fakeLogged(1));
  log.add(fakeLogged(2));
  expect([log.count, log.get('call-1'), log.get('call-9')]).toEqual([2, fakeLogged(1), undefined]);
  expect([stored.length, waiting.length]).toEqual([0, 1]);
  await pass();
  expect(stored).toEqual([fakeLogged(1), fakeLogged(2)]);
  log.add(fakeLogged(3));
  await pass();
  expect(ids(stored)).toEqual(['call-1', 'call-2', 'call-3']);
});

test('flush writes pending entries, as at the end of the page', async () => {
  const { log, stored, pass } = bench();
  log.add(fakeLogged(1));
  await log.flush();
  expect(ids(stored)).toEqual(['call-1']);
  await pass();
  expect(ids(stored)).toEqual(['call-1']);
});

test('recent entries come newest first', () => {
  const { log } = bench();
  for (const n of [1, 2, 3]) log.add(fakeLogged(n));
  expect([ids(log.recent(2)), ids(log.recent(9)), ids(log.recent(0))]).toEqual([
    ['call-3', 'call-2'],
    ['call-3', 'call-2', 'call-1'],
    [],
  ]);
});

test('beyond the limit of calls the oldest are dropped, also from the store', async () => {
  const { log, stored, pass } = bench({ limits: { logCalls: 2, logBytes: 1_000_000 } });
  log.add(fakeLogged(1));
  await pass();
  for (const n of [2, 3, 4]) log.add(fakeLogged(n));
  await pass();
  expect([ids(log.recent(9)), ids(stored), log.get('call-1')]).toEqual([
    ['call-4', 'call-3'],
    ['call-3', 'call-4'],
    undefined,
  ]);
});

test('beyond the limit of bytes the oldest are dropped', () => {
  const { log } = bench({ limits: { logCalls: 100, logBytes: 10_000 } });
  for (const n of [1, 2, 3]) log.add(fakeLogged(n, { stdout: 'x'.repeat(4_000) }));
  expect(ids(log.recent(9))).toEqual(['call-3', 'call-2']);
});

test('a huge call is cut before it is stored', async () => {
  const { log, stored, pass } = bench();
  log.add(fakeLogged(1, { textResultForLlm: 'x'.repeat(3_000_000) }));
  await pass();
  expect([log.get('call-1')?.cut, stored[0]?.cut]).toEqual([true, true]);
  expect(stored[0]?.result.textResultForLlm).toHaveLength(200_000);
});

test('calls of earlier visits come before those added meanwhile, each once', async () => {
  const { log, stored, pass } = bench({ stored: [fakeLogged(1), fakeLogged(2)] });
  const loading = log.load();
  log.add(fakeLogged(3));
  await log.flush();
  await loading;
  expect(ids(log.recent(9))).toEqual(['call-3', 'call-2', 'call-1']);
  await pass();
  expect(ids(stored)).toEqual(['call-1', 'call-2', 'call-3']);
});

test('a store over the limit is trimmed', async () => {
  const stored = [1, 2, 3, 4].map((n) => fakeLogged(n));
  const { log, pass } = bench({ stored, limits: { logCalls: 2, logBytes: 1_000_000 } });
  await log.load();
  await pass();
  expect([ids(log.recent(9)), ids(stored)]).toEqual([
    ['call-4', 'call-3'],
    ['call-3', 'call-4'],
  ]);
});

test('the same call twice counts once', () => {
  const { log } = bench({ limits: { logCalls: 100, logBytes: 10_000 } });
  for (let n = 0; n < 5; n += 1) log.add(fakeLogged(1, { stdout: 'x'.repeat(4_000) }));
  log.add(fakeLogged(2));
  expect(ids(log.recent(9))).toEqual(['call-2', 'call-1']);
});

test('search finds every word, in any case, newest first', async () => {
  const { log } = bench();
  log.add(fakeLogged(1, { stdout: 'Counting SHEEP' }));
  log.add(fakeLogged(2, { error: 'ValueError: no such city' }, '{"city":"Ulan Bator"}'));
  log.add(fakeLogged(3, { textResultForLlm: 'rain (0.5 mm)' }));
  const { signal } = new AbortController();
  const found = async (text: string): Promise<string[]> =>
    ids(await searchCalls(signal, log.recent(Infinity), text));
  expect({
    sheep: await found('sheep counting'),
    bator: await found('ulan valueerror'),
    tool: await found('WEATHER:today'),
    pattern: await found('(0.5'),
    both: await found('sheep rain'),
    empty: await found('  '),
  }).toEqual({
    sheep: ['call-1'],
    bator: ['call-2'],
    tool: ['call-3', 'call-2', 'call-1'],
    pattern: ['call-3'],
    both: [],
    empty: ['call-3', 'call-2', 'call-1'],
  });
});

test('a search of a large log runs in slices, and stops if it is aborted', async () => {
  const { log } = bench();
  for (let n = 0; n < 100; n += 1) log.add(fakeLogged(n));
  // Each look at the clock costs 3 ms, so that a slice is over after a few calls, however fast the machine is.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 3));
  onTestFinished(() => {
    clock.mockRestore();
  });
  let tasks = 0;
  let next: NodeJS.Immediate;
  const count = (): void => {
    tasks += 1;
    next = setImmediate(count);
  };
  count();
  expect(await searchCalls(new AbortController().signal, log.recent(Infinity), 'y z')).toEqual([]);
  clearImmediate(next!);
  expect(tasks).toBeGreaterThan(10);
  const stop = new AbortController();
  const searching = searchCalls(stop.signal, log.recent(Infinity), 'y z');
  stop.abort(new Error('Enough.'));
  await expect(searching).rejects.toThrow('Enough.');
});

test('clear drops everything, also entries not yet written', async () => {
  const { log, stored, pass } = bench({ stored: [fakeLogged(1)] });
  await log.load();
  log.add(fakeLogged(2));
  await log.clear();
  await pass();
  expect([log.count, log.recent(9), stored]).toEqual([0, [], []]);
});

test('exports one line of JSON for each call, oldest first', async () => {
  const { log } = bench();
  const tricky = fakeLogged(2, { stdout: 'a\nb\u2028c' });
  log.add(fakeLogged(1));
  log.add(tricky);
  const text = await (await exportCalls(log.recent(Infinity).reverse())).text();
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([fakeLogged(1), tricky]);
});

test('a large export is complete', async () => {
  const { log } = bench({ limits: { logCalls: 100, logBytes: 50_000_000 } });
  for (let n = 0; n < 12; n += 1) log.add(fakeLogged(n, { stdout: 'x'.repeat(900_000) }));
  const text = await (await exportCalls(log.recent(Infinity).reverse())).text();
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as LoggedCall).id),
  ).toEqual(Array.from({ length: 12 }, (_, n) => `call-${n}`));
});

test('without a working store it continues in memory, and reports that once', async () => {
  const { log, failures, pass } = bench({ store: failingStore('storage is blocked') });
  await log.load();
  log.add(fakeLogged(1));
  await pass();
  log.add(fakeLogged(2));
  await pass();
  await log.clear();
  log.add(fakeLogged(3));
  expect(failures).toEqual(['The call log cannot be stored: storage is blocked']);
  expect(ids(log.recent(9))).toEqual(['call-3']);
});

test('a store that fails twice at once is reported once', async () => {
  const { log, failures } = bench({ store: failingStore('full') });
  log.add(fakeLogged(1));
  await Promise.all([log.flush(), log.load()]);
  expect(failures).toEqual(['The call log cannot be stored: full']);
  expect(log.count).toBe(1);
});

test('adding does not wait, however slow the store is', () => {
  const forever = (): Promise<never> => new Promise(() => undefined);
  const store = { load: forever, write: forever, begin: forever, begun: forever, clear: forever };
  const { log, waiting } = bench({ store });
  void log.load();
  for (let n = 0; n < 50; n += 1) {
    log.add(fakeLogged(n));
    for (const then of waiting.splice(0)) then();
  }
  expect(log.count).toBe(50);
});

test('a call is found by its key, the latest of several, for as long as it is logged', async () => {
  const rejoin = { key: 'k', fingerprint: 'f' };
  const keyed = (n: number): LoggedCall => {
    const logged = fakeLogged(n);
    return { ...logged, call: { ...logged.call, rejoin } };
  };
  const { log } = bench({ stored: [keyed(1)], limits: { logCalls: 2, logBytes: 1_000_000 } });
  expect(log.keyed('k')).toBeUndefined();
  void log.load();
  await log.loaded;
  expect(log.keyed('k')?.id).toBe('call-1');
  log.add(keyed(2));
  log.add(fakeLogged(3));
  expect(log.keyed('k')?.id).toBe('call-2');
  log.add(fakeLogged(4));
  expect(log.keyed('k')).toBeUndefined();
});

test('a call whose page was closed is found as crashed, and no longer as running', async () => {
  const { id, at, call, folder, folderId } = fakeLogged(1);
  const begun = [{ id, at, call, folder, folderId, page: 'gone' }];
  const over: string[] = [];
  const stored: LoggedCall[] = [];
  const store: CallStore = {
    ...memoryStore(stored),
    begun: () => Promise.resolve(begun),
    write: (added, _dropped, ended) => {
      stored.push(...added);
      over.push(...ended);
      return Promise.resolve();
    },
  };
  const pages = { own: 'here', living: () => Promise.resolve(new Set(['here'])) };
  const { log, pass } = bench({ store, pages });
  await log.load();
  expect(log.get('call-1')?.result).toMatchObject({ error: 'crashed', stateLost: true });
  await pass();
  expect([ids(stored), over]).toEqual([['call-1'], ['call-1']]);
});

test('if an approval cannot be stored, the record that says that the call did not run is deleted', async () => {
  const records = new Set<string>();
  const writes: (readonly (readonly unknown[])[])[] = [];
  let isFull = false;
  const store: CallStore = {
    ...memoryStore([]),
    begin: (begun) => {
      if (isFull) return Promise.reject(new Error('full'));
      for (const { id } of begun) records.add(id);
      return Promise.resolve();
    },
    write: (...given) => {
      writes.push(given);
      for (const id of given[2]) records.delete(id);
      return Promise.resolve();
    },
  };
  const pages = { own: 'here', living: () => Promise.resolve(new Set(['here'])) };
  const { log, pass, failures } = bench({ store, pages });
  const { call } = fakeLogged(1);
  const { approving } = log.beginEntry(call, 5, { folder: 'tools', folderId: 'f' });
  expect(approving?.('waiting')).toBeNull();
  await pass();
  expect([...records]).toEqual(['call-1']);
  isFull = true;
  await approving?.('given');
  expect([...records]).toEqual([]);
  expect(writes).toEqual([[[], [], ['call-1']]]);
  expect(failures).toEqual(['The call log cannot be stored: full']);
});

test('a call that ended just before its page closed has its own result', async () => {
  const { id, at, call, folder, folderId } = fakeLogged(1);
  const store: CallStore = {
    ...memoryStore([fakeLogged(1)]),
    begun: () => Promise.resolve([{ id, at, call, folder, folderId, page: 'gone' }]),
  };
  const pages = { own: 'here', living: () => Promise.resolve(new Set(['here'])) };
  const { log } = bench({ store, pages });
  await log.load();
  expect(log.get('call-1')?.result.resultType).toBe('success');
});

test('an entry has the folder that was open when its call started, and the arguments of the run', () => {
  const { log } = bench();
  const { call, result } = fakeLogged(1);
  const folder = { folder: 'tools', folderId: 'f' };
  const { accepted, end } = log.beginEntry(call, 5, folder);
  expect(accepted).toBeNull();
  end(result, 9, '{"changed": 1}');
  const asRun = { ...call, arguments: '{"changed": 1}' };
  expect(log.get(call.id)).toEqual({
    id: call.id,
    call: asRun,
    result,
    at: 9,
    cut: false,
    ...folder,
  });
});

test('observers are notified of ended calls, of loading and of clearing', async () => {
  const { log } = bench({ stored: [fakeLogged(1)] });
  const counts: number[] = [];
  const dispose = log.observe(() => counts.push(log.count));
  await log.load();
  log.add(fakeLogged(2));
  await log.clear();
  dispose();
  log.add(fakeLogged(3));
  expect(counts).toEqual([1, 2, 0]);
});
