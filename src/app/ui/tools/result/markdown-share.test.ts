import { expect, test } from 'vitest';
import type { ContentPart } from '../../../../runtime/spec/result.ts';
import { markdownShare } from './markdown-share.ts';

test('limits of Markdown are divided by length, only among the Markdown that is shown together', () => {
  const other: ContentPart = { type: 'json', text: '[]' };
  const markdown = (length: number): ContentPart => ({
    type: 'text',
    text: 'x'.repeat(length),
    mediaType: 'text/markdown',
  });
  const plain: ContentPart = { type: 'text', text: 'long'.repeat(100) };
  const shares = (...content: ContentPart[]) =>
    content.map((_, index) => markdownShare(content, index, 4));
  expect(shares(markdown(9), other, plain, other)).toEqual([1, 0, 0, 0]);
  expect(shares(markdown(9), other, markdown(3), other, markdown(1))).toEqual([
    0.75, 0, 0.25, 0, 1,
  ]);
  expect(shares(markdown(0))).toEqual([0]);
});
