import { expect, test } from 'vitest';
import { cutMiddle } from './cut-middle.ts';

test('what is short stays as it is', () => {
  expect(cutMiddle('abcdef', 3, 3)).toBe('abcdef');
});

test('of what is long, beginning and end stay', () => {
  expect(cutMiddle('https://a.example/long/way?to=go', 18, 4)).toBe('https://a.example/…o=go');
});

test('no character is cut in two', () => {
  expect(cutMiddle('😀😀😀😀', 3, 3)).toBe('😀…😀');
});
