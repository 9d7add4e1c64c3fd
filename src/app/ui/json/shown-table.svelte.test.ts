import { expect, test, vi } from 'vitest';
import { ShownTable } from './shown-table.svelte.ts';

test('the cells of a row are read once, however often its page is drawn', async () => {
  const rows = Array.from({ length: 1_200 }, (_, n) => ({ n, square: n * n }));
  const table = new ShownTable(JSON.stringify(rows));
  await vi.waitFor(() => expect(table.state).toBe('ready'));
  const [first] = table.page(100);
  expect([...(first?.cells ?? [])]).toEqual([
    ['n', '0'],
    ['square', '0'],
  ]);
  expect(table.page(100)[0]?.cells).toBe(first?.cells);
  // Other pages do not fill the memory.
  for (table.from = 100; table.from < 1_100; table.from += 100) table.page(100);
  table.from = 0;
  const [again] = table.page(100);
  expect(again?.cells).not.toBe(first?.cells);
  expect(again?.cells).toEqual(first?.cells);
  table.dispose();
});
