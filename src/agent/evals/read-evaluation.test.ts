import { expect, test } from 'vitest';
import { yamlHere } from '../runner/yaml/yaml.fixture.ts';
import { readEvaluations } from './read-evaluation.ts';

const file = (path: string, text: string) => ({
  path,
  bytes: new TextEncoder().encode(text),
  size: text.length,
  modifiedAt: 0,
});

async function problems(text: string): Promise<readonly string[]> {
  const [read] = await readEvaluations([file('evals/a.yaml', text)], ['work:add'], yamlHere);
  return (read?.problems ?? []).map(({ line, message, hint }) => `${line}: ${message}. ${hint}`);
}

test('evaluations are read from evals/ alone, as JSON and as YAML', async () => {
  const read = await readEvaluations(
    [
      file('evals/a.json', '{"name": "a", "prompts": [{"text": "Hi"}]}'),
      file('evals/b.yml', 'name: b\nprompts: [{ text: Hi }]'),
      file('evals/deep/c.yaml', 'name: c'),
      file('tests/d.json', '[]'),
    ],
    [],
    yamlHere,
  );
  expect(read.map(({ path, evaluation }) => [path, evaluation?.name])).toEqual([
    ['evals/a.json', 'a'],
    ['evals/b.yml', 'b'],
  ]);
  expect(read[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
});

test('a problem has its line and what to do', async () => {
  expect(await problems('name: a\nprompts:\n  - text: Hi\n    expects: {}')).toEqual([
    '4: prompts.0 has the unknown key “expects”. Did you mean “expect”?',
  ]);
  expect(await problems('name: a\nprompts:\n  - name: empty')).toEqual([
    '3: the prompt has no text. Add text or messages.',
  ]);
  expect(
    await problems(
      'name: a\nprompts:\n  - text: Hi\n    expect:\n      calls:\n        must:\n          - work:sub',
    ),
  ).toEqual([
    '7: there is no tool “work:sub”. Write the name as in the list of tools, such as module:tool.',
  ]);
  const must = '    expect:\n      calls:\n        must:\n          - tool: work:add';
  expect(await problems(`name: a\ntools: []\nprompts:\n  - text: Hi\n${must}`)).toEqual([
    '8: the model must call “work:add”, but is not given this tool. Add it to "tools".',
  ]);
  expect(await problems(`name: a\ntools: [work:add]\nprompts:\n  - text: Hi\n${must}`)).toEqual([]);
  const both = '    expect: { calls: { must: [{ tool: work:add }], must_not: [work:add] } }';
  expect(await problems(`name: a\nprompts:\n  - text: Hi\n${both}`)).toEqual([
    '4: the model must call “work:add”, and must not call it. Remove it from "must" or "must_not".',
  ]);
  const empty = '    expect: { answer: { includes: "" } }';
  expect(await problems(`name: a\nprompts:\n  - text: Hi\n${empty}`)).toEqual([
    '4: every answer contains an empty text. Write what the answer has to contain, or remove the key.',
  ]);
  expect(await problems('name: [')).toHaveLength(1);
});

test('versions have other names, tools that the model is given, and whole schemas', async () => {
  const version = (name: string, tools = '') => `  - name: ${name}\n${tools}`;
  const one = '    tools:\n      work:add:\n        description: Adds.\n';
  const of = (versions: string) => `name: a\nversions:\n${versions}prompts:\n  - text: Hi\n`;
  expect(await problems(of(version('x') + version('y', one)))).toEqual([]);
  expect(await problems(of(version('x')))).toHaveLength(1);
  expect(await problems(of(version('x') + version('x')))).toEqual([
    '4: there are two versions “x”. Rename one of them.',
  ]);
  const other = one.replace('work:add', 'work:sub');
  expect(await problems(of(version('x') + version('y', other)))).toEqual([
    '7: there is no tool “work:sub”. Write the name as in the list of tools, such as module:tool.',
  ]);
  const schema = one.replace('description: Adds.', 'parameters: { type: array }');
  expect(await problems(of(version('x') + version('y', schema)))).toEqual([
    '7: the type of parameters is not "object". Write the whole schema, with type: object.',
  ]);
  expect(await problems(`tools: []\n${of(version('x') + version('y', one))}`)).toEqual([
    '8: the version changes “work:add”, which the model is not given. Add it to "tools".',
  ]);
});
