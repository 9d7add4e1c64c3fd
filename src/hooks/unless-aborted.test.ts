import { expect, test } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

const reason = new Error('enough');

test('the outcome is the promise’s, whichever it is', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(signal, Promise.resolve(7))).toBe(7);
  await expect(unlessAborted(signal, Promise.reject(reason))).rejects.toBe(reason);
});

test('an abort is not kept waiting, before or while', async () => {
  const stop = new AbortController();
  const waiting = unlessAborted(stop.signal, new Promise(() => undefined));
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(unlessAborted(stop.signal, Promise.reject(new Error('late')))).rejects.toBe(reason);
});
