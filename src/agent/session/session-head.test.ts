/** Session titles. */

import { expect, test } from 'vitest';
import { copyTitle, fitTitle } from './session-head.ts';

test('a title is one line', () => {
  expect(fitTitle('  How is\n\tthe weather? ')).toBe('How is the weather?');
});

test('a long title is cut between characters', () => {
  expect([fitTitle('x'.repeat(201)), fitTitle('🌧'.repeat(200)), fitTitle('🌧'.repeat(201))]).toEqual(
    [`${'x'.repeat(199)}…`, '🌧'.repeat(200), `${'🌧'.repeat(199)}…`],
  );
});

test('the title of an imported session says so', () => {
  expect(copyTitle('Weather', 'imported')).toBe('Weather (imported)');
});

test('the title of a copy says so, even if it is long', () => {
  expect([copyTitle('Weather', 'fork'), copyTitle('x'.repeat(300), 'fork').slice(-9)]).toEqual([
    'Weather (fork)',
    'xx (fork)',
  ]);
});
