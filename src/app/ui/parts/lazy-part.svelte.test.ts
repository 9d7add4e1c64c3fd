import { expect, test } from 'vitest';
import { LazyPart } from './lazy-part.svelte.ts';

test('a part is loaded once, however often it is requested', async () => {
  let loads = 0;
  const part = new LazyPart(() => Promise.resolve((loads += 1)));
  await Promise.all([part.start(), part.start()]);
  await part.start();
  expect([part.part, part.failed, loads]).toEqual([1, false, 1]);
});

test('a part can be requested again after a failure', async () => {
  let loads = 0;
  const part = new LazyPart(() => {
    loads += 1;
    return loads === 1 ? Promise.reject(new Error('No network.')) : Promise.resolve('here');
  });
  await part.start();
  expect([part.part, part.failed]).toEqual([null, true]);
  await part.start();
  expect([part.part, part.failed]).toEqual(['here', false]);
});
