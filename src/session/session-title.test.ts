/** Tests of titles. */

import { expect, test } from 'vitest';
import { fitTitle, forkTitle, importTitle } from './session-title.ts';

test('a title is one line', () => {
  expect(fitTitle('  How is\n\tthe weather? ')).toBe('How is the weather?');
});

test('a long title is cut between characters', () => {
  expect([fitTitle('x'.repeat(201)), fitTitle('🌧'.repeat(200)), fitTitle('🌧'.repeat(201))]).toEqual(
    [`${'x'.repeat(199)}…`, '🌧'.repeat(200), `${'🌧'.repeat(199)}…`],
  );
});

test('what came out of a file says so', () => {
  expect(importTitle('Weather')).toBe('Weather (imported)');
});

test('a copy says so, also of a long title', () => {
  expect([forkTitle('Weather'), forkTitle('x'.repeat(300)).slice(-9)]).toEqual([
    'Weather (fork)',
    'xx (fork)',
  ]);
});
