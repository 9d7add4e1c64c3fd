import { expect, test, vi } from 'vitest';
import { ShownTable } from './shown-table.svelte.ts';

test('the cells of a row are read once, however often its page is drawn', async () => {
  const rows = Array.from({ length: 1_200 }, (_, n) => ({ n, square: n * n }));
  const table = new ShownTable(JSON.stringify(rows));
  await vi.waitFor(() => expect(table.state).toBe('ready'));
  const page = () => table.page(100).map(({ cells }) => cells);
  const [first] = page();
  expect([...(first ?? [])]).toEqual([
    ['n', '0'],
    ['square', '0'],
  ]);
  expect(page()[0]).toBe(first);
  // Other pages do not fill the memory.
  for (table.from = 100; table.from < 1_100; table.from += 100) page();
  table.from = 0;
  const [again] = page();
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
  table.dispose();
});

test('the shown rows are others once the page or the order has changed', async () => {
  const table = new ShownTable(JSON.stringify([{ n: 1 }, { n: 3 }, { n: 2 }]));
  await vi.waitFor(() => expect(table.state).toBe('ready'));
  const { shown } = table;
  table.page(1);
  expect(table.shown).toBe(shown);
  table.from = 1;
  const paged = table.shown;
  expect(paged).not.toBe(shown);
  table.sortBy('n');
  await vi.waitFor(() => expect(table.state).toBe('ready'));
  expect(table.shown).not.toBe(paged);
  table.dispose();
});
