import { expect, test } from 'vitest';
import { Unsent } from './unsent.ts';
import { UnsentKeeper } from './unsent-keeper.ts';

const never = (): boolean => false;
const waits = [{ id: 'm2', parts: [{ type: 'text', text: 'It waits.' }] }] as const;

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test('what is written to a session that begins is its own from then on, and no new session’s', () => {
  const unsent = new Unsent(memory());
  const keeper = new UnsentKeeper();
  keeper.keep(unsent, { id: 's1', kept: false, queue: [] }, 'A second one');
  expect(unsent.read('new', never)).toBe('A second one');
  keeper.keep(unsent, { id: 's1', kept: false, queue: waits }, '');
  expect(unsent.read('new', never)).toBe('It waits.');
  keeper.keep(unsent, { id: 's1', kept: true, queue: waits }, '');
  expect([unsent.read('new', never), unsent.read('s1', never)]).toEqual(['', 'It waits.']);
});

test('what is written to a new session stays where another one is looked at', () => {
  const unsent = new Unsent(memory());
  new UnsentKeeper().keep(unsent, { id: 's1', kept: false, queue: [] }, 'Half a thought');
  new UnsentKeeper().keep(unsent, { id: 's2', kept: true, queue: [] }, '');
  expect(unsent.read('new', never)).toBe('Half a thought');
});
