import { expect, test } from 'vitest';
import { CallTurns } from './extension-interpreter.ts';

const never = new AbortController().signal;

function world() {
  const turns = new CallTurns();
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (name: string, shares: boolean, signal = never): void => {
    void turns.take(signal, shares).then((end) => {
      began.push(end === null ? `${name} aborted` : name);
      ends.set(name, end ?? (() => undefined));
    });
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 5; n += 1) await Promise.resolve();
  };
  return { began, take, end, settle };
}

test('calls that share run together; one that does not runs alone, in its order', async () => {
  const { began, take, end, settle } = world();
  take('a', true);
  take('b', true);
  take('alone', false);
  take('c', true);
  await settle();
  expect(began).toEqual(['a', 'b']);
  await end('a');
  expect(began).toEqual(['a', 'b']);
  await end('b');
  expect(began).toEqual(['a', 'b', 'alone']);
  await end('alone');
  await end('alone');
  expect(began).toEqual(['a', 'b', 'alone', 'c']);
});

test('a call that is cancelled while it waits never begins, and delays no other call', async () => {
  const { began, take, end, settle } = world();
  const stop = new AbortController();
  take('first', true);
  take('gone', false, stop.signal);
  take('next', true);
  await settle();
  expect(began).toEqual(['first']);
  stop.abort();
  await settle();
  expect(began).toEqual(['first', 'gone aborted', 'next']);
  take('late', false, stop.signal);
  await settle();
  expect(began.at(-1)).toBe('late aborted');
  await end('first');
});
