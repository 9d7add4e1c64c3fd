import { expect, test } from 'vitest';
import { promptText } from './prompt.ts';

const hints = { title: 'Tool hints', text: '- sum: Adds.', tokens: 3 };

test('every section but the base text has a heading', () => {
  const base = { title: 'Base text', text: 'You help.', tokens: 3 };
  expect(promptText([base, hints])).toBe('You help.\n\n## Tool hints\n\n- sum: Adds.');
});

test('without a base text, the first section has its heading, too', () => {
  expect(promptText([hints])).toBe('## Tool hints\n\n- sum: Adds.');
});
