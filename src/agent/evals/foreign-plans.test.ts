/** Plans and evaluations as people write them for other tools, or by habit: they open, or the problem says what to do. */

import { expect, test } from 'vitest';
import { readEvaluation } from './read-evaluation.ts';
import { readPlan } from '../runner/read-plan.ts';
import { withMovedTask, withoutTask, withTaskId, withValue } from '../runner/yaml/edit-plan.ts';
import { yamlHere } from '../runner/yaml/yaml.fixture.ts';

const references = {
  tools: ['weather:today'],
  inherited: null,
  hasModel: () => true,
  hasTest: () => false,
  faultIn: () => Promise.resolve(null),
};
const read = (text: string) => readPlan(text, references, yamlHere);
const said = async (text: string): Promise<readonly string[]> =>
  (await read(text)).problems.map(({ line, message, hint }) => `${line}: ${message}. ${hint}`);
const task = (rest: string): string => `goal: x\ntasks:\n  - id: a\n    ${rest}\n`;

test('merged keys are the keys of a task', async () => {
  const { plan, problems } = await read(
    `goal: x\ntasks:\n  - &base { id: a, instructions: do, retries: 2 }\n  - { <<: *base, id: b }\n`,
  );
  expect(problems).toEqual([]);
  expect(plan?.tasks[1]).toEqual({ id: 'b', instructions: 'do', retries: 2 });
});

test.each([
  ['two documents', `${task('instructions: do')}---\ngoal: y\n`, '5: “---” begins another'],
  ['JSON Lines', '{"goal": "x"}\n{"goal": "y"}\n', '2: each line is a JSON object of its own'],
  ['a fence', '```yaml\ngoal: x\n```', '1: the text is in a Markdown fence'],
  ['a tab', 'goal: x\ntasks:\n\t- id: a\n', 'Indent with spaces.'],
  ['a colon in a text', 'goal: Do this: then that\n', 'Put a text with “: ” in quotes'],
  ['a mark before a text', task('instructions: @bob do'), '4: Plain value'],
  ['a tag', task('instructions: !important do'), '4: Unresolved tag: !important'],
  ['a missing space', 'goal:x\ntasks: []\n', 'with a space behind the colon'],
  ['a number as an id', 'goal: x\ntasks: [{ id: 1, instructions: x }]', 'Put it in quotes'],
  ['nothing', task('instructions: x\n    depends_on:'), 'or remove the key'],
  ['a unit', task('instructions: x\n    budget: { minutes: 5m }'), 'Write digits only'],
  ['a key of GitHub Actions', task('needs: []'), 'Did you mean “depends_on”?'],
  ['a key of CrewAI', task('description: do'), 'Did you mean “instructions”?'],
  ['a key in another spelling', task('dependsOn: []'), 'Did you mean “depends_on”?'],
  ['a misspelt key that may be left out', task('depend_on: []'), 'Did you mean “depends_on”?'],
  ['an id in another case', task('instructions: x\n    depends_on: [A]'), 'Write "a".'],
  [
    'copied spaces',
    'goal: x\ntasks:\n-\u00a0id: a\n  instructions: x\n',
    '3: this line is indented',
  ],
  [
    'copied spaces after a text of two lines',
    task('instructions: x\n      y\n     \u00a0depends_on: []'),
    '6: this line is indented',
  ],
  ['a copied space in an empty line', `${task('instructions: x')}\u00a0\n`, '5: this line is'],
  [
    'copied spaces in a text, and another mistake',
    'goal: x\nnote: |\n  \u00a0y\ngoal: z\n',
    '4: Map keys must be unique. Remove or rename one of these keys.',
  ],
  ['copied spaces before open quotes', 'note: |\n  \u00a0y\ngoal: "x\n', 'Close the quotes'],
  [
    'its own output',
    task('instructions: x\n    inputs: { x: { task: a } }'),
    'of this task itself',
  ],
  ['an unknown input', task('instructions: x\n    inputs: { x: { task: b } }'), 'no task “b”'],
])('%s', async (_, text, expected) => {
  expect((await said(text)).join('\n')).toContain(expected);
});

