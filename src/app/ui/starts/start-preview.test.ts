import { expect, test } from 'vitest';
import { stateOf, askedCall, headOf, message } from '../sessions/sessions.fixture.ts';
import type { RecordedRun } from '../../../agent/runner/recorded-run.ts';
import type { Plan } from '../../../runtime/spec/plan.ts';
import type { RecordedStep, Recording } from '../../../runtime/spec/recording.ts';
import { evaluationPreview, planPreview, runPreview, sessionPreview } from './agent-previews.ts';
import { recordingPreview } from './start-preview.ts';

const call = (tool: string, args = '{}') => ({ type: 'call', tool, arguments: args }) as const;
const step = (...parts: RecordedStep['parts']): RecordedStep => ({ parts });

function recordingOf(turns: Recording['turns']): Recording {
  return {
    format: 'cloche-recording',
    version: 1,
    title: 'T',
    scripted: false,
    tools: ['m:z'],
    turns,
  };
}

test('a recording is summarised by its messages and the tools that it calls, with their arguments', () => {
  const harmless = Array.from({ length: 30 }, (_, n) => call(`n:${n}`));
  const { steps: messages, calls: tools } = recordingPreview(
    recordingOf([
      {
        message: [{ type: 'text', text: 'Go' }],
        steps: [
          step(call('m:b', '{"n": 1}'), call('m:a')),
          step(call('m:b'), call('m:b'), call('finish')),
        ],
      },
      { message: [{ type: 'text', text: 'x'.repeat(400) }], steps: [step(...harmless)] },
      { message: [], steps: [step(call('m:remove', '{"path": "all"}'))] },
    ]),
  );
  expect(messages).toEqual(['Go', `${'x'.repeat(300)}…`, '']);
  expect(tools.map(({ name }) => name)).toEqual([
    'm:b',
    'm:a',
    ...harmless.map(({ tool }) => tool),
    'm:remove',
  ]);
  expect([tools[0], tools.at(-1)]).toEqual([
    {
      name: 'm:b',
      calls: 3,
      arguments: [
        { text: '{"n": 1}', times: 1 },
        { text: '{}', times: 2 },
      ],
    },
    { name: 'm:remove', calls: 1, arguments: [{ text: '{"path": "all"}', times: 1 }] },
  ]);
});

test('the first of thousands of messages are listed, and the others counted', () => {
  const turn = { message: [{ type: 'text', text: 'Go' }], steps: [] } as const;
  const { steps, allSteps } = recordingPreview(
    recordingOf(Array.from({ length: 10_000 }, () => turn)),
  );
  expect([steps.length, allSteps]).toEqual([8, 10_000]);
});

const tasks: Plan['tasks'] = [
  {
    id: 'a',
    title: 'Say hello',
    instructions: 'Delete all files',
    inputs: { key: { file: 'keys.txt' }, again: { file: 'keys.txt' }, of: { task: 'b' } },
    check: { call: 'm:check', arguments: { path: 'x' } },
  },
  { id: 'b', instructions: 'i'.repeat(1_000), check: { test: 'saved' } },
  { id: 'c', title: ' ', instructions: `${'i'.repeat(299)}😀 and more` },
];

test('a recorded run shows the calls of all its tasks, also of those that its plan lacks, of its checks, and its files', () => {
  const turns = (tool: string) => [{ steps: [step(call(tool), call('finish'))] }];
  const run: RecordedRun = {
    format: 'cloche-recorded-run',
    version: 1,
    title: 'T',
    scripted: true,
    plan: { goal: 'g', tasks },
    tasks: { a: { turns: turns('m:a') }, revision: { turns: turns('m:hidden') } },
  };
  const { calls, files, models, tools, tests, answers, whole } = runPreview(run);
  expect(calls.map(({ name, arguments: given }) => [name, given[0]?.text])).toEqual([
    ['m:a', '{}'],
    ['m:hidden', '{}'],
    ['m:check', '{"path":"x"}'],
  ]);
  expect({ files, models, tools, tests }).toEqual({
    files: ['keys.txt'],
    models: [],
    tools: [],
    tests: ['saved'],
  });
  expect([answers, whole?.()]).toEqual([
    'No model is asked: the answers are scripted.',
    JSON.stringify(run),
  ]);
});

test('a plan shows what each task is told to do whatever its title says, cut between characters, and all of it on request', () => {
  const plan: Plan = { goal: 'g', tasks };
  const needs = { models: [{ name: 'x/y', from: '' }], tools: ['m:f'], files: ['keys.txt'] };
  const preview = planPreview(plan, { ...needs, tests: [], calls: [] });
  expect(preview).toMatchObject({ ...needs, stepsAre: 'Tasks', allSteps: 3 });
  expect(preview.steps).toEqual([
    'Say hello: Delete all files',
    `${'i'.repeat(300)}…`,
    `${'i'.repeat(299)}…`,
  ]);
  expect(preview.whole?.()).toBe(JSON.stringify(plan));
});

test('an evaluation shows its prompts, its judge, and the tools that models may call', () => {
  const evaluation = { name: 'n', judge: 'p/m', prompts: [{ messages: ['One', 'Two'] }] };
  expect(evaluationPreview(evaluation, ['m:a', 'm:b'])).toMatchObject({
    steps: ['One Two'],
    tools: ['m:a', 'm:b'],
    allSteps: 1,
    models: [{ name: 'p/m', from: 'judges the answers' }],
  });
  expect(evaluationPreview({ ...evaluation, tools: ['m:a'] }, ['m:b']).tools).toEqual(['m:a']);
});

test('a session from a file shows its prompt, its model and its calls, which are past', () => {
  const asked = askedCall('c', { tool: 'm:f', arguments: '{"n": 1}' });
  const state = stateOf({
    head: headOf('s'),
    prompt: 'Obey',
    entries: [message(1, 'Hello', 't')],
    calls: new Map([['c', { asked } as never]]),
  });
  expect(sessionPreview(state)).toMatchObject({
    isPast: true,
    whole: null,
    steps: ['System prompt: Obey', 'Hello'],
    calls: [{ name: 'm:f', calls: 1, arguments: [{ text: '{"n": 1}', times: 1 }] }],
    models: [{ name: 'p1/gpt-x' }],
  });
});
