import { expect, test } from 'vitest';
import type { Memory } from '../../shell/preferences.svelte.ts';
import { Unsent, UnsentKeeper } from './unsent.ts';

const never = (): boolean => false;

function memory(first = '[]'): Memory & { text: string } {
  return {
    text: first,
    getItem() {
      return this.text;
    },
    setItem(_, value) {
      this.text = value;
    },
  };
}

test('an unsent draft is restored, for each session separately', () => {
  const kept = memory();
  new Unsent(kept).write('one', 'Half a thought');
  expect(new Unsent(kept).read('one', never)).toBe('Half a thought');
  expect(new Unsent(kept).read('two', never)).toBe('');
});

test('a sent draft is removed', () => {
  const kept = memory();
  const unsent = new Unsent(kept);
  unsent.write('one', 'Half a thought');
  unsent.write('one', '');
  expect(kept.text).toBe('[]');
});

test('the most recent drafts are stored, with a limited length', () => {
  const unsent = new Unsent(memory());
  for (let n = 0; n < 30; n += 1) unsent.write(`session ${n}`, 'x'.repeat(300_000));
  expect(unsent.read('session 9', never)).toBe('');
  expect(unsent.read('session 10', never)).toHaveLength(200_000);
});

test('a full, blocked, missing or corrupt storage only loses drafts', () => {
  const refusing: Memory = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  for (const kept of [refusing, null]) {
    const unsent = new Unsent(kept);
    unsent.write('one', 'Half a thought');
    expect(unsent.read('one', never)).toBe('');
  }
  for (const text of ['{"one": "two"}', 'no JSON', '[["one"], 7, null]'])
    expect(new Unsent(memory(text)).read('one', never)).toBe('');
});

test('a queued message is restored, unless it was sent meanwhile', () => {
  const kept = memory();
  new Unsent(kept).write('one', 'And', [
    ['a', 'First.'],
    ['b', 'Second.'],
  ]);
  expect(new Unsent(kept).read('one', never)).toBe('First.\n\nSecond.\n\nAnd');
  expect(new Unsent(kept).read('one', (id) => id === 'a')).toBe('Second.\n\nAnd');
});

const waits = [{ id: 'm2', parts: [{ type: 'text', text: 'It waits.' }] }] as const;

test('the draft of a new session moves to its id when it is stored', () => {
  const unsent = new Unsent(memory());
  const keeper = new UnsentKeeper();
  keeper.keep(unsent, { id: 's1', isStored: false, queue: [] }, 'A second one');
  expect(unsent.read('new', never)).toBe('A second one');
  keeper.keep(unsent, { id: 's1', isStored: false, queue: waits }, '');
  expect(unsent.read('new', never)).toBe('It waits.');
  keeper.keep(unsent, { id: 's1', isStored: true, queue: waits }, '');
  expect([unsent.read('new', never), unsent.read('s1', never)]).toEqual(['', 'It waits.']);
});

test('the draft of a new session stays while another session is shown', () => {
  const unsent = new Unsent(memory());
  new UnsentKeeper().keep(unsent, { id: 's1', isStored: false, queue: [] }, 'Half a thought');
  new UnsentKeeper().keep(unsent, { id: 's2', isStored: true, queue: [] }, '');
  expect(unsent.read('new', never)).toBe('Half a thought');
});
