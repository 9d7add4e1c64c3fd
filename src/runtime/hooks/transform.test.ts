import { expect, test } from 'vitest';
import { createTransforms } from './transform.ts';

test('transforms run from the lowest priority, and equal ones in order of registration', async () => {
  const transforms = createTransforms<string>(() => undefined);
  transforms.add(10, (text) => `${text} ten`);
  transforms.add(-1, (text) => Promise.resolve(`${text} minus`));
  transforms.add(10, (text) => `${text} ten-again`);
  transforms.add(0, (text) => `${text} zero`);
  expect(await transforms.run('start', undefined)).toBe('start minus zero ten ten-again');
});

test('a transform that throws or rejects is skipped and reported', async () => {
  const reported: unknown[] = [];
  const transforms = createTransforms<number>((error) => reported.push(error));
  transforms.add(0, (n) => n + 1);
  transforms.add(1, () => {
    throw new Error('sync');
  });
  transforms.add(2, () => Promise.reject(new Error('async')));
  transforms.add(3, (n) => n * 10);
  expect(await transforms.run(1, undefined)).toBe(20);
  expect(reported).toEqual([new Error('sync'), new Error('async')]);
});

test('a removed transform is not run', async () => {
  const transforms = createTransforms<number>(() => undefined);
  const end = transforms.add(0, (n) => n + 1);
  transforms.add(0, (n) => n + 2);
  end();
  expect(await transforms.run(0, undefined)).toBe(2);
});

test('each transform gets the destination of the value', async () => {
  const transforms = createTransforms<string, { readonly session: string }>(() => undefined);
  transforms.add(0, (text, { session }) => `${text} of ${session}`);
  expect(await transforms.run('start', { session: 's1' })).toBe('start of s1');
});
