/** Tests of observers. */

import { expect, test } from 'vitest';
import { createObservers } from './observe.ts';

test('tells every listener in order', () => {
  const heard: string[] = [];
  const observers = createObservers<string>(() => undefined);
  observers.observe((event) => heard.push(`first ${event}`));
  observers.observe((event) => heard.push(`second ${event}`));
  observers.emit('a');
  observers.emit('b');
  expect(heard).toEqual(['first a', 'second a', 'first b', 'second b']);
});

test('reports a listener that throws and goes on', async () => {
  const heard: string[] = [];
  const reported: unknown[] = [];
  const observers = createObservers<string>((error) => reported.push(error));
  observers.observe(() => {
    throw new Error('sync');
  });
  const rejecting: (event: string) => unknown = () => Promise.reject(new Error('async'));
  observers.observe(rejecting);
  observers.observe((event) => heard.push(event));
  observers.emit('a');
  await Promise.resolve();
  expect(heard).toEqual(['a']);
  expect(reported).toEqual([new Error('sync'), new Error('async')]);
});

test('an ended listener hears nothing more, not even of the event that goes round', () => {
  const heard: string[] = [];
  const observers = createObservers<string>(() => undefined);
  observers.observe(() => end());
  const end = observers.observe((event) => heard.push(`ended ${event}`));
  observers.observe((event) => heard.push(event));
  observers.emit('a');
  expect(heard).toEqual(['a']);
});

test('the same function registered twice is called twice and ended by itself', () => {
  let calls = 0;
  const observers = createObservers<null>(() => undefined);
  const listener = (): void => {
    calls += 1;
  };
  const end = observers.observe(listener);
  observers.observe(listener);
  observers.emit(null);
  end();
  end();
  observers.emit(null);
  expect(calls).toBe(3);
});

test('a listener that registers another does not loop', () => {
  let calls = 0;
  const observers = createObservers<null>(() => undefined);
  const listener = (): void => {
    calls += 1;
    observers.observe(listener);
  };
  observers.observe(listener);
  observers.emit(null);
  expect(calls).toBe(1);
});
