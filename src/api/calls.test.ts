import { expect, test } from 'vitest';
import { ApiCall, ApiCalls } from './calls.ts';
import { fakeResult } from './api-deps.fixture.ts';

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
