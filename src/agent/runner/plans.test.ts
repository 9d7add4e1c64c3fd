/** Reasons why a plan is not written or played, and the removal of the planner's session. */

import { expect, test, vi } from 'vitest';
import { nextTask } from '../../runtime/async/pace.ts';
import { FakeGrants } from '../../runtime/grants/grants.fixture.ts';
import { asks, FakeAgent, model, says } from '../turn/agent.fixture.ts';
import type { LiveSession } from '../turn/live-session.ts';
import { agentPage } from '../turn/live-sessions.fixture.ts';
import { task } from './plan-runs.fixture.ts';
import { Plans, type PlansDeps } from './plans.ts';
import type { RecordedRun } from './recorded-run.ts';

const { signal } = new AbortController();
const plan = { goal: 'a goal', tasks: [{ id: 'a', instructions: 'Do a' }] };
const recorded: RecordedRun = {
  format: 'cloche-recorded-run',
  version: 1,
  title: 'Played',
  scripted: true,
  tasks: {},
  plan: { ...plan, revisions: 2 },
};

function setup(defaultModel: typeof model | null = model) {
  const agent = new FakeAgent();
  const { sessions, stored, pageDeps } = agentPage(agent);
  const createFor = vi.spyOn(sessions, 'createFor');
  const remove = vi.spyOn(sessions, 'remove');
  const { questions, policy } = new FakeGrants();
  const events: Record<string, unknown>[] = [];
  const currentFolder = { ...pageDeps.currentFolder };
  const deps = {
    ...pageDeps,
    currentFolder,
    sessions,
    stored,
    questions,
    newId: () => 'run',
    maxInterpreters: 2,
    policies: { observe: () => () => undefined, loaded: () => Promise.resolve(), current: policy },
    yaml: { planText: (value: unknown) => Promise.resolve(JSON.stringify(value)) },
    providers: { loaded: Promise.resolve(), list: () => [], info: () => undefined },
    tests: { refresh: () => Promise.resolve(), select: () => [], run: () => Promise.resolve([]) },
    defaultModel: { current: defaultModel, loaded: Promise.resolve() },
    store: {
      load: () => Promise.resolve(new Map()),
      read: () => Promise.resolve([]),
      append: (_: string, __: number, event: string) =>
        Promise.resolve(events.push(JSON.parse(event) as Record<string, unknown>)),
    },
    hold: () => Promise.resolve(null),
    announce: () => undefined,
    observeOthers: () => undefined,
    after: () => () => undefined,
    now: () => 0,
    onStorageFailure: () => undefined,
  };
  const plans = new Plans(deps as unknown as PlansDeps);
  return { agent, createFor, remove, events, currentFolder, plans };
}

/** Expects that the one session that was created is deleted. */
function isRemoved({
  createFor,
  remove,
}: Pick<ReturnType<typeof setup>, 'createFor' | 'remove'>): void {
  const ids = createFor.mock.results.map(({ value }) => (value as LiveSession).id);
  expect(ids).toHaveLength(1);
  expect(remove.mock.calls).toEqual([ids]);
}

test('without a model, no plan is written, and no session is created', async () => {
  const { plans, createFor } = setup(null);
  await expect(plans.propose(signal, 'Tidy up', '')).rejects.toThrow('No model is set up.');
  expect((await plans.needs(plan, '')).models).toEqual([{ name: 'No model is set up', from: '' }]);
  expect(createFor).not.toHaveBeenCalled();
});

test('the planner gets the goal and the tools, may call none, and its session is removed', async () => {
  const { agent, plans, createFor, remove } = setup();
  agent.script = [asks(['finish', JSON.stringify({ result: plan })])];
  expect(JSON.parse(await plans.propose(signal, 'Tidy up', ''))).toEqual(plan);
  const [request] = agent.requests;
  expect(JSON.stringify(request?.messages)).toMatch(/m:f.*m:g.*Tidy up/);
  expect(request?.tools.map(({ name }) => name)).toEqual(['finish']);
  isRemoved({ createFor, remove });
});

