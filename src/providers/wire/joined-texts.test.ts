import { expect, test } from 'vitest';
import { joinedTexts } from './joined-texts.ts';

function line(text: string, more: object = {}, delta: object = {}): string {
  const choices = [{ index: 0, delta: { ...delta, content: text }, finish_reason: null }];
  return `data: ${JSON.stringify({ id: 'c1', ...more, choices })}`;
}

test('texts that follow one another become one event, and keep their escapes', () => {
  const texts = ['Say "', 'hi\\', '\n', '\ud83d', '\ude00', ''];
  const lines = texts.flatMap((text) => [line(text), '']);
  const [joined = '', ...rest] = joinedTexts(lines);
  const parsed = (one: string): unknown => JSON.parse(one.slice('data: '.length));
  expect([parsed(joined), rest]).toEqual([parsed(line(texts.join(''))), ['']]);
  expect(joinedTexts([line('a'), '\r', line('b'), '\r', line('c')])).toEqual([
    ...[line('ab'), '\r', line('c')],
  ]);
});

test('events that differ in anything else, or are not complete, stay as they are', () => {
  const usage = { usage: { total_tokens: 1 } };
  const role = { role: 'assistant' };
  for (const lines of [
    [line('a'), '', line('b', usage), '', line('c'), ''],
    [line('a', {}, role), '', line('b'), ''],
    [line('a'), '', line('b', {}, { reasoning: 'x' }), ''],
    [line('a'), line('b'), ''],
    [line('a'), '', ': alive', '', line('b'), ''],
    [line('a'), '', 'data: {"choices":[{"delta":{"tool_calls":[]}}]}', '', line('b'), ''],
    [line('a'), '', line('b')],
    ['data: [DONE]', '', ''],
  ])
    expect(joinedTexts(lines)).toEqual(lines);
});
