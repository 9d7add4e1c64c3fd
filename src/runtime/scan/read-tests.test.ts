/** Test files: what is read, and what a broken one reports. */

import { expect, test } from 'vitest';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { readTests } from './read-tests.ts';

async function problemsOf(text: string): Promise<string[]> {
  const { problems } = await readTests(fakeFolder({ 'tests/a.json': text }));
  return problems.map(({ line, message }) => `${String(line)}: ${message}`);
}

test('tests are read from tests/*.json alone, with their lines and exact texts', async () => {
  const text =
    '[\n  {"tool": "a:f"},\n  {"name": "n", "tool": "a:g", "arguments": {"x": 3.0},\n   "expect": {"equals": 10000000000000000000}}\n]';
  const folder = fakeFolder({
    'a.json': text,
    'tests/a.json': text,
    'tests/deep/a.json': text,
    'tests/.hidden.json': text,
    'tests/a.py': '',
  });
  expect(await readTests(folder)).toEqual({
    problems: [],
    tests: [
      {
        id: 'tests/a.json#0',
        file: 'tests/a.json',
        index: 0,
        line: 2,
        name: 'test 1',
        tool: 'a:f',
        arguments: '{}',
        expect: null,
      },
      {
        id: 'tests/a.json#1',
        file: 'tests/a.json',
        index: 1,
        line: 3,
        name: 'n',
        tool: 'a:g',
        arguments: '{"x": 3.0}',
        expect: '{"equals": 10000000000000000000}',
      },
    ],
  });
});

test.each([
  ['{\n', '2: “tests/a.json”: the file is not JSON'],
  ['[\n{"tool": "a:f",}]', '2: “tests/a.json”: the file is not JSON'],
  ['{}', '1: “tests/a.json”: the file is not a JSON array.'],
  ['[\n\n{}]', '3: “tests/a.json”: $[0] has no "tool".'],
  [
    '[{"tool": "a:f"}, {"tool": "a:f", "expect": {"equal": 1}}]',
    '1: “tests/a.json”: $[1].expect has the unknown key "equal".',
  ],
  ['[{"tool": 1}]', '1: “tests/a.json”: $[0].tool must be string.'],
  [
    `[{"tool": "a:f", "arguments": ${'{"a":'.repeat(600)}1${'}'.repeat(600)}}]`,
    '1: “tests/a.json”: the file is nested too deeply.',
  ],
  [' '.repeat(2_000_001), '1: “tests/a.json”: the file has 2000001 bytes.'],
])('a broken file is a problem: %#', async (text, problem) => {
  const [first = ''] = await problemsOf(text);
  expect(first).toContain(problem);
});

test('a bad test does not affect the others, and a thousand bad ones report twenty', async () => {
  const folder = fakeFolder({
    'tests/a.json': `[${'{},'.repeat(1_000)}{"tool": "a:f"}]`,
    'tests/b.json': '[{"tool": "b:f"}]',
  });
  const { tests, problems } = await readTests(folder);
  expect(tests.map(({ id }) => id)).toEqual(['tests/a.json#1000', 'tests/b.json#0']);
  expect(problems).toHaveLength(20);
});

test('tests above the limit are ignored and reported', async () => {
  const many = `[${Array<string>(2_001).fill('{"tool": "a:f"}').join()}]`;
  const { tests, problems } = await readTests(fakeFolder({ 'tests/a.json': many }));
  expect([tests.length, problems.map(({ message }) => message)]).toEqual([
    2_000,
    ['“tests/a.json”: tests above the limit are ignored: 1.'],
  ]);
});
