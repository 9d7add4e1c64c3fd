import { expect, test } from 'vitest';
import { resourceContents } from './resource.ts';

test('keeps what is known of each content, and leaves out what is none', () => {
  const _meta = { ui: { csp: { connectDomains: ['https://a.example'] } } };
  expect(
    resourceContents({
      contents: [
        { uri: 'ui://a', mimeType: 'text/html', text: '<p>', _meta, more: 1 },
        null,
        'x',
        { blob: 7 },
      ],
    }),
  ).toEqual([
    { uri: 'ui://a', mimeType: 'text/html', text: '<p>', blob: '', meta: JSON.stringify(_meta) },
    { uri: '', mimeType: '', text: '', blob: '', meta: '{}' },
  ]);
});

test.for([
  [{}, 'no list'],
  [{ contents: new Array(21).fill({}) }, 'no list'],
  [{ contents: [{ text: 'x'.repeat(5_000_001) }] }, 'more than 5000000 characters'],
  [{ contents: [{ _meta: { x: 'x'.repeat(20_000) } }] }, 'more than'],
] as const)('refuses %#', ([read, why]) => {
  expect(() => resourceContents(read)).toThrow(why);
});
