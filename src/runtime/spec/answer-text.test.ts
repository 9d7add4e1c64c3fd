import { expect, test } from 'vitest';
import { AnswerText } from './answer-text.ts';
import type { ModelPart } from './model.ts';

test('a text that turns out to be reasoning is not part of the answer', () => {
  const answer = new AnswerText();
  const parts: ModelPart[] = [
    { type: 'reasoning', id: '0', delta: 'Well. ' },
    { type: 'text', id: '0', delta: 'Hm. ' },
    { type: 'text', id: '1', delta: 'First. ' },
    { type: 'text', id: '0', delta: 'So.' },
    { type: 'was-reasoning', id: '0' },
    { type: 'text', id: '0', delta: 'Yes.' },
    { type: 'part-ended', id: '0' },
  ];
  for (const part of parts) answer.add(part);
  expect(answer.text).toBe('First. Yes.');
});
