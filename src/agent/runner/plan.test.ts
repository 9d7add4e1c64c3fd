import { expect, test } from 'vitest';
import { writeCompileOnly } from '../saved-tests/judged-outcome.ts';
import { planProblems, textOfInput, toolsOf, type PlanReferences } from './plan-problems.ts';
import { checkPlan, readPlan } from './read-plan.ts';
import { yamlHere } from './yaml/yaml.fixture.ts';

const references: PlanReferences = {
  tools: ['a:one', 'a:two'],
  inherited: ['a:one'],
  hasModel: (name) => name === 'mine/small',
  hasTest: (name) => name === 'adds',
  faultIn: () => Promise.resolve(null),
};

const problems = async (text: string): Promise<string[]> =>
  (await readPlan(text, references, yamlHere)).problems.map(
    ({ line, message }) => `${line}: ${message}`,
  );

test('a plan is read from YAML and from JSON', async () => {
  const yaml = await readPlan(
    'goal: Test\nmodel: mine/small\ntasks:\n  - id: a\n    instructions: |\n      Do it\n      well\n',
    references,
    yamlHere,
  );
  expect(yaml).toMatchObject({
    problems: [],
    plan: { goal: 'Test', tasks: [{ id: 'a', instructions: 'Do it\nwell\n' }] },
  });
  const json = await readPlan(
    '{"goal": "x", "tasks": [{"id": "a", "instructions": "b"}]}',
    references,
    yamlHere,
  );
  expect(json).toMatchObject({ problems: [], plan: { goal: 'x' } });
});

test('a new plan has whole tokens in its budgets; those of stored and recorded runs may have fractions', async () => {
  const text =
    'goal: x\nbudget: {tokens: 1000.5, cost: 0.5, minutes: 0.5}\ntasks:\n  - {id: a, instructions: x, budget: {tokens: 0.5}}\n';
  expect(await problems(text)).toEqual([
    '2: budget.tokens must be a whole number',
    '4: tasks.0.budget.tokens must be a whole number',
  ]);
  const { value } = await readPlan(text, references, yamlHere);
  expect(await checkPlan(value, references)).toEqual({ plan: value, problems: [] });
});

test('an output that is no JSON Schema is a problem, with its line', async () => {
  const found = await readPlan(
    `goal: x
tasks:
  - id: a
    instructions: x
    output: { type: object, properties: { n: { type: number } } }
  - id: b
    instructions: x
    output:
      type: object
      properties:
        name:
          type: str
`,
    references,
    yamlHere,
  );
  expect(found.problems).toEqual([
    {
      line: 12,
      path: ['tasks', 1, 'output', 'properties', 'name', 'type'],
      message: 'the output of “b” is not a valid JSON Schema: “str” is not a JSON Schema type',
      hint: 'Write "type": "string".',
    },
  ]);
  const deep = `${'{"not":'.repeat(99)}{}${'}'.repeat(99)}`;
  const json = (output: string): string =>
    `{"goal": "x", "tasks": [{"id": "a", "instructions": "x", "output": ${output}}]}`;
  expect(await problems(json(`{"pattern": "x", "not": {"enum": 1}}`))).toEqual([
    expect.stringContaining('is not a valid JSON Schema: must be a list of values'),
  ]);
  const value: unknown = JSON.parse(json(`{"not": {"not": ${deep}}}`));
  expect((await checkPlan(value, references)).problems[0]?.message).toContain(
    'more than 100 levels',
  );
  // Loading the validators of schemas takes long on a busy computer.
}, 30_000);

test('problems name their lines', async () => {
  expect(
    await problems(`goal: x
tools: [a:one, a:gone]
model: other/large
tasks:
  - id: a
    instructions: x
    depends_on: [c, nobody]
  - id: b
    instructions: x
    tools: [a:one]
    check: { call: a:two }
  - id: c
    instructions: x
    depends_on:
      - a
    inputs:
      text: { task: b }
  - id: b
    instructions: x
    check: { test: divides }
  - id: d
    instructions: x
    check:
      call: a:one
      expect: { equals: 1, equalz: 2 }
`),
  ).toEqual([
    '2: there is no tool “a:gone”',
    '3: there is no model “other/large”',
    '7: there is no task “nobody”',
    '7: the tasks depend on each other in a circle: a → c → a',
    '11: the check calls “a:two”, which this task may not use',
    '17: the input “text” is the output of “b”, which does not run before this task',
    '18: another task has the id “b” too',
    '20: there is no saved test “divides”',
    '25: tasks.4.check.expect has the unknown key “equalz”',
  ]);
});

