import { expect, test } from 'vitest';
import { testPath, withExpect, withTest } from './test-file.ts';

const added = {
  name: 'n',
  tool: 't:f',
  arguments: '{\n  "a": 3.0\n}',
  expect: '{ "equals": 1e2 }',
};
const text = `{
    "name": "n",
    "tool": "t:f",
    "arguments": {
      "a": 3.0
    },
    "expect": { "equals": 1e2 }
  }`;

/** A test without arguments and expectation, as it is read from a file. */
const test0 = { index: 0, tool: 't:f', arguments: '{}', expect: null };

test('a test is added at the end, and the other tests stay unchanged', () => {
  expect(withTest(null, added)).toBe(`[\n  ${text}\n]\n`);
  expect(withTest(' [ ]\n', added)).toBe(` [\n  ${text}\n]\n`);
  expect(withTest('[{"tool":"a:b" , "arguments": {"n": 1.0}} ]', added)).toBe(
    `[{"tool":"a:b" , "arguments": {"n": 1.0}},\n  ${text} ]`,
  );
  const bare = withTest(null, { ...added, arguments: '{}', expect: null });
  expect(JSON.parse(bare)).toEqual([{ name: 'n', tool: 't:f', arguments: {} }]);
});

test('an expectation is replaced or added', () => {
  const file = '[{"tool": "t:f", "expect": {"equals": 1}, "name": "x"}, {"tool": "t:g"}]';
  expect(withExpect(file, { ...test0, expect: '{"equals": 1}' }, '{ "equals": 2.0 }')).toBe(
    '[{"tool": "t:f", "expect": { "equals": 2.0 }, "name": "x"}, {"tool": "t:g"}]',
  );
  expect(
    JSON.parse(withExpect(file, { ...test0, index: 1, tool: 't:g' }, '{"error": "E"}')),
  ).toMatchObject([{}, { tool: 't:g', expect: { error: 'E' } }]);
});

test('the last of repeated members counts, as when the file is read', () => {
  const of = (expected: string): string =>
    `[{"tool": "t:g", "tool": "t:f", "expect": {"equals": 1}, "expect": ${expected}}]`;
  const seen = { ...test0, expect: '{"equals": 2}' };
  expect(withExpect(of('{"equals": 2}'), seen, '{"equals": 3}')).toBe(of('{"equals": 3}'));
});

test('a file that changed meanwhile is left alone', () => {
  const file = '[{"tool": "t:f"}]';
  for (const [broken, index, tool] of [
    [file, 1, 't:f'],
    [file, 0, 't:g'],
    ['{}', 0, 't:f'],
    ['[', 0, 't:f'],
  ] as const)
    expect(() => withExpect(broken, { ...test0, index, tool }, '{}')).toThrow(
      'has changed in the meantime',
    );
  expect(() => withTest('[', added)).toThrow('has changed in the meantime');
});

test('another test of the same tool that has moved to its place is left alone', () => {
  const of = (n: string): string =>
    `{"tool": "t:f", "arguments": {"n": ${n}}, "expect": {"equals": ${n}}}`;
  const seen = { index: 0, tool: 't:f', arguments: '{"n": 1}', expect: '{"equals": 1}' };
  expect(withExpect(`[${of('1')}, ${of('2')}]`, seen, '{}')).toContain('"expect": {}}');
  for (const now of [
    of('2'),
    of('1.0'),
    '{"tool": "t:f"}',
    of('1').replace('"equals": 1', '"equals": 3'),
  ])
    expect(() => withExpect(`[${now}, ${of('1')}]`, seen, '{}')).toThrow(
      'has changed in the meantime',
    );
});

test('a tool file has a test file of its name', () => {
  expect(['t:f', 'größe:f', '../t:f', 'a.b:f', ''].map(testPath)).toEqual([
    'tests/t.json',
    'tests/größe.json',
    ...Array<string>(3).fill('tests/tools.json'),
  ]);
});
