import { expect, test } from 'vitest';
import { scrollTopFor, visibleRows } from './visible-rows.ts';

const view = { top: 3_000, height: 300, rowHeight: 30 };

test('only rows near the view and the focused row are rendered', () => {
  const rows = visibleRows(view, 10_000, 5);
  expect([rows[0], rows[1], rows.at(-1), rows.length]).toEqual([5, 88, 122, 36]);
  expect(visibleRows(view, 10_000, 9_999).at(-1)).toBe(9_999);
});

test('a short list is rendered in full, and an empty one not at all', () => {
  expect(visibleRows({ ...view, top: 0 }, 2, 7)).toEqual([0, 1]);
  expect(visibleRows({ ...view, top: 0 }, 0, 0)).toEqual([]);
  expect(visibleRows(view, 5, 1)).toEqual([1]);
});

test('scrolling moves as little as possible', () => {
  expect([scrollTopFor(105, view), scrollTopFor(10, view), scrollTopFor(110, view)]).toEqual([
    3_000, 300, 3_030,
  ]);
});
