import { expect, test } from 'vitest';
import { defaultLimits } from '../runtime/spec/limits.ts';
import { ChosenLimits } from './chosen-limits.ts';

function memory(text: string | null = null) {
  const kept = { text };
  return {
    kept,
    getItem: () => kept.text,
    setItem: (_: string, value: string) => void (kept.text = value),
  };
}

test('a changed limit takes effect at once, in all code that holds the limits, and is kept for the next visit', () => {
  const kept = memory();
  const chosen = new ChosenLimits(kept);
  const held = chosen.current;
  chosen.set('idleMs', 90_000);
  chosen.set('folderFiles', 10);
  expect([held.idleMs, held.folderFiles]).toEqual([90_000, 10]);
  expect(new ChosenLimits(kept).current).toEqual({
    ...defaultLimits,
    idleMs: 90_000,
    folderFiles: 10,
  });
  expect(defaultLimits.idleMs).toBe(300_000);
});

test('a limit outside its bounds is refused', () => {
  const chosen = new ChosenLimits(null);
  for (const value of [999, 3_600_001, 1_000.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => {
      chosen.set('idleMs', value);
    }).toThrow('idleMs must be an integer from 1000 to 3600000.');
  expect(chosen.current).toEqual(defaultLimits);
});

test.each([
  'no JSON',
  'null',
  '[]',
  '7',
  '{"callMs": 5000, "heapBytes": -1, "valueChars": 5, "idleMs": "9000", "__proto__": {"callMs": 5000}}',
])('what is stored is used only within its bounds: %s', (text) => {
  expect(new ChosenLimits(memory(text)).current).toEqual(defaultLimits);
});

test('a full storage loses only the choice for the next visit', () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  const chosen = new ChosenLimits(full);
  chosen.set('importMs', 20_000);
  expect(chosen.current.importMs).toBe(20_000);
});
