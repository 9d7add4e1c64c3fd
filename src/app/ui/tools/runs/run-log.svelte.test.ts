import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createObservers } from '../../../../runtime/hooks/observe.ts';
import type { LoggedCall } from '../../../../runtime/spec/call.ts';
import { sampleCall, sampleLoggedCall } from '../../../../../tests/support/ui-samples.ts';
import { RunLog } from './run-log.svelte.ts';

const searches: string[] = vi.hoisted(() => []);

// Takes half a second, as it would in a long log.
vi.mock(import('../../../../runtime/call/log-search.ts'), () => ({
  searchCalls(signal, calls, text) {
    searches.push(text);
    const found = calls.filter((entry) => entry.call.arguments.includes(text));
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('Aborted.'));
      });
      setTimeout(() => {
        resolve(found);
      }, 500);
    });
  },
}));

beforeEach(() => {
  searches.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function fakeLog() {
  const observers = createObservers<undefined>((error) => {
    throw error;
  });
  let entries: LoggedCall[] = [];
  const open: { folder: string | null } = { folder: 'weather' };
  const log = new RunLog(
    {
      recent: (max) => entries.slice(0, max),
      get: (id) => entries.find((entry) => entry.id === id),
      get count() {
        return entries.length;
      },
      get bytes() {
        return entries.length * 100;
      },
      clear() {
        entries = [];
        observers.emit(undefined);
        return Promise.resolve();
      },
      mark(id, mark) {
        entries = entries.map((entry) => (entry.id === id ? { ...entry, mark } : entry));
        observers.emit(undefined);
        return mark.pinned ? entries.filter((entry) => entry.mark?.pinned).length <= 2 : true;
      },
      pinned: () => entries.filter((entry) => entry.mark?.pinned),
      observe: (listener) => observers.observe(listener),
    },
    () => open.folder,
  );
  const call = (n: number, over: Parameters<typeof sampleCall>[0] = {}, cut = false): void => {
    const made = sampleCall({ id: `call-${String(n)}`, arguments: `{"n": ${String(n)}}`, ...over });
    entries.unshift(sampleLoggedCall({ call: made, cut }));
    observers.emit(undefined);
    vi.advanceTimersByTime(200);
  };
  return { log, call, open };
}

test('an ended call is listed first', () => {
  const { log, call } = fakeLog();
  call(1);
  call(2);
  expect(log.entries.map((entry) => entry.id)).toEqual(['call-2', 'call-1']);
  expect([log.count, log.bytes, log.more, log.get('call-1')?.id]).toEqual([
    2,
    200,
    false,
    'call-1',
  ]);
});

test('a long log is listed in pages', () => {
  const { log, call } = fakeLog();
  for (let n = 0; n < 150; n += 1) call(n);
  expect([log.entries.length, log.more]).toEqual([100, true]);
  log.showMore();
  expect([log.entries.length, log.more]).toEqual([150, false]);
});

test('fast typing searches rarely, and finally for the last query', async () => {
  const { log, call } = fakeLog();
  call(1);
  call(22);
  for (const query of ['"', '"n', '"n"', '"n": ', '"n": 2']) log.search(query);
  // Until something is found, what was shown stays.
  await vi.advanceTimersByTimeAsync(300);
  expect(log.entries).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(500);
  expect(log.entries.map((entry) => entry.id)).toEqual(['call-22']);
  expect([log.query, new Set(searches).size <= 2]).toEqual(['"n": 2', true]);
});

test('a query ends the search for an earlier one, and an empty one shows the latest calls at once', async () => {
  const { log, call } = fakeLog();
  call(1);
  call(2);
  log.search('1');
  await vi.advanceTimersByTimeAsync(300);
  log.search('2');
  await vi.advanceTimersByTimeAsync(300);
  log.search('');
  await vi.advanceTimersByTimeAsync(250);
  expect(log.entries).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(log.entries).toHaveLength(2);
});

test('calls that end during a search are found after it', async () => {
  const { log, call } = fakeLog();
  call(11);
  log.search('1');
  await vi.advanceTimersByTimeAsync(250);
  call(12);
  call(13);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(log.entries.map((entry) => entry.id)).toEqual(['call-13', 'call-12', 'call-11']);
  expect(searches).toEqual(['1', '1']);
});

test('recalled arguments are unique, newest first, of this tool, from the user, and complete', () => {
  const { log, call } = fakeLog();
  call(1);
  call(2, { tool: 'other:tool' });
  call(3, { caller: 'http' });
  call(4, {}, true);
  call(5);
  call(6, { arguments: '{"n": 1}' });
  expect(log.earlierArguments(sampleCall().tool)).toEqual(['{"n": 1}', '{"n": 5}']);
  expect(log.ofTool('other:tool', 5).map((entry) => entry.id)).toEqual(['call-2']);
});

test('clearing empties the list', async () => {
  const { log, call } = fakeLog();
  call(1);
  await log.clear();
  vi.advanceTimersByTime(300);
  expect([log.entries, log.count]).toEqual([[], 0]);
});

// A tool with the same name in another folder is different code, possibly by another author.
test('arguments of a tool in one folder are not recalled for its namesake in another', () => {
  const { log, call, open } = fakeLog();
  call(1);
  const { tool } = sampleCall();
  expect([log.earlierArguments(tool), log.ofTool(tool, 5).length]).toEqual([['{"n": 1}'], 1]);
  for (open.folder of ['other', '', null])
    expect([log.earlierArguments(tool), log.ofTool(tool, 5)]).toEqual([[], []]);
  expect(log.entries).toHaveLength(1);
});

test('pinned runs come first, also those that are older than the first page', () => {
  const { log, call } = fakeLog();
  for (let n = 0; n < 150; n += 1) call(n);
  expect([log.pin('call-3', true), log.pin('call-140', true)]).toEqual([true, true]);
  log.name('call-3', 'Baseline');
  vi.advanceTimersByTime(200);
  expect(log.entries.slice(0, 3).map(({ id }) => id)).toEqual(['call-140', 'call-3', 'call-149']);
  expect([log.get('call-3')?.mark?.name, log.get('call-3')?.mark?.pinned]).toEqual([
    'Baseline',
    true,
  ]);
  expect(log.ofTool('weather_tools:get_temperatures', 2).length).toBeLessThanOrEqual(2);
  expect(log.pin('call-5', true)).toBe(false);
});

test('up to four runs are chosen to be compared, and runs that are gone are not', async () => {
  const { log, call } = fakeLog();
  for (let n = 0; n < 6; n += 1) call(n);
  for (const n of [0, 1, 2, 3, 4]) log.choose(`call-${String(n)}`, true);
  log.choose('call-2', false);
  expect(log.chosen).toEqual(['call-1', 'call-3', 'call-4']);
  await log.clear();
  vi.advanceTimersByTime(200);
  expect(log.chosen).toEqual([]);
});

test('calls of a program are below it, unless they are pinned or the program is not listed', () => {
  const { log, call } = fakeLog();
  const of = { caller: 'program' as const, parent: 'program' };
  for (const n of [1, 2, 3]) call(n, of);
  call(4, { caller: 'program', parent: 'other' });
  call(5, { id: 'program', tool: 'run_python', caller: 'model' });
  log.pin('call-2', true);
  vi.advanceTimersByTime(300);
  const shown = log.programs.map(({ entry, made }) => [entry.id, made.map(({ id }) => id)]);
  expect(shown).toEqual([
    ['call-2', []],
    ['program', ['call-3', 'call-1']],
    ['call-4', []],
  ]);
});
