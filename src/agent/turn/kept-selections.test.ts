import { expect, test } from 'vitest';
import { StoredSelections } from './kept-selections.ts';

function fakeMemory(text: string | null = null) {
  const held = { text };
  return {
    held,
    getItem: () => held.text,
    setItem: (_: string, value: string) => {
      held.text = value;
    },
  };
}

test('each folder has its own selection and presets, also in later visits', () => {
  const memory = fakeMemory();
  let folder = 'a';
  const kept = new StoredSelections(memory, () => folder);
  kept.keep(['m:f']);
  kept.savePreset('  Reading ', ['m:g']);
  kept.savePreset('Reading', ['m:h']);
  folder = 'b';
  expect([[...kept.unselected()], kept.presets()]).toEqual([[], []]);
  const later = new StoredSelections(memory, () => 'a');
  expect([[...later.unselected()], later.presets()]).toEqual([
    ['m:f'],
    [{ name: 'Reading', tools: ['m:h'] }],
  ]);
  later.removePreset('Reading');
  expect(later.presets()).toEqual([]);
});

test('listeners are called after a change, and nothing is kept without a folder', () => {
  const memory = fakeMemory();
  const kept = new StoredSelections(memory, () => '');
  let calls = 0;
  const stop = kept.observe(() => (calls += 1));
  kept.keep(['m:f']);
  expect([calls, memory.held.text]).toEqual([0, null]);
  const here = new StoredSelections(memory, () => 'a');
  here.observe(() => (calls += 1));
  here.keep([]);
  stop();
  expect(calls).toBe(1);
});

test.each([
  'nothing',
  '{}',
  '[7, ["a"], ["a", 1], ["a", {"unselected": [1, {}], "presets": [1, {"name": 2}]}]]',
])('what is stored as %s selects everything', (text) => {
  const kept = new StoredSelections(fakeMemory(text), () => 'a');
  expect([[...kept.unselected()], kept.presets()]).toEqual([[], []]);
});

test('a browser that denies storage keeps nothing, and does not fail', () => {
  const denied = {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('denied');
    },
  };
  for (const memory of [denied, null]) {
    const kept = new StoredSelections(memory, () => 'a');
    kept.keep(['m:f']);
    expect(kept.unselected().size).toBe(0);
  }
});
