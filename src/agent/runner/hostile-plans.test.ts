/** Plans of strangers: each is answered soon, and with what is wrong with it. */

import { expect, test } from 'vitest';
import { answerFinish } from '../turn/built-in-tools.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Plan, PlanTask } from '../../runtime/spec/plan.ts';
import { parseYaml } from './yaml/parse-yaml.ts';
import { FakePage, runState, task } from './plan-runs.fixture.ts';
import { planProblems, type PlanReferences } from './plan-problems.ts';
import { checkPlan, readPlan } from './read-plan.ts';
import { applyRunEvent } from './reduce-run.ts';
import { noUsage } from './run-record.ts';
import { yamlHere } from './yaml/yaml.fixture.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const references: PlanReferences = {
  tools: ['a:one'],
  inherited: null,
  hasModel: () => true,
  hasTest: () => true,
  faultIn: () => Promise.resolve(null),
};

const problems = async (text: string): Promise<readonly string[]> =>
  (await readPlan(text, references, yamlHere)).problems.map(({ message }) => message);

const tasksOf = (count: number, more: (n: number) => object = () => ({})): PlanTask[] =>
  Array.from({ length: count }, (_, n) => ({ id: `t${n}`, instructions: 'x', ...more(n) }));

test.each([
  ['nested lists', '['.repeat(100_000) + ']'.repeat(100_000), 'nested too deeply'],
  ['nested sequences', '- '.repeat(50_000), 'nested too deeply'],
  ['too many values', `[${'0,'.repeat(100_000)}0]`, 'has too many values'],
  [
    'too many tasks',
    `goal: x\ntasks:\n${'- {}\n'.repeat(10_000)}`,
    'tasks must have at most 500 items',
  ],
  ['too much text', `goal: ${'x'.repeat(500_000)}`, '500006 characters'],
  ['a long goal', `goal: ${'x'.repeat(20_001)}\ntasks: []`, 'must have at most 20000 characters'],
  ['a key twice', 'goal: x\ngoal: y\ntasks: []', 'Map keys must be unique'],
])('%s', async (_, text, message) => {
  const found = await problems(text);
  expect(found.join('\n')).toContain(message);
  expect(found.length).toBeLessThanOrEqual(50);
});

test('what takes too long to read is a problem of the plan', async () => {
  const slow = { ...yamlHere, parse: () => Promise.reject(new Error('it took longer than 5 s')) };
  const { problems: found } = await readPlan('goal: x', references, slow);
  expect(found).toMatchObject([
    { line: 1, message: 'the plan cannot be read: it took longer than 5 s' },
  ]);
});

test.each([
  ['1e400', 'the number 1e400 is too large to be kept exactly'],
  ['-1e400', 'the number -1e400 is too large to be kept exactly'],
  ['.nan', '.nan is not a number in JSON'],
  ['-.inf', '-.inf is not a number in JSON'],
  ['9007199254740993', 'the number 9007199254740993 is too large to be kept exactly'],
  ['+9007199254740993', 'the number +9007199254740993 is too large to be kept exactly'],
  ['0x20000000000001', 'the number 0x20000000000001 is too large to be kept exactly'],
])(
  '%s in an input is a problem, because it would be stored as another value',
  async (number, why) => {
    const plan = (input: string) =>
      `goal: x\ntasks:\n  - id: a\n    instructions: x\n    inputs: { a: ${input} }\n`;
    expect(await problems(plan(number))).toEqual([why]);
    for (const exact of [
      '1e300',
      '-0.1',
      '9007199254740991',
      '0xff',
      "'.nan'",
      'NaN',
      '2020-01-02',
    ])
      expect(await problems(plan(exact))).toEqual([]);
  },
);

test('what is nested less is read', () => {
  const depth = 100;
  expect(parseYaml('['.repeat(depth) + ']'.repeat(depth))).toHaveProperty('value');
  expect(parseYaml(`${'- '.repeat(49)}x`)).toHaveProperty('value');
});

test('aliases may multiply the text only a little, and contain no alias of themselves', () => {
  const refused = { hint: 'Write the text without aliases.' };
  const doubled = Array.from({ length: 30 }, (_, n) => `b${n + 1}: &b${n + 1} [*b${n}, *b${n}]`);
  expect(parseYaml(['b0: &b0 [x, x]', ...doubled].join('\n'))).toMatchObject(refused);
  expect(parseYaml('a: &a [x, *a]')).toMatchObject(refused);
  const keys = Array.from({ length: 2_000 }, (_, n) => `k${n}: 1`).join(', ');
  const merges = Array.from({ length: 30 }, (_, n) => `m${n}: &m${n} { <<: *a, own: 1 }`);
  expect(parseYaml([`a: &a { ${keys} }`, ...merges].join('\n'))).toEqual({
    excess: 'merges too many keys',
  });
  // Hundreds of tasks may share a value.
  const shared = Array.from({ length: 500 }, (_, n) => `b${n}: *a`).join('\n');
  expect(parseYaml(`a: &a [x]\n${shared}`)).toMatchObject({ value: { b0: ['x'], b499: ['x'] } });
});

test('a value with a hundred thousand tasks is refused at once', async () => {
  const plan = { goal: 'x', tasks: tasksOf(100_000, () => ({ unknown: 1 })) };
  const { took, result } = timed(() => checkPlan(plan, references));
  expect((await result).plan).toBeNull();
  expect((await result).problems.length).toBeLessThanOrEqual(50);
  // The validator alone would need minutes.
  expect(took).toBeLessThan(5_000);
});

