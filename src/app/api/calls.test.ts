import { expect, test } from 'vitest';
import { ApiCall, ApiCalls, CallFeed, streamStart } from './calls.ts';
import { fakeResult } from './api-deps.fixture.ts';
import type { Stream } from '../../runtime/spec/result.ts';

function endless(id: string): {
  readonly call: ApiCall;
  readonly signal: () => AbortSignal | undefined;
} {
  let received: AbortSignal | undefined;
  const call = new ApiCall({ id }, 1_000, (signal) => {
    received = signal;
    return new Promise(() => {});
  });
  return { call, signal: () => received };
}

test('a call is cancelled when the last caller that waits for it disconnects', () => {
  const { call, signal } = endless('1');
  const first = call.join();
  const second = call.join();
  first('gone');
  first('gone');
  expect(signal()?.aborted).toBe(false);
  second('gone');
  expect(signal()?.aborted).toBe(true);
});

test('a caller that was served does not cancel the call by leaving', () => {
  const { call, signal } = endless('1');
  const leave = call.join();
  leave('served');
  leave('gone');
  expect(signal()?.aborted).toBe(false);
});

test('the latest thousand results are in memory; their keys stay longer', async () => {
  const calls = new ApiCalls();
  for (let id = 0; id <= 1_000; id += 1) {
    const call = new ApiCall({ id: String(id) }, 1_000, () => Promise.resolve(fakeResult('')));
    calls.add(call, { key: `key-${id}`, fingerprint: 'same' });
    await call.ended;
  }
  await Promise.resolve();
  expect([calls.find('0'), calls.find('1')?.id, calls.find('1000')?.id]).toEqual([
    undefined,
    '1',
    '1000',
  ]);
  expect(calls.keyed('key-0')).toEqual({ callId: '0', fingerprint: 'same' });
});

test('large results are dropped sooner, but never the latest one', async () => {
  const calls = new ApiCalls();
  const large = fakeResult('x'.repeat(20 * 1024 * 1024), { content: [] });
  for (const id of ['1', '2', '3', '4']) {
    const call = new ApiCall({ id }, 1_000, () => Promise.resolve(large));
    calls.add(call);
    await call.ended;
  }
  const huge = new ApiCall({ id: '5' }, 1_000, () =>
    Promise.resolve({ ...large, stdout: 'x'.repeat(60 * 1024 * 1024) }),
  );
  await Promise.resolve();
  expect(['1', '2', '3', '4'].map((id) => calls.find(id)?.id)).toEqual([undefined, '2', '3', '4']);
  calls.add(huge);
  await huge.ended;
  await Promise.resolve();
  expect(['2', '3', '4', '5'].map((id) => calls.find(id)?.id)).toEqual([
    undefined,
    undefined,
    undefined,
    '5',
  ]);
});

test('a running call is never dropped', async () => {
  const calls = new ApiCalls();
  calls.add(endless('running').call);
  for (let id = 0; id <= 1_000; id += 1) {
    const call = new ApiCall({ id: String(id) }, 1_000, () => Promise.resolve(fakeResult('')));
    calls.add(call);
    await call.ended;
  }
  expect(calls.find('running')?.id).toBe('running');
});

const nothing: Stream = { updates: [], dropped: 0, out: '', err: '', log: [] };

function taking(streams: Iterable<Partial<Stream>>, outputChars = 1_000): CallFeed {
  const feed = new CallFeed(outputChars);
  for (const stream of streams) feed.take({ ...nothing, ...stream });
  return feed;
}

test('a reader gets what was added since its last read', () => {
  const feed = taking([{ out: 'one', log: [{ level: 'info', message: 'a' }] }]);
  const at = feed.position;
  expect(feed.since(at)).toBeUndefined();
  feed.take({ ...nothing, out: ' two', updates: [{ n: 4, json: '1' }] });
  expect(feed.since(at)).toEqual({
    updates: [{ n: 4, json: '1' }],
    stdout: ' two',
    stderr: '',
    log: [],
  });
  expect(feed.position).toEqual({ updates: 5, stdout: 7, stderr: 0, log: 1 });
});

test('output is stored from the beginning up to its limit, whatever the position of a reader', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}\n`);
  const whole = lines.join('');
  const feed = taking(
    lines.map((out) => ({ out })),
    100_000,
  );
  for (const from of [0, 1, 8_191, 8_192, 50_000, 99_999])
    expect(feed.since({ ...streamStart, stdout: from })?.stdout).toBe(whole.slice(from, 100_000));
  expect(feed.since({ ...streamStart, stdout: 100_000 })).toBeUndefined();
});

test('of a million updates and log lines, the latest are stored', () => {
  const batches = function* (): Generator<Partial<Stream>> {
    for (let n = 0; n < 1_000_000; n += 100) {
      const numbers = Array.from({ length: 100 }, (_, at) => n + at);
      yield {
        updates: numbers.map((one) => ({ n: one, json: '0' })),
        log: numbers.map(() => ({ level: 'info', message: '' })),
      };
    }
  };
  const rest = taking(batches()).since(streamStart);
  expect(rest?.updates.length).toBeLessThanOrEqual(2_000);
  expect(rest?.updates.at(-1)?.n).toBe(999_999);
  expect(rest?.log.length).toBeLessThanOrEqual(2_000);
  expect(rest?.log.at(-1)?.n).toBe(999_999);
});

test('large updates are limited by size, but the latest one is always stored', () => {
  const json = 'x'.repeat(6 * 1024 * 1024);
  const feed = taking([0, 1, 2, 3].map((n) => ({ updates: [{ n, json }] })));
  const kept = feed.since(streamStart)?.updates.map(({ n }) => n);
  expect([kept?.length, kept?.at(-1)]).toEqual([1, 3]);
});
