/** Reasons why a trial does not begin, and sessions and refusals that end with a run. */

import { expect, test } from 'vitest';
import { EventLog } from '../runner/event-log.ts';
import { asks, FakeAgent, model, registeredTool, success } from '../turn/agent.fixture.ts';
import { agentPage } from '../turn/live-sessions.fixture.ts';
import type { CallInterceptor } from '../../runtime/call/intercepted-call.ts';
import { newCall } from '../../runtime/spec/call.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import type { Expected } from '../../runtime/spec/evaluation.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import {
  applyEvalEvent,
  type EvalFact,
  type EvalLog,
  type EvalState,
  type Trial,
} from './eval-record.ts';
import { judgeTrial } from './judge-trial.ts';
import { toolsHashOf, TrialSessions, type TrialSessionsDeps } from './trial-sessions.ts';

const { signal } = new AbortController();
const ignore = (): void => undefined;

const usualTools = [registeredTool('m:f'), registeredTool('m:asks', { requires_approval: true })];

async function setup(more: Partial<EvalState> = {}, tools = usualTools) {
  const agent = new FakeAgent();
  agent.info = {} as never;
  agent.tools = [...tools];
  const { sessions, stored, pageDeps } = agentPage(agent);
  const log: EvalLog = new EventLog<EvalFact, EvalState>(
    'run',
    [
      {
        type: 'created',
        file: 'evals/a.yaml',
        fileHash: '',
        n: 0,
        at: 0,
        folder: 'tools',
        folderId: 'f',
        toolsHash: await toolsHashOf(pageDeps.registry),
        evaluation: { name: 'a', prompts: [{ text: 'one' }] },
        models: [{ ref: model, name: 'Mine/large' }],
        repeats: 1,
        limits: { requests: 9, tokens: 9, cost: null },
        approvals: 'ask',
        ...more,
      },
    ],
    applyEvalEvent,
    {
      store: { append: () => Promise.resolve() },
      now: () => 0,
      onChange: ignore,
      onStored: ignore,
    },
  );
  const interceptors: CallInterceptor[] = [];
  const allowed: string[] = [];
  const opened = new Set<string>();
  const asked: string[] = [];
  const deps: TrialSessionsDeps = {
    sessions,
    stored,
    registry: pageDeps.registry,
    folder: pageDeps.folder,
    hooks: pageDeps.hooks,
    currentFolder: pageDeps.currentFolder as never,
    interpreters: { judge: (_, session) => Promise.resolve([session]) },
    interceptors: {
      register: (one) => {
        interceptors.push(one);
        return () => void interceptors.splice(interceptors.indexOf(one), 1);
      },
    },
    openSessions: {
      open: (id) => void opened.add(id),
      close: (id) => void opened.delete(id),
      allowInRun: (run, tool) => void allowed.push(`${run} ${tool}`),
    },
    providers: {
      loaded: Promise.resolve(),
      list: () => [
        { id: 'mine', name: 'Mine', models: [{ ref: { provider: 'mine', model: 'judge' } }] },
      ],
      info: () => agent.info,
      ask: (ref: typeof model) => {
        asked.push(ref.model);
        return pageDeps.providers.ask(ref);
      },
    } as never,
  };
  const [trial] = log.state.trials.values();
  if (trial === undefined) throw new Error('There is no trial.');
  return { agent, sessions, log, deps, interceptors, allowed, opened, asked, trial };
}

test('trials do not begin in another folder, or with tools that have changed', async () => {
  const page = await setup();
  page.agent.folderKey = 'other';
  await expect(TrialSessions.open(page.log, page.deps)).rejects.toMatchObject({
    code: 'no-folder',
  });
  page.agent.folderKey = 'f';
  page.agent.tools = [registeredTool('m:f', { hash: 'changed' }), ...page.agent.tools.slice(1)];
  await expect(TrialSessions.open(page.log, page.deps)).rejects.toThrow('The tools have changed');
  // Nothing of the run is left.
  expect([page.interceptors, page.allowed, [...page.opened]]).toEqual([[], [], []]);
});

