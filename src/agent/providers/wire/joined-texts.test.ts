import { expect, test } from 'vitest';
import { joinTexts } from './joined-texts.ts';

function line(text: string, more: object = {}, delta: object = {}): string {
  const choices = [{ index: 0, delta: { ...delta, content: text }, finish_reason: null }];
  return `data: ${JSON.stringify({ id: 'c1', ...more, choices })}`;
}

test('texts that follow one another become one event, and keep their escapes', () => {
  const texts = ['Say "', 'hi\\', '\n', '\ud83d', '\ude00', ''];
  const lines = texts.flatMap((text) => [line(text), '']);
  const [joined = '', ...rest] = joinTexts(lines);
  const parsed = (one: string): unknown => JSON.parse(one.slice('data: '.length));
  expect([parsed(joined), rest]).toEqual([parsed(line(texts.join(''))), ['']]);
  expect(joinTexts([line('a'), '\r', line('b'), '\r', line('c')])).toEqual([
    line('ab'),
    '\r',
    line('c'),
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
    expect(joinTexts(lines)).toEqual(lines);
});

test('equal events with other data than text all stay', () => {
  const event = (delta: string, choice = '', envelope = ''): string =>
    `data: {"id":"c1","choices":[{"index":0,"delta":{${delta}}${choice}}]${envelope}}`;
  const call = '"content":"","tool_calls":[{"index":0,"function":{"arguments":"0"}}]';
  const details = '[{"type":"reasoning.text","text":"0","index":0}]';
  const data = [
    event(call),
    event(`"role":"assistant","content":"","reasoning":"0","reasoning_details":${details}`),
    event('"content":"","reasoning":"0"'),
    event(`"tool_calls":[{"index":0,"function":{"arguments":"0"}}],"content":""`),
    event('"content":"a"', ',"logprobs":{"content":[{"token":"a","logprob":-1}]}'),
    event('"content":"a"', ',"finish_reason":null', ',"usage":{"total_tokens":1}'),
    event('"content":"a"', '},{"index":1,"delta":{"content":"b"}'),
    event('"content":"a"').replace('"choices"', '"usage":{"total_tokens":1},"choices"'),
    event('"content":"a"').replace('"delta"', '"logprobs":{"content":[]},"delta"'),
  ];
  for (const line of data) expect(joinTexts([line, '', line, ''])).toEqual([line, '', line, '']);
  const none = [
    event('"content":"a"'),
    event('"role":"assistant","content":"a"'),
    event(
      '"content": "a", "reasoning_content": null',
      ', "logprobs": null, "finish_reason": null',
      ', "created": 1e3, "usage": null',
    ),
  ];
  for (const line of none)
    expect(joinTexts([line, '', line, ''])).toEqual([line.replace('"a"', '"aa"'), '']);
});
