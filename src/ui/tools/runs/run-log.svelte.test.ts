import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createObservers } from '../../../hooks/observe.ts';
import type { LoggedCall } from '../../../spec/call.ts';
import { sampleCall, sampleLoggedCall } from '../../../../tests/support/ui-samples.ts';
import { RunLog } from './run-log.svelte.ts';

beforeEach(() => {
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
  const searches: string[] = [];
  const open: { folder: string | null } = { folder: 'weather' };
  const log = new RunLog(
    {
      recent: (most) => entries.slice(0, most),
      search(text) {
        searches.push(text);
        return entries.filter((entry) => entry.call.arguments.includes(text));
      },
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
      export: () => Promise.resolve(new Blob(['{}\n'])),
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
  return { log, call, searches, open };
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

test('fast typing searches rarely, and finally for the last query', () => {
  const { log, call, searches } = fakeLog();
  call(1);
  call(22);
  for (const query of ['"', '"n', '"n"', '"n": ', '"n": 2']) log.search(query);
  vi.advanceTimersByTime(300);
  expect(log.entries.map((entry) => entry.id)).toEqual(['call-22']);
  expect([log.query, new Set(searches).size <= 2]).toEqual(['"n": 2', true]);
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
