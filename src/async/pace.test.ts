import { expect, test } from 'vitest';
import { createPacer } from './pace.ts';

test('a slice ends after some milliseconds, and rest begins a new one', async () => {
  const pacer = createPacer();
  expect(pacer.mustRest()).toBe(false);
  const until = performance.now() + 20;
  while (performance.now() < until);
  expect(pacer.mustRest()).toBe(true);
  await pacer.rest();
  expect(pacer.mustRest()).toBe(false);
});

test('rest yields to timers', async () => {
  const turns: string[] = [];
  setTimeout(() => turns.push('timer'), 0);
  const pacer = createPacer();
  const until = performance.now() + 100;
  while (turns.length === 0 && performance.now() < until) await pacer.rest();
  expect(turns).toEqual(['timer']);
});
