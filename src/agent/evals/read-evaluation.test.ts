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
    '4: prompts.0 has the unknown key “expects”. Correct or remove it.',
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
  expect(await problems('name: [')).toHaveLength(1);
});