const unknown = ['T 0', ...Array.from({ length: 40_000 }, (_, n) => `gone-${n}`)];

test('many dependencies, inputs, tools and problems are checked in time', () => {
  const dense = tasksOf(500, (n) => ({
    depends_on: Array.from({ length: n }, (_, k) => `t${k}`),
    inputs: Object.fromEntries(
      Array.from({ length: 100 }, (_, k) => [`in${k}`, { task: n === 0 ? 'gone' : 't0' }]),
    ),
    tools: Array.from({ length: 200 }, (_, k) => `gone:${k}`),
  }));
  const plan: Plan = { goal: 'x', tasks: dense.reverse() };
  const tools = Array.from({ length: 5_000 }, (_, k) => `m:${k}`);
  timed(() => planProblems(plan, { ...references, tools }));
  const { took, result } = timed(() => planProblems(plan, { ...references, tools }));
  expect(result).toHaveLength(49);
  // Looking at all ancestors for each input took minutes.
  expect(took).toBeLessThan(2_000);
});

test('hints for thousands of unknown ids are found in time', () => {
  const tasks = tasksOf(500, (n) =>
    n > 0 ? {} : { inputs: Object.fromEntries(unknown.map((id) => [id, { task: id }])) },
  );
  const { took, result } = timed(() => planProblems({ goal: 'x', tasks }, references));
  expect(result.slice(0, 2).map(({ hint }) => hint)).toEqual([
    'Write "t0".',
    'Name one of t0, t1, t2, t3, t4, ….',
  ]);
  // Comparing all pairs took seconds.
  expect(took).toBeLessThan(500);
});

test('a failed task blocks a long chain at once', () => {
  const tasks = tasksOf(5_000, (n) => ({ depends_on: n === 0 ? [] : [`t${n - 1}`] })).reverse();
  const about = {
    session: '',
    folder: '',
    folderId: '',
    inherited: null,
    plan: { goal: 'x', tasks },
  };
  const begun = runState('r', [{ type: 'created', ...about, n: 0, at: 0 }]);
  const failed = {
    ...({ type: 'task-ended', task: 't0', end: 'failed', reason: '', usage: noUsage } as const),
    n: 1,
    at: 0,
  };
  const { took, result } = timed(() => applyRunEvent('r', begun, failed));
  const phases = new Set(
    [...(result?.tasks ?? [])].map(([id, { phase }]) => `${id === 't0'} ${phase}`),
  );
  expect(phases).toEqual(new Set(['true failed', 'false blocked']));
  expect(took).toBeLessThan(1_000);
});

test('ids and keys with a meaning in JavaScript are nothing but names', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const tasks = names.map((id, n) => ({
    id,
    instructions: 'x',
    depends_on: n === 0 ? [] : [names[n - 1]],
    inputs: JSON.parse(`{"__proto__": {"task": "${names[n - 1] ?? 'x'}"}}`) as object,
  }));
  const read = await readPlan(JSON.stringify({ goal: 'x', tasks }), references, yamlHere);
  expect(read.problems.map(({ message }) => message)).toEqual(['there is no task “x”']);
  expect(read.plan?.tasks.map(({ id }) => id)).toEqual(names);
  expect(await problems('{"__proto__": {"goal": "x", "tasks": []}}')).toContain(
    'the plan has the unknown key “__proto__”',
  );
  expect(({} as { goal?: string }).goal).toBeUndefined();
});

test('odd ids are kept as they are', async () => {
  const odd = ['a b', '../../x', '<script>', 'a\u202Eb', '"', '\\', '😀'];
  const tasks = odd.map((id, n) => ({ id, instructions: 'x', depends_on: odd.slice(0, n) }));
  const { plan } = await readPlan(JSON.stringify({ goal: 'x', tasks }), references, yamlHere);
  expect(plan?.tasks.map(({ id }) => id)).toEqual(odd);
});

test('an expression or a pattern of a check that never ends interrupts its task, and nothing else', async () => {
  const page = new FakePage();
  const judged = async (): Promise<never> => {
    await Promise.resolve();
    throw new ToolError('timeout', 'Comparing the result took longer than 10 s');
  };
  page.check = ({ id }) => (id === 'loops' ? judged() : Promise.resolve(null));
  const check = { expression: '[0 for _ in iter(int, 1)]' };
  const { id } = await page.start({
    tasks: [task('loops', [], { check }), task('other', [], { check })],
  });
  const run = await page.ended(id);
  expect(run).toMatchObject({
    phase: 'stuck',
    reason: 'The task loops was interrupted: Comparing the result took longer than 10 s',
  });
  expect(run.tasks.get('other')?.phase).toBe('done');
  expect(page.reported).toEqual([]);
});

test('a schema that takes too long refuses the result, and says why', async () => {
  const signal = new AbortController().signal;
  const output = { type: 'string', pattern: '^(a+)+$' };
  const own = { run: 'r', id: 'a', output };
  const args = JSON.stringify({ result: 'aaaa!' });
  const slow = await answerFinish(signal, args, own, {
    checkArguments: () => Promise.resolve(null),
  });
  expect(slow.resultType).toBe('failure');
  expect(slow.textResultForLlm).toContain('takes too long');
});

function timed<T>(work: () => T): { readonly took: number; readonly result: T } {
  const at = threadMs();
  const result = work();
  return { took: threadMs() - at, result };
}
