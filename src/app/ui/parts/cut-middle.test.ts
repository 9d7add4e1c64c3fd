import { expect, test } from 'vitest';
import { cutMiddle } from './cut-middle.ts';

test('a short text is not cut', () => {
  expect(cutMiddle('abcdef', 3, 3)).toBe('abcdef');
});

test('start and end of a long text stay', () => {
  expect(cutMiddle('https://a.example/long/way?to=go', 18, 4)).toBe('https://a.example/…o=go');
});

test('no character is split', () => {
  expect(cutMiddle('😀😀😀😀', 3, 3)).toBe('😀…😀');
});
