import { expect, test } from 'vitest';
import { prettyText, withItemsSwapped, withoutValue, withValue } from './json-edit.ts';

const big = `1${'0'.repeat(40)}`;
const text = `{
  "a": 3.0,
  "b": [1, 2e5, {"c": ${big}, "d":-0}]
}`;

test('only the edited value changes', () => {
  expect(withValue(text, ['b', 0], '7')).toBe(text.replace('[1,', '[7,'));
  expect(withValue(text, ['b', 2, 'd'], 'null')).toBe(text.replace('-0', 'null'));
  expect(withItemsSwapped(text, ['b'], 0, 1)).toBe(text.replace('1, 2e5', '2e5, 1'));
  expect(withValue(text, ['nowhere', 'x'], '1')).toBe(text);
  expect(withValue(text, ['a', 'x'], '1')).toBe(text);
});

test('members and items are added as those around them', () => {
  expect(withValue(text, ['z'], '"x"')).toBe(text.replace(']\n}', '],\n  "z": "x"\n}'));
  expect(withValue(text, ['b', 3], '"x"')).toBe(text.replace('}]', '}, "x"]'));
  expect(withValue('{"a":1}', ['b'], '{"c": []}', { fit: true })).toBe('{"a":1, "b": {"c": []}}');
  expect(withValue('{}', ['b'], '{"c": [1, 2.0]}', { fit: true })).toBe(
    '{\n  "b": {\n    "c": [\n      1,\n      2.0\n    ]\n  }\n}',
  );
  expect(withValue('{\n  "a": {}\n}', ['a', 'b'], '1')).toBe('{\n  "a": {\n    "b": 1\n  }\n}');
  expect(withValue('{ }', ['"\\'], '1')).toBe('{\n  "\\"\\\\": 1\n}');
});

test('members and items are removed with their comma', () => {
  expect(withoutValue(text, ['a'])).toBe(text.replace('"a": 3.0,\n  ', ''));
  expect(withoutValue(text, ['b'])).toBe('{\n  "a": 3.0\n}');
  expect(withoutValue(text, ['b', 0])).toBe(text.replace('1, ', ''));
  expect(withoutValue('{"a": [1]}', ['a', 0])).toBe('{"a": []}');
  expect(withoutValue('{"a": 1, "b": 2, "a": 3}', ['a'])).toBe('{"b": 2}');
  expect(withoutValue(text, ['nowhere'])).toBe(text);
});

test('of several members with the same name, the last one is changed', () => {
  expect(withValue('{"a": 1, "a": 2}', ['a'], '3')).toBe('{"a": 1, "a": 3}');
});

test('a text is laid out without changing its tokens', () => {
  expect(prettyText('{"a": [1.0], "b": {}}')).toBe('{\n  "a": [\n    1.0\n  ],\n  "b": {}\n}');
});
