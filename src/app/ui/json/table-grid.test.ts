/** Tests how much of a table is drawn in its first frame. */

import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import { rowsPerPage } from './table-rows.ts';
import TableGrid from './TableGrid.svelte';

/** Counts the rows that are drawn in the first frame, and the rows whose cells are read for it. */
function firstRows(rows: number, columns: number): readonly [drawn: number, read: number] {
  const read = new Set<number>();
  const names = Array.from({ length: columns }, (_, n) => `c${n}`);
  const { body } = render(TableGrid, {
    props: {
      caption: null,
      label: 'Table',
      columns: names,
      rows: Array.from({ length: rows }, (_, n) => ({
        number: n + 1,
        get cells() {
          read.add(n);
          return names.map(() => '1');
        },
      })),
    },
  });
  return [body.split('scope="row"').length - 1, read.size];
}

test('the first frame draws two hundred cells of a table, and no other rows are read', () => {
  expect(firstRows(100, 40)).toEqual([5, 5]);
  expect(firstRows(1_000, 10)).toEqual([20, 20]);
  expect(firstRows(9, 2_000)).toEqual([1, 1]);
  expect(firstRows(3, 40)).toEqual([3, 3]);
});

test('a page of a table has at most 800 cells, and 100 rows', () => {
  expect([0, 1, 8, 9, 40, 2_000].map((columns) => rowsPerPage(columns))).toEqual([
    100, 100, 100, 88, 20, 1,
  ]);
});
