import { expect, test } from 'vitest';
import { readBlocks } from './blocks.ts';

test('the blocks that a renderer may return', () => {
  expect(
    readBlocks([
      { type: 'text', text: 'a', onclick: 'alert(1)' },
      { type: 'markdown', text: '**a**' },
      { type: 'code', text: 'x', language: 'python' },
      { type: 'table', columns: ['a', 'a', ''], rows: [[1, 'x', null], [true]] },
      { type: 'image', media_type: 'image/png', data: 'AA', alt: '' },
      { type: 'json', text: '{"n": 1.0}' },
      { type: 'link', url: 'https://example.org', text: 'see' },
    ]),
  ).toEqual([
    { type: 'text', text: 'a' },
    { type: 'markdown', text: '**a**' },
    { type: 'code', text: 'x', language: 'python' },
    // Columns are distinguished by their names.
    { type: 'table', columns: ['a', 'a (2)', '(3)'], rows: [[1, 'x', null], [true]] },
    { type: 'image', mediaType: 'image/png', data: 'AA', alt: '' },
    { type: 'json', text: '{"n": 1.0}' },
    { type: 'link', url: 'https://example.org', text: 'see' },
  ]);
});

const row = Array.from({ length: 100 }, () => 'x');
test.each([
  ['no list', 'text'],
  ['HTML', [{ type: 'html', text: '<b>' }]],
  ['a script address', [{ type: 'link', url: 'javascript:alert(1)', text: 'a' }]],
  ['no address', [{ type: 'link', url: 'https://', text: 'a' }]],
  ['an SVG', [{ type: 'image', media_type: 'image/svg+xml', data: 'AA', alt: '' }]],
  ['broken JSON', [{ type: 'json', text: '{' }]],
  ['nested cells', [{ type: 'table', columns: ['a'], rows: [[{}]] }]],
  ['a long text', [{ type: 'text', text: 'x'.repeat(100_001) }]],
  ['many blocks', Array.from({ length: 101 }, () => ({ type: 'text', text: '' }))],
  ['many texts', Array.from({ length: 5 }, () => ({ type: 'text', text: 'x'.repeat(99_999) }))],
  [
    'a large table',
    [{ type: 'table', columns: row, rows: Array.from({ length: 100 }, () => row) }],
  ],
  [
    'many images',
    Array.from({ length: 11 }, () => ({
      type: 'image',
      media_type: 'image/png',
      data: '',
      alt: '',
    })),
  ],
])('anything else is refused: %s', (_, value) => {
  expect(() => readBlocks(value)).toThrow();
});