test('problems of evaluations say what to write', async () => {
  const problems = async (text: string): Promise<string> =>
    (await readEvaluation(`name: x\nprompts:\n  - text: hi\n${text}`, new Set(), yamlHere)).problems
      .map(({ message, hint }) => `${message}. ${hint}`)
      .join('\n');
  expect(await problems('threshold: 80%\n')).toContain('80 % is 0.8');
  expect(await problems('tests: []\n')).toContain('Did you mean “prompts”?');
  expect(await problems('tools:\n')).toContain('tools must be “all”, or a list');
  expect(await problems('    expect: { answer: { includes: 42 } }\n')).toContain('text or a list');
});

test('files of promptfoo and CrewAI are named, with what to write instead', async () => {
  const both = async (text: string): Promise<readonly string[]> => {
    const evaluation = await readEvaluation(text, new Set(), yamlHere);
    const problems = [...(await read(text)).problems, ...evaluation.problems];
    expect(problems[1]).toEqual(problems[0]);
    return problems.slice(1).map(({ line, message }) => `${line}: ${message}`);
  };
  const promptfoo = `description: x
prompts: ['Translate {{text}}']
providers: [openai:gpt-5]
tests:
  - description: first
    vars: { text: hi }
    assert: [{ type: contains, value: hallo }]
`;
  const one = 'this is a configuration of promptfoo, which Cloche cannot run';
  expect(await both(promptfoo)).toEqual([`5: ${one}`]);
  expect(await both('prompts: [a]\nproviders: [b]\ntests: file://tests.csv\n')).toEqual([
    `2: ${one}`,
  ]);
  expect(
    await both(
      'research:\n  description: Find out.\n  expected_output: A list.\n  agent: a\nwrite:\n  description: Write.\n  agent: a\n',
    ),
  ).toEqual(['1: these are tasks of CrewAI (tasks.yaml), which Cloche cannot run']);
  expect(await both('# agents\na:\n  role: Writer\n  goal: Write\n  backstory: Old.\n')).toEqual([
    '1: these are agents of CrewAI (agents.yaml), which Cloche cannot run',
  ]);
  // A misspelt file of Cloche stays one.
  for (const text of ['goal: x\ntask: {}\n', 'name: x\ntests: []\nproviders: []\nprompts: []\n'])
    expect((await others(text)).join()).not.toContain('which Cloche cannot run');
});

async function others(text: string): Promise<readonly string[]> {
  const { problems } = await readEvaluation(text, new Set(), yamlHere);
  return [...(await said(text)), ...problems.map(({ message }) => message)];
}

test('an edit keeps long numbers, line ends and a byte order mark', () => {
  const yaml = '\ufeff# why\r\ngoal: x\r\ntasks: []\r\nn: 12345678901234567891\r\n';
  expect(withValue(yaml, ['goal'], 'y')).toBe(yaml.replace('goal: x', 'goal: y'));
  const json = withValue('{"goal": "x", "n": 12345678901234567891, "m": 7}', ['goal'], 'y');
  // Older versions of Node round it.
  const n = 'rawJSON' in JSON ? '12345678901234567891' : '12345678901234567000';
  expect(json).toBe(`{\n  "goal": "y",\n  "n": ${n},\n  "m": 7\n}\n`);
});

test('what aliases stand for is written out when it is removed, replaced or moved behind them', async () => {
  const text = `goal: x
tasks:
  - &base # first
    id: a
    instructions: do
  - <<: *base
    id: b
  - id: c
    instructions: y
    budget: &few { calls: 3 }
  - id: d
    instructions: y
    budget: *few
`;
  for (const [changed, ids] of [
    [withoutTask(text, 0), 'b c d'],
    [withMovedTask(text, 0, 1), 'b a c d'],
    [withValue(text, ['tasks', 2, 'budget'], undefined), 'a b c d'],
    [withTaskId(text, 0, 'e'), 'e b c d'],
  ] as const) {
    const { plan, problems } = await read(changed);
    expect(problems).toEqual([]);
    expect(plan?.tasks.map(({ id }) => id).join(' ')).toBe(ids);
    expect(plan?.tasks.find(({ id }) => id === 'b')?.instructions).toBe('do');
    expect(plan?.tasks.find(({ id }) => id === 'd')?.budget).toEqual({ calls: 3 });
  }
});
