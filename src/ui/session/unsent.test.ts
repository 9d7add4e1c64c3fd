import { expect, test } from 'vitest';
import type { Memory } from '../state/layout.svelte.ts';
import { Unsent } from './unsent.ts';

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

test('what was not sent is there again, of each session its own', () => {
  const kept = memory();
  new Unsent(kept).keep('one', 'Half a thought');
  expect(new Unsent(kept).read('one')).toBe('Half a thought');
  expect(new Unsent(kept).read('two')).toBe('');
});

test('what was sent leaves nothing behind', () => {
  const kept = memory();
  const unsent = new Unsent(kept);
  unsent.keep('one', 'Half a thought');
  unsent.keep('one', '');
  expect(kept.text).toBe('[]');
});

test('the sessions written to last are kept, and no text without end', () => {
  const unsent = new Unsent(memory());
  for (let n = 0; n < 30; n += 1) unsent.keep(`session ${n}`, 'x'.repeat(300_000));
  expect(unsent.read('session 9')).toBe('');
  expect(unsent.read('session 10')).toHaveLength(200_000);
});

test('a storage that is full, blocked, not there or holds something else costs nothing else', () => {
  const refusing: Memory = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  for (const kept of [refusing, null]) {
    const unsent = new Unsent(kept);
    unsent.keep('one', 'Half a thought');
    expect(unsent.read('one')).toBe('');
  }
  for (const text of ['{"one": "two"}', 'no JSON', '[["one"], 7, null]'])
    expect(new Unsent(memory(text)).read('one')).toBe('');
});
