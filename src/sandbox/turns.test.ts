/** Work in turns: order, failure, and giving up while waiting. */

import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

const signal = new AbortController().signal;

function gate(): { open: () => void; passed: Promise<void> } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

it('runs one after the other, in order of arrival', async () => {
  const turns = new Turns();
  const first = gate();
  const seen: string[] = [];
  const a = turns.take(signal, async () => {
    await first.passed;
    seen.push('a');
    return 1;
  });
  const b = turns.take(signal, () => {
    seen.push('b');
    return Promise.resolve(2);
  });
  expect(seen).toEqual([]);
  first.open();
  expect(await Promise.all([a, b])).toEqual([1, 2]);
  expect(seen).toEqual(['a', 'b']);
});

it('goes on after work that failed', async () => {
  const turns = new Turns();
  const failed = turns.take(signal, () => Promise.reject(new Error('no')));
  const next = turns.take(signal, () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

it('gives up at once what has not begun, and keeps the order of the rest', async () => {
  const turns = new Turns();
  const first = gate();
  const stop = new AbortController();
  const seen: string[] = [];
  const a = turns.take(signal, () => first.passed);
  const b = turns.take(stop.signal, () => {
    seen.push('b');
    return Promise.resolve();
  });
  const c = turns.take(signal, () => {
    seen.push('c');
    return Promise.resolve('c');
  });
  stop.abort();
  expect(await b).toBeNull();
  first.open();
  await a;
  expect(await c).toBe('c');
  expect(seen).toEqual(['c']);
});