test('each request is counted before it is sent and after it ends, also if it fails', async () => {
  const page = await setup();
  const trials = await TrialSessions.open(page.log, page.deps);
  const seen: string[] = [];
  const begin = (): ReturnType<TrialSessions['begin']> =>
    trials.begin(
      page.trial,
      () => seen.push(`before ${page.agent.requests.length}`),
      () => seen.push(`after ${page.agent.requests.length}`),
    );
  page.agent.script = [asks(['m__f', '{}']), new ModelError('credit', 'No credit')];
  const trial = await begin();
  expect(await trial.work(signal, 'one')).toMatchObject({ end: 'interrupted' });
  expect(seen).toEqual(['before 0', 'after 1', 'before 1', 'after 2']);
  expect(trial.calls).toEqual([{ tool: 'm:f', arguments: '{}' }]);
  // Sessions of the user are not counted.
  const own = page.sessions.create();
  own.send([{ type: 'text', text: 'Hello' }]);
  await own.settled();
  expect(seen).toHaveLength(4);
});

test('a request beyond the limits is not sent', async () => {
  const page = await setup();
  const trials = await TrialSessions.open(page.log, page.deps);
  const refuse = (): void => {
    throw new Error('The limit is used up.');
  };
  const trial = await trials.begin(page.trial, refuse, ignore);
  await trial.work(signal, 'one');
  expect(page.agent.requests).toEqual([]);
});

test('a run that refuses approvals refuses tools that need them, in its trials only, until it closes', async () => {
  const page = await setup({ approvals: 'refuse' });
  const trials = await TrialSessions.open(page.log, page.deps);
  const { session, close } = await trials.begin(page.trial, ignore, ignore);
  const [rule] = page.interceptors;
  const before = (tool: string, sessionId: string) =>
    rule?.before?.(signal, toolCall('c', { tool, sessionId }));
  expect(before('m:asks', session)).toMatchObject({
    refuse: expect.stringContaining('approval') as string,
  });
  expect(before('m:gone', session)).toMatchObject({ refuse: expect.any(String) as string });
  expect(before('m:f', session)).toBeNull();
  expect(before('m:asks', 'the user’s')).toBeNull();
  close();
  expect(before('m:asks', session)).toBeNull();
  trials.close();
  expect([page.interceptors, [...page.opened]]).toEqual([[], []]);
});

test.each([
  ['allow', ['run m:f', 'run m:asks']],
  ['ask', []],
] as const)('a run that is to %s allows %j', async (approvals, expected) => {
  const page = await setup({ approvals });
  await TrialSessions.open(page.log, page.deps);
  expect([page.allowed, page.interceptors]).toEqual([expected, []]);
  expect([...page.opened]).toEqual(['eval-run']);
});

test('a trial whose model has gone does not begin', async () => {
  const page = await setup();
  const trials = await TrialSessions.open(page.log, page.deps);
  page.agent.info = undefined;
  const begun = trials.begin(page.trial, ignore, ignore);
  await expect(begun).rejects.toThrow('There is no model Mine/large any more.');
});

test('the session of an interrupted trial is deleted, and its usage counts', async () => {
  const page = await setup();
  const trials = await TrialSessions.open(page.log, page.deps);
  const trial = await trials.begin(page.trial, ignore, ignore);
  page.agent.script = [asks(['m__f', '{}'])];
  await trial.work(signal, 'one');
  trial.close();
  const used = { requests: 2, calls: 1, tokens: 220 };
  const isKept = (): boolean => !page.agent.browser.removed.has(trial.session);
  expect(isKept()).toBe(true);
  expect(await trials.drop(trial.session)).toMatchObject(used);
  await expect.poll(isKept).toBe(false);
  expect(await trials.drop('never stored')).toMatchObject({ requests: 0, calls: 0, tokens: 0 });
});

test.each([
  [undefined, 'large'],
  ['Mine/judge', 'judge'],
])('with the judge %s, the model %s judges', async (judge, expected) => {
  const evaluation = { name: 'a', prompts: [{ text: 'one' }], ...(judge && { judge }) };
  const page = await setup({ evaluation });
  const trials = await TrialSessions.open(page.log, page.deps);
  page.agent.script = [[{ type: 'text', id: '1', delta: '{"holds": false, "reason": "No."}' }]];
  const answered = { session: 'closed', answer: 'one' };
  const { fault } = await trials.ask(signal, page.trial satisfies Trial, answered, 'It is two');
  expect(fault).toContain('It is two');
  expect(page.asked).toEqual([expected]);
  expect(await trials.compare(signal, '{}', '1')).toEqual(['eval-run']);
});

