/** The tables of docs/speed.md. */

import { expect, test } from 'vitest';
import { filled, peersTable, rowsTable } from '../bench/speed-tables.mjs';

test('a row says what was measured, its spread and whether the target is met', () => {
  const machine = { processor: 'Fast', cores: 2, memoryGb: 8, system: 'linux x64' };
  const row = { unit: 'ms', ours: 1234.5, floor: 1000, ratio: 1.2345, spread: 0.051 };
  const rows = [
    { ...row, name: 'first-visit', target: 0.95, met: false },
    { ...row, name: 'unpublished', browser: 'Firefox 2', target: 0.95, met: false },
  ];
  const date = '2026-01-02T03:04:05.000Z';
  expect(rowsTable({ machine, browser: 'Chromium 1', date, rows }).split('\n')).toEqual([
    'Measured on 2026-01-02 with Chromium 1 and Firefox 2, on 2 cores (Fast), 8 GB, linux x64.',
    '',
    '| row | ours | floor | ours | floor | ratio | target | |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    '| `first-visit` | first visit: navigation to the first result | plain page | 1,230 ms | 1,000 ms | 1.23 ± 5 % | ≤ 0.95 | **not met** |',
  ]);
});

test('a figure that a page cannot have is said to be impossible', () => {
  const table = peersTable({
    rounds: 7,
    pyscript: '1',
    found: { A: { first: 2 }, B: { stop: 3 } },
  });
  expect(table).toContain('| first visit to the first result, ms | 2 | not possible |');
  expect(table).toContain('| stop to the next result, ms | not possible | 3 |');
});

test('a page keeps everything outside the markers', () => {
  const page = 'before\n<!-- a:begin -->\nold\n<!-- a:end -->\nafter';
  const once = filled(page, 'a', 'new');
  expect(once).toBe('before\n<!-- a:begin -->\n\nnew\n\n<!-- a:end -->\nafter');
  expect(filled(once, 'a', 'new')).toBe(once);
  expect(() => filled(page, 'b', 'new')).toThrow('b:begin');
});