test('the session of a planner that fails is removed', async () => {
  const { agent, plans, createFor, remove } = setup();
  agent.script = [says('I would rather not.')];
  await expect(plans.propose(signal, 'Tidy up', '')).rejects.toThrow();
  isRemoved({ createFor, remove });
});

test('a planner that is stopped ends with the reason, and its session is removed', async () => {
  const { agent, plans, createFor, remove } = setup();
  const stop = new AbortController();
  agent.onPart = async () => {
    await Promise.resolve();
    stop.abort(new Error('Enough'));
  };
  await expect(plans.propose(stop.signal, 'Tidy up', '')).rejects.toThrow('Enough');
  isRemoved({ createFor, remove });
});

test('a recorded run is not played in a folder that lacks its tools', async () => {
  const { plans, events } = setup();
  const of = { ...recorded, plan: { ...plan, tasks: [task('a', [], { tools: ['m:gone'] })] } };
  await expect(plans.play(of)).rejects.toThrow('The plan does not fit this folder:');
  expect(events).toEqual([]);
});

test('a recorded run is played with any model and without revisions', async () => {
  const { plans, events } = setup(null);
  const played = plans.play({ ...recorded, plan: { ...recorded.plan, model: 'Gone/model' } });
  // Another page carries the run out.
  await expect(played).rejects.toThrow('Another tab');
  expect(events[0]).toMatchObject({
    type: 'created',
    session: '',
    inherited: null,
    folder: 'tools',
    folderId: 'f',
    plan: { goal: 'a goal', revisions: 0 },
    replays: expect.stringContaining('Gone/model') as string,
  });
});

test('a played run leaves the page pauses between checking, writing and storing', async () => {
  const { plans, events } = setup();
  const stringify = vi.spyOn(JSON, 'stringify');
  const atPauses: (readonly [written: boolean, stored: number])[] = [];
  const isWritten = () =>
    stringify.mock.calls.some(([value]: readonly unknown[]) => value === recorded);
  const playing = plans.play(recorded).catch(() => undefined);
  for (let n = 0; n < 20; n += 1) {
    await nextTask();
    atPauses.push([isWritten(), events.length]);
  }
  await playing;
  stringify.mockRestore();
  expect(atPauses).toContainEqual([false, 0]);
  expect(atPauses).toContainEqual([true, 0]);
});

test('a played run belongs to the folder in which its plan was checked', async () => {
  const { plans, events, currentFolder } = setup();
  const playing = plans.play(recorded).catch(() => undefined);
  await nextTask();
  currentFolder.reference = { folder: 'other', folderId: 'g' };
  await playing;
  expect(events[0]).toMatchObject({ folder: 'tools', folderId: 'f' });
});

test('a recording that is too large is not read, and a run that does not exist is not recorded', async () => {
  const { plans } = setup();
  const text = (): Promise<string> => Promise.reject(new Error('It was read.'));
  const large = { size: 16_000_001, text } as unknown as Blob;
  await expect(plans.recordingIn(large)).rejects.toMatchObject({ code: 'limit' });
  await expect(plans.record('none')).rejects.toThrow('There is no such run.');
  // Control: a smaller one is read.
  expect((await plans.recordingIn(new Blob([JSON.stringify(recorded)]))).title).toBe('Played');
});

test('a recording that cannot be shown, or takes too long to parse, is not read', async () => {
  const { plans } = setup();
  const withInput = (input: string) =>
    new Blob([JSON.stringify(recorded).replace('"instructions"', `"inputs":{"a":${input}},$&`)]);
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  await expect(plans.recordingIn(withInput(deep))).rejects.toThrow('it is nested too deeply');
  const long = `[${'0,'.repeat(200_000)}0]`;
  await expect(plans.recordingIn(withInput(long))).rejects.toThrow('more than 200,000 values');
  expect((await plans.recordingIn(withInput('[[1]]'))).title).toBe('Played');
});
