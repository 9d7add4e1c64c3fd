import { expect, test } from 'vitest';
import { Loading } from './loading.svelte.ts';

test('a part is there once it has been fetched', async () => {
  const loading = new Loading(() => Promise.resolve('part'));
  expect([loading.part, loading.failed]).toEqual([null, false]);
  await loading.start();
  expect([loading.part, loading.failed]).toEqual(['part', false]);
});

test('a failure is said, and can be mended by another attempt', async () => {
  let attempts = 0;
  const loading = new Loading(() => {
    attempts += 1;
    return attempts === 1
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve('part');
  });
  await loading.start();
  expect([loading.part, loading.failed]).toEqual([null, true]);
  await loading.start();
  expect([loading.part, loading.failed]).toEqual(['part', false]);
});
