import { expect, test } from 'vitest';
import { GrowingCount } from './growing-count.svelte.ts';

test('a list is drawn piece by piece, and another list begins again with its first piece', () => {
  let list = { name: 'first', length: 25 };
  const drawn = new GrowingCount({
    length: () => list.length,
    piece: () => 10,
    of: () => list.name,
  });
  const counts: number[] = [];
  const grow = (times: number): void => {
    for (let n = 0; n < times; n += 1) {
      counts.push(drawn.current);
      drawn.grow();
    }
  };
  grow(4);
  list = { name: 'second', length: 15 };
  grow(3);
  // If a list was drawn completely, items that are added to it are drawn at once.
  list = { name: 'second', length: 18 };
  grow(1);
  expect(counts).toEqual([10, 20, 25, 25, 10, 15, 15, 18]);
});
