import { expect, test } from 'vitest';
import { countText } from './count-text.ts';

test('counts include their noun', () => {
  expect([
    countText(0, 'tool'),
    countText(1, 'tool'),
    countText(10_000, 'tool'),
    countText(2, 'entry', 'entries'),
  ]).toEqual(['0 tools', '1 tool', '10,000 tools', '2 entries']);
});