test('the hint for a tool that does not exist suggests the most similar name', async () => {
  const read = await readPlan(
    `goal: x
tools: [a:ones, files:read]
tasks:
  - { id: a, instructions: x, check: { call: a:twos } }
`,
    references,
    yamlHere,
  );
  expect(read.problems.map(({ hint }) => hint)).toEqual([
    'Correct the name to "a:one", or open the folder that has this tool.',
    'Open the folder that has it, or correct the name: module:function.',
    'Correct the name to "a:two", or open the folder that has this tool.',
  ]);
});

test('what a check expects, and the paths of files, are problems before their task begins', async () => {
  expect(
    await problems(`goal: x
tasks:
  - id: a
    instructions: x
    inputs:
      up: { file: ../a.csv }
      rooted: { file: /a.csv }
      good: { file: data/a.csv }
    check:
      call: a:one
      expect:
        resultType: ok
        includes: 1
  - id: b
    instructions: x
    check:
      call: a:one
      expect:
        schema:
          type: object
          properties:
            n: { type: int }
  - id: c
    instructions: x
    output:
      properties:
        code: { type: string, pattern: '(?P<n>\\d+)' }
        other: { $ref: '#/$defs/gone' }
        remote: { $ref: 'https://example.com/a.json' }
  - id: d
    instructions: x
    output: { type: string, pattern: '(?P<n>\\d+)' }
    # Python compares with this one.
    check: { call: a:one, expect: { schema: { pattern: '(?P<n>\\d+)' } } }
`),
  ).toEqual([
    '6: the input “up” is not a file in the workspace: its path has a part named “..”',
    '7: the input “rooted” is not a file in the workspace: its path has an empty part',
    expect.stringMatching(/^12: tasks\.0\.check\.expect\.resultType /),
    '22: the schema that the check of “b” expects is not a valid JSON Schema: “int” is not a JSON Schema type',
    '28: the output of “c” is not a valid JSON Schema: “#/$defs/gone” leads nowhere',
    '32: the output of “d” is not a valid JSON Schema: “(?P<n>\\d+)” is not a JavaScript regular expression',
  ]);
});

test('expressions that Python cannot compile are problems, as far as Python answers', async () => {
  const text = `goal: x
tasks:
  - id: a
    instructions: x
    check: { expression: result > }
  - id: b
    instructions: x
    check:
      call: a:one
      expect:
        expression: |
          result[
  - id: c
    instructions: x
    check: { expression: result > 1 }
`;
  const asked: string[] = [];
  const read = async (faultIn: PlanReferences['faultIn']): Promise<readonly string[]> => {
    const found = await readPlan(text, { ...references, faultIn }, yamlHere);
    return found.problems.map(({ line, message }) => `${line}: ${message}`);
  };
  const fault = 'SyntaxError: invalid syntax';
  const faultIn: PlanReferences['faultIn'] = (_, source) => {
    asked.push(source);
    return Promise.resolve(source.includes('> 1') ? null : fault);
  };
  expect(await read(faultIn)).toEqual([
    `5: the expression in the check of “a” is not valid Python: ${fault}`,
    `11: the expression in the check of “b” is not valid Python: ${fault}`,
  ]);
  expect(asked).toEqual(['result >', 'result[\n', 'result > 1'].map(writeCompileOnly));
  let count = 0;
  const dies = (): Promise<null> => Promise.reject(new Error(`lost ${(count += 1)}`));
  expect(await read(dies)).toEqual([]);
  expect(count).toBe(1);
});

test('what is no plan is refused, with what it lacks', async () => {
  expect(await problems('')).toEqual(['1: the plan is empty']);
  expect(await problems('goal: x')).toEqual(['1: the plan has no “tasks”']);
  expect((await problems('goal: [x'))[0]).toMatch(/^1: /);
  expect(await problems('goal: x\ntasks:\n  - id: a\n    note: x\n')).toEqual([
    '3: tasks.0 has no “instructions”',
    '4: tasks.0 has the unknown key “note”',
  ]);
  expect((await problems('x'.repeat(500_001)))[0]).toContain('500001 characters');
  // Each alias doubles the text.
  const bomb = ['a: &a [x, x, x, x, x, x]'];
  for (let n = 0; n < 12; n += 1) {
    const name = String.fromCharCode(98 + n);
    const before = String.fromCharCode(97 + n);
    bomb.push(`${name}: &${name} [*${before}, *${before}, *${before}, *${before}]`);
  }
  expect((await problems(bomb.join('\n')))[0]).toMatch(/alias/i);
});

