/** Evaluation files as strangers could write them: huge, malformed, deep, with names of prototypes. */

import { expect, test } from 'vitest';
import { yamlHere } from '../runner/yaml/yaml.fixture.ts';
import { readEvaluations } from './read-evaluation.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const file = (path: string, text: string) => ({
  path,
  bytes: new TextEncoder().encode(text),
  size: text.length,
  modifiedAt: 0,
});

async function problemsOf(text: string): Promise<readonly string[]> {
  const [one] = await readEvaluations([file('evals/a.yaml', text)], ['work:add'], yamlHere);
  expect(one?.evaluation).toBeNull();
  return (one?.problems ?? []).map(({ line, message, hint }) => `${line}: ${message}. ${hint}`);
}

const prompts = (count: number): string => `name: a\nprompts:\n${'- text: x\n'.repeat(count)}`;

test.each([
  ['100,000 prompts', prompts(100_000), /the file has 1000\d+ bytes. Split it/],
  ['40,000 prompts', prompts(40_000), /the evaluation has too many values. Split it/],
  ['600 prompts', prompts(600), /prompts must have at most 500 items/],
  [
    'many prompts as JSON',
    `{"name": "a", "prompts": [${'{"text": "x"},'.repeat(30_000)}]}`,
    /too many values/,
  ],
  ['deep lists', '['.repeat(400_000), /the evaluation is nested too deeply/],
  ['deep objects', '{a: '.repeat(100_000), /the evaluation is nested too deeply/],
  ['lists in lists on one line', '- '.repeat(200_000), /the evaluation is nested too deeply/],
  ['keys in keys on one line', '? '.repeat(200_000), /the evaluation is nested too deeply/],
  ['one long text', 'a'.repeat(490_000), /the evaluation must be an object/],
  [
    'an alias of aliases',
    `a: &a [x, x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*${n === 0 ? 'a' : `b${n - 1}`}, *${n === 0 ? 'a' : `b${n - 1}`}]`).join('\n')}`,
    /without aliases/,
  ],
  [
    'a prototype',
    '{"__proto__": {"name": "a"}, "prompts": [{"text": "x"}]}',
    /has no “name”|__proto__/,
  ],
  ['a constructor', 'name: a\nconstructor: x\nprompts: [{ text: x }]', /unknown key “constructor”/],
  ['bytes that are no text', '\u0000\u0001\ufffd', /./],
  ['nothing', ' \n', /the evaluation is empty. Write a name and prompts/],
])('%s: a clear problem, soon', async (_, text, expected) => {
  const began = threadMs();
  const found = await problemsOf(text);
  // Reading the text takes less than a tenth of this limit.
  expect(threadMs() - began).toBeLessThan(1_500);
  expect(found[0]).toMatch(expected);
  expect(found.length).toBeLessThanOrEqual(50);
  for (const problem of found) expect(problem.length).toBeLessThan(1_000);
});

test('as many prompts as an evaluation may have are read', async () => {
  const [one] = await readEvaluations([file('evals/a.yaml', prompts(500))], [], yamlHere);
  expect(one?.evaluation?.prompts).toHaveLength(500);
});

test('of too many bytes in all files together, the first are read', async () => {
  const text = `name: a\nprompts:\n- text: ${'x'.repeat(40_000)}\n`.padEnd(450_000);
  const files = Array.from({ length: 20 }, (_, n) => file(`evals/${n}.yaml`, text));
  const read = await readEvaluations(files, [], yamlHere);
  expect(read.filter(({ evaluation }) => evaluation !== null)).toHaveLength(11);
  expect(read.at(-1)?.problems[0]?.message).toContain('together have more than 5000000 bytes');
});

test('an integer that would lose digits is a problem of its line, others are read', async () => {
  const equals = (n: string) =>
    `name: a\nprompts:\n- text: x\n  expect:\n    calls:\n      must:\n      - tool: work:add\n        equals: { a: ${n} }\n`;
  expect(await problemsOf(equals('12345678901234567891'))).toEqual([
    '8: the number 12345678901234567891 is too large to be kept exactly. Write at most 15 digits, or put it in quotes.',
  ]);
  for (const n of ['9007199254740991', '-9007199254740991', '"12345678901234567891"', '1e300']) {
    const [one] = await readEvaluations([file('evals/a.yaml', equals(n))], ['work:add'], yamlHere);
    expect(one?.problems).toEqual([]);
  }
});

test('lines may end as on old Macs, and problems have their lines', async () => {
  const text =
    'name: a\rprompts:\r- text: x\r  expect:\r    calls:\r      must:\r      - gone:tool\r';
  const [read] = await readEvaluations([file('evals/a.yaml', text)], [], yamlHere);
  expect(read?.evaluation).toBeNull();
  expect(read?.problems).toMatchObject([{ line: 7, message: 'there is no tool “gone:tool”' }]);
  const [fine] = await readEvaluations([file('evals/a.yaml', text)], ['gone:tool'], yamlHere);
  expect(fine).toMatchObject({ problems: [], evaluation: { name: 'a', prompts: [{ text: 'x' }] } });
  // The first line that is wrong, as with other line ends.
  const wrong = 'name: a\rprompts: [\r- x\r';
  const [found] = await readEvaluations([file('evals/a.yaml', wrong)], [], yamlHere);
  const [other] = await readEvaluations(
    [file('evals/a.yaml', wrong.replaceAll('\r', '\n'))],
    [],
    yamlHere,
  );
  expect(found?.problems).toEqual(other?.problems);
});
