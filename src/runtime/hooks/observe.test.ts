import { expect, test } from 'vitest';
import { createObservers } from './observe.ts';

test('an event reaches every listener in order', () => {
  const events: string[] = [];
  const observers = createObservers<string>(() => undefined);
  observers.observe((event) => events.push(`first ${event}`));
  observers.observe((event) => events.push(`second ${event}`));
  observers.emit('a');
  observers.emit('b');
  expect(events).toEqual(['first a', 'second a', 'first b', 'second b']);
});

test('a listener that throws is reported, and the others are called', async () => {
  const events: string[] = [];
  const reported: unknown[] = [];
  const observers = createObservers<string>((error) => reported.push(error));
  observers.observe(() => {
    throw new Error('sync');
  });
  const rejecting: (event: string) => unknown = () => Promise.reject(new Error('async'));
  observers.observe(rejecting);
  observers.observe((event) => events.push(event));
  observers.emit('a');
  await Promise.resolve();
  expect(events).toEqual(['a']);
  expect(reported).toEqual([new Error('sync'), new Error('async')]);
});

test('a removed listener is not called, not even for the current event', () => {
  const events: string[] = [];
  const observers = createObservers<string>(() => undefined);
  observers.observe(() => end());
  const end = observers.observe((event) => events.push(`ended ${event}`));
  observers.observe((event) => events.push(event));
  observers.emit('a');
  expect(events).toEqual(['a']);
});

test('a function that is registered twice is called twice, and each registration is removed separately', () => {
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

test('a listener that registers another during an event does not loop', () => {
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
