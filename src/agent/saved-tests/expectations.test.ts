import { expect, test } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { fakeSuccess } from '../../runtime/call/logged-call.fixture.ts';
import type { TestResult } from '../../runtime/spec/saved-test.ts';
import { proposeExpectations, updateExpect } from './expectations.ts';

function json(text: string): ReturnType<typeof fakeSuccess> {
  return { ...fakeSuccess(text), content: [{ type: 'json', text }] };
}

test('an object may be expected as it is, in part, by its schema, or by an expression', () => {
  const value = '{"n": 12345678901234567890, "list": [1.0, 2.5], "mixed": [1, "a"], "none": null}';
  expect(proposeExpectations(json(value))).toEqual([
    { kind: 'equals', expect: `{ "equals": ${value} }` },
    { kind: 'includes', expect: `{ "includes": ${value} }` },
    {
      kind: 'schema',
      expect:
        '{ "schema": { "type": "object", "required": ["n", "list", "mixed", "none"], "properties": { "n": { "type": "integer" }, "list": { "type": "array", "items": { "type": "number" } }, "mixed": { "type": "array" }, "none": { "type": "null" } } } }',
    },
    { kind: 'expression', expect: '{ "expression": "result[\\"n\\"] == 12345678901234567890" }' },
    { kind: 'success', expect: null },
  ]);
});

test('an expression compares a text as Python writes it', () => {
  const [, , , proposal] = proposeExpectations(json('{"a": "\\ud83d\\ude00\\/"}'));
  expect(proposal?.expect).toBe(`{ "expression": ${JSON.stringify('result["a"] == "😀/"')} }`);
});

test('what is not JSON, or very long, is not expected literally', () => {
  for (const value of ['NaN', JSON.stringify('x'.repeat(20_001))])
    expect(proposeExpectations(json(value)).map(({ kind }) => kind)).toEqual([
      'expression',
      'success',
    ]);
});

test('a text is expected as a string, and a failure by its type', () => {
  const plain = { ...fakeSuccess('a "b"'), content: [{ type: 'text' as const, text: 'a "b"' }] };
  expect(proposeExpectations(plain)[0]).toEqual({
    kind: 'equals',
    expect: '{ "equals": "a \\"b\\"" }',
  });
  expect(proposeExpectations(failure('ValueError: no', 'x'))).toEqual([
    { kind: 'error', expect: '{ "error": "ValueError" }' },
  ]);
  expect(proposeExpectations(failure('timeout', 'x'))[0]?.expect).toBe('{ "error": "timeout" }');
});

test.each([
  [null, '{ "equals": {"n": 2.0, "m": {"a": 1, "b": 2}} }'],
  ['{"equals": 1}', '{ "equals": {"n": 2.0, "m": {"a": 1, "b": 2}} }'],
  ['{"includes": {"m": {"b": 1}, "gone": 1}}', '{ "includes": { "m": { "b": 2 } } }'],
  [
    '{"schema": {}}',
    '{ "schema": { "type": "object", "required": ["n", "m"], "properties": { "n": { "type": "number" }, "m": { "type": "object", "required": ["a", "b"], "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } } } } } }',
  ],
])('an expectation is updated in its kind: %s', (before, after) => {
  const result: TestResult = {
    resultType: 'success',
    text: '{"n": 2.0, "m": {"a": 1, "b": 2}}',
    isJson: true,
    callId: '',
    durationMs: 0,
  };
  expect(updateExpect(before, result)).toBe(after);
  expect(updateExpect(before, { ...result, resultType: 'failure', text: 'KeyError: 1' })).toBe(
    '{ "error": "KeyError" }',
  );
});