test('a version tells the model other words of a tool, and all versions have the same seeds', async () => {
  const versions = [
    { name: 'As it is' },
    {
      name: 'Other',
      tools: { 'm:f': { description: 'Other words.', parameters: { type: 'object' } } },
    },
  ];
  const evaluation = { name: 'a', prompts: [{ text: 'one' }], versions };
  const page = await setup({ evaluation, repeats: 2 });
  const trials = await TrialSessions.open(page.log, page.deps);
  for (const trial of page.log.state.trials.values())
    await (await trials.begin(trial, ignore, ignore)).work(signal, 'one');
  const told = page.agent.requests.map(({ seed, tools }) => [seed, tools[0]?.description]);
  const [usual = ''] = page.agent.tools.map(({ description }) => description);
  expect(told).toEqual([
    [1, usual],
    [1, 'Other words.'],
    [2, usual],
    [2, 'Other words.'],
  ]);
  // Other evaluations are sent without, since a provider may refuse it.
  const plain = await setup();
  const [trial] = plain.log.state.trials.values();
  const opened = await TrialSessions.open(plain.log, plain.deps);
  if (trial !== undefined) await (await opened.begin(trial, ignore, ignore)).work(signal, 'one');
  expect(plain.agent.requests.map(({ seed }) => seed)).toEqual([undefined]);
});

const forPrograms = ['m:f', 'm:g', 'm:h'].map((name) => registeredTool(name));
const onePrompt = { name: 'a', prompts: [{ text: 'one' }] };

test.each([
  [true, true],
  [false, false],
  [undefined, false],
])(
  'with programs: %s, the model of a trial is offered programs: %s',
  async (programs, expected) => {
    const evaluation = { ...onePrompt, ...(programs === undefined ? {} : { programs }) };
    const page = await setup({ evaluation }, forPrograms);
    // What the user has chosen for the sessions of the folder does not apply to trials.
    page.agent.programs = !expected;
    const trials = await TrialSessions.open(page.log, page.deps);
    const trial = await trials.begin(page.trial, ignore, ignore);
    await trial.work(signal, 'one');
    const [request] = page.agent.requests;
    expect(request?.tools.map(({ name }) => name).includes('run_python')).toBe(expected);
  },
);

test('a trial is judged by the calls that its programs made, in their order among its other calls', async () => {
  const page = await setup({ evaluation: { ...onePrompt, programs: true } }, forPrograms);
  const trials = await TrialSessions.open(page.log, page.deps);
  const trial = await trials.begin(page.trial, ignore, ignore);
  const made = new Map([
    ['first', ['m:g', 'm:g']],
    ['second', []],
    ['third', ['m:h']],
  ]);
  page.agent.onProgram = async (ends, { call, code }, owner) => {
    for (const [n, tool] of (made.get(code) ?? []).entries()) {
      const more = { id: `${call.id}.${n}`, parent: call.id };
      const nested = newCall('program', tool, `{"n": ${n}}`, more);
      owner.onBegan?.(nested);
      owner.onEnded?.(nested, await owner.call(ends, nested));
    }
    return success('ran');
  };
  const program = (code: string) => ['run_python', JSON.stringify({ code })] as const;
  page.agent.script = [
    asks(['m__f', '{}']),
    asks(program('first')),
    asks(program('second')),
    asks(program('third')),
  ];
  await trial.work(signal, 'one');
  const calls = [
    { tool: 'm:f', arguments: '{}' },
    { tool: 'm:g', arguments: '{"n": 0}' },
    { tool: 'm:g', arguments: '{"n": 1}' },
    { tool: 'm:h', arguments: '{"n": 0}' },
  ];
  expect(trial.calls).toEqual(calls);
  const judge = { compare: () => Promise.resolve([]), ask: () => Promise.resolve(null) };
  const reasons = (expected: Expected) => judgeTrial(expected, trial.calls, trial.answer, judge);
  const must = ['m:f', 'm:g', 'm:g', 'm:h'];
  expect(await reasons({ calls: { must, may: [], order: 'listed' } })).toEqual([]);
  expect(await reasons({ calls: { must_not: ['m:h'] } })).toMatchObject([
    { text: 'made a call that it must not make: m:h({"n": 0})' },
  ]);
  // A trial that is interrupted has used as much as one that is not: three programs, and their calls.
  const { usage } = trial;
  expect(usage.calls).toBe(calls.length + 3);
  trial.close();
  expect(await trials.drop(trial.session)).toEqual({ requests: 5, ...usage });
});