test('a misspelt key is one problem, not an unknown and a missing key', async () => {
  const found = async (text: string): Promise<readonly string[]> =>
    (await readPlan(text, references, yamlHere)).problems.map(
      ({ line, message, hint }) => `${line}: ${message}. ${hint}`,
    );
  const tasks = `- id: a
    instrutions: x
  - ID: b
    prompt: x
  - id: c
    instruction: x
    goal: x
`;
  expect(await found(`gaol: x\ntasks:\n  ${tasks}`)).toEqual([
    '1: the plan has the unknown key “gaol”. Did you mean “goal”?',
    '4: tasks.0 has the unknown key “instrutions”. Did you mean “instructions”?',
    '5: tasks.1 has the unknown key “ID”. Did you mean “id”?',
    '6: tasks.1 has the unknown key “prompt”. Did you mean “instructions”?',
    '8: tasks.2 has the unknown key “instruction”. Did you mean “instructions”?',
    '9: tasks.2 has the unknown key “goal”. Correct or remove it.',
  ]);
});

test('a value with several allowed forms has only the problems of the form that was meant', async () => {
  const tasks = (task: string): string =>
    `goal: x\ntasks:\n  - {id: a, instructions: x, ${task}}\n`;
  const toolForms =
    '3: tasks.0.tools must be “inherit”, “all”, or a list such as ["module:function"]';
  const checkForms =
    '3: tasks.0.check must be an object with exactly one of the keys “call”, “expression”, “judge” and “test”';
  expect(await problems(tasks('tools: a:one'))).toEqual([toolForms]);
  expect(await problems(tasks('tools: [3]'))).toEqual(['3: tasks.0.tools.0 must be text']);
  expect(await problems(tasks('check: result > 3'))).toEqual([checkForms]);
  expect(await problems(tasks('check: {}'))).toEqual([checkForms]);
  expect(await problems(tasks('check: {expression: x, judge: y}'))).toEqual([checkForms]);
  expect(await problems(tasks('check: {expression: 3}'))).toEqual([
    '3: tasks.0.check.expression must be text',
  ]);
  expect(await problems(tasks('check: {test: adds, expect: 3}'))).toEqual([
    '3: tasks.0.check has the unknown key “expect”',
  ]);
  // Other problems are worded as usual.
  expect(await problems(tasks('depends_on: b, check: {judge: 1}, retries: 1.5'))).toEqual([
    '3: tasks.0.depends_on must be a list',
    '3: tasks.0.retries must be a whole number',
    '3: tasks.0.check.judge must be text',
  ]);
  expect(await problems(tasks('budget: {calls: 1.5}'))).toEqual([
    '3: tasks.0.budget.calls must be a whole number',
  ]);
  expect(await problems(tasks('retries: 21, model: small, title: ""'))).toEqual([
    '3: tasks.0.model must name a provider and a model, such as “My provider/small”',
    '3: tasks.0.retries must be at most 20',
  ]);
  expect(await problems('goal: ""\nparallel: 0\nbudget: {minutes: 0}\ntasks: []')).toEqual([
    '1: goal must not be empty',
    '2: parallel must be at least 1',
    '3: budget.minutes must be more than 0',
    '4: tasks must not be empty',
  ]);
});

test('tools are those of the task, of the plan, of the session, or all', () => {
  const task = { id: 'a', instructions: 'x' };
  const plan = { goal: 'x', tasks: [task] };
  expect(toolsOf(plan, task, references)).toEqual(['a:one']);
  expect(toolsOf(plan, task, { ...references, inherited: null })).toEqual(references.tools);
  expect(toolsOf({ ...plan, tools: 'all' }, task, references)).toEqual(references.tools);
  expect(toolsOf({ ...plan, tools: ['a:two'] }, task, references)).toEqual(['a:two']);
  expect(toolsOf({ ...plan, tools: ['a:two'] }, { ...task, tools: [] }, references)).toEqual([]);
});

test('a chain of 500 tasks is no cycle, and a long cycle is found', () => {
  const tasks = Array.from({ length: 500 }, (_, n) => ({
    id: `t${n}`,
    instructions: 'x',
    depends_on: n === 0 ? [] : [`t${n - 1}`],
  }));
  expect(planProblems({ goal: 'x', tasks }, references)).toEqual([]);
  const [first, ...rest] = tasks;
  if (first === undefined) throw new Error('no task');
  const round = [{ ...first, depends_on: ['t499'] }, ...rest];
  expect(planProblems({ goal: 'x', tasks: round }, references)[0]?.message).toContain('circle');
});

test('a file that is an input must exist, and be short', () => {
  const bytes = (length: number): { bytes: Uint8Array } => ({
    bytes: new Uint8Array(length).fill(97),
  });
  expect(textOfInput('a.txt', bytes(3))).toBe('aaa');
  expect(() => textOfInput('a.txt', undefined)).toThrow('The workspace has no file “a.txt”.');
  expect(textOfInput('a.txt', bytes(200_000))).toHaveLength(200_000);
  expect(() => textOfInput('a.txt', bytes(200_001))).toThrow('larger than 200000 bytes');
});
