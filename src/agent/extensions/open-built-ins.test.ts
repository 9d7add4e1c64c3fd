/** The extensions that are part of Cloche: what they register, what they do, and what it means to switch one off. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BuiltInCalls } from '../turn/built-in-tools.ts';
import { createAgentHooks } from '../turn/hooks.ts';
import { idle } from '../turn/live-state.ts';
import type { ProviderConfig } from '../providers/provider-types.ts';
import { CallInterceptors } from '../../runtime/call/interceptors.ts';
import { textResult } from '../../runtime/call/results.ts';
import { head } from './host-types.fixture.ts';
import { Contributions } from './contributions.ts';
import { createObservers } from '../../runtime/hooks/observe.ts';
import { noDispatch } from '../../runtime/registry/dispatch.fixture.ts';
import { Registry } from '../../runtime/registry/registry.ts';
import { emptyState } from '../session/reduce.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import type { CallEvent } from '../../runtime/spec/call.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import type { ModelPart, ModelRequest } from '../../runtime/spec/model.ts';
import { openBuiltIns } from './open-built-ins.ts';
import type { OpenedSessions } from './page-host.ts';
import { RecordedAnswers } from '../turn/recorded-answers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const { signal } = new AbortController();
const local: ProviderConfig = {
  id: 'p1',
  kind: 'openai-chat',
  name: 'Local',
  baseUrl: '',
  headers: [],
  byHand: [],
  listedAt: null,
  key: 'none',
  models: ['small', 'large'].map((model) => ({
    ref: { provider: 'p1', model },
    label: model.toUpperCase(),
    context: null,
    images: null,
    price: null,
  })),
};

function memory(stored: Record<string, string> = {}) {
  return {
    stored,
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => {
      stored[key] = value;
    },
  };
}

function world(kept = memory()) {
  const report = (thrown: unknown): void => {
    throw thrown;
  };
  const done: string[] = [];
  const registry = new Registry(noDispatch, report);
  const interceptors = new CallInterceptors(defaultLimits);
  const hooks = createAgentHooks(report);
  const shown = new Contributions(report);
  const builtIn = new BuiltInCalls();
  const recorded = new RecordedAnswers({ newId: () => 'id', wait: () => Promise.resolve() });
  const window = { location: { hash: '' } } as unknown as Pick<Window, 'location'>;
  const opened = {
    id: 's',
    live: idle,
    selected: [],
    observe: () => () => undefined,
    // The session of another folder than the open one.
    state: { ...emptyState('s'), head: head('s', { messages: 1, events: 3, folder: 'other' }) },
    rename: (title: string) => void done.push(`rename ${title}`),
    useModel: ({ model }: { model: string }) => void done.push(`use ${model}`),
    background: { running: null, start: (prompt: string) => void done.push(`start ${prompt}`) },
  };
  const builtIns = openBuiltIns({
    registry,
    interceptors,
    hooks,
    builtIn,
    recorded,
    window,
    report,
    calls: createObservers<CallEvent>(report) as never,
    memory: kept,
    shown: () => shown,
    agent: () =>
      ({
        stored: { list: () => [opened.state.head] },
        liveSessions: {
          opened: (id: string) => (id === 's' ? opened : undefined),
          fork: () => Promise.resolve({ id: 'copy' }),
          hasFolderOf: () => false,
        },
        providers: { list: () => [local] },
      }) as unknown as OpenedSessions,
    plans: () => Promise.reject(new Error('No plan is run.')),
  });
  const say = async (text: string, session = 's'): Promise<string> => {
    const [name = '', ...args] = text.split(' ');
    const command = shown.commands.find((one) => `/${one.name}` === name);
    await command?.run(args.join(' '), session);
    return shown.notices.at(-1)?.text ?? '';
  };
  return { registry, hooks, shown, builtIn, recorded, window, builtIns, done, say };
}

const kindsOf = ({ builtIns }: ReturnType<typeof world>) =>
  Object.fromEntries(
    builtIns
      .list()
      .map(({ name, registered }) => [name, registered.map((one) => `${one.kind} ${one.name}`)]),
  );

test('they are listed with all that they have registered, as extensions of a folder are', () => {
  const made = world();
  expect(kindsOf(made)).toEqual({
    Compaction: ['compactor summary'],
    'Tool search': ['tool tool_search', 'tool read_result', 'tool finish', 'tool run_python'],
    Recordings: ['stream provider replay'],
    'Session commands': ['title', 'model', 'background', 'fork', 'new'].map(
      (name) => `command /${name}`,
    ),
  });
  for (const one of made.builtIns.list())
    expect(one).toMatchObject({
      kind: 'builtin',
      runtime: 'typescript',
      file: '',
      state: 'running',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      calls: 0,
      spentMs: 0,
      slow: [],
      faults: [],
    });
  expect(made.builtIns.list()[0]?.powers).toEqual([
    { power: 'read', decision: 'allow' },
    { power: 'prompt', decision: 'allow' },
  ]);
});

test('the registries have them as before: tools for models only, and recordings that cannot be chosen', async () => {
  const { registry, hooks, builtIn, builtIns } = world();
  expect(registry.lookup('tool_search')?.origin).toBe('built-in');
  expect([registry.list(), registry.get('tool_search')]).toEqual([[], undefined]);
  expect(hooks.providers.list().map(({ config }) => config)).toEqual([
    {
      id: 'replay',
      kind: 'replay',
      name: 'Recordings',
      baseUrl: '',
      models: [],
      headers: [],
      byHand: [],
      listedAt: null,
      key: 'none',
    },
  ]);
  expect(hooks.compactors.threshold).toBe(Infinity);
  const { tool, dispatch } = registry.lookup('tool_search') ?? {};
  if (tool === undefined || dispatch === undefined) throw new Error('It is not registered.');
  const watch = { onStart: () => undefined, onStream: () => undefined };
  const found = await builtIn.call(
    'c',
    () => textResult('found'),
    () => dispatch.run(signal, tool, toolCall('c', { tool: 'tool_search' }), watch),
  );
  expect(found.textResultForLlm).toBe('found');
  expect(builtIns.list()[1]).toMatchObject({ calls: 1, faults: [] });
});

test('a recorded answer is given to the request that it belongs to, and to no other', async () => {
  const { hooks, recorded, builtIns } = world();
  const [added] = hooks.providers.list();
  if (added?.reached.by !== 'code') throw new Error('It is not registered.');
  const { ask } = added.reached;
  const request: ModelRequest = { system: '', messages: [], tools: [] };
  recorded.give(request, { parts: [{ type: 'text', text: 'Recorded.' }] });
  const answer = async (asked: ModelRequest): Promise<string> => {
    const parts: ModelPart[] = [];
    for await (const part of ask('A talk')(signal, asked)) parts.push(part);
    return parts.map((part) => ('delta' in part ? part.delta : '')).join('');
  };
  expect(await answer(request)).toBe('Recorded.');
  await expect(answer({ ...request })).rejects.toThrow('only in the sessions that play them');
  expect(builtIns.list()[2]).toMatchObject({
    calls: 2,
    faults: [{ what: 'The stream provider replay' }],
  });
});

test('the commands act in the session, and say what is wrong', async () => {
  const { say, done, window, shown } = world();
  await say('/title Bills of May');
  await say('/background count');
  expect(await say('/model large')).toBe('Model: LARGE');
  expect(done).toEqual(['rename Bills of May', 'start count', 'use large']);
  await say('/fork');
  expect(window.location.hash).toBe('#/sessions/copy');
  await say('/new');
  expect(window.location.hash).toBe('#/sessions/new');
  expect(await say('/title')).toBe('Write /title TITLE.');
  expect(await say('/model gone')).toContain('/model: There is no model “gone”');
  expect(await say('/fork', '')).toContain('not bound');
  const model = shown.commands.find(({ name }) => name === 'model');
  expect(await model?.complete?.(signal, 'LAR')).toEqual(['Local/large']);
});

test('what users need stays on; the rest can be switched off, which is remembered', () => {
  const kept = memory();
  const made = world(kept);
  for (const { name, without } of made.builtIns.list())
    expect([name, without === null]).toEqual([name, name !== 'Session commands']);
  const before = kindsOf(made);
  for (const { name } of made.builtIns.list()) made.builtIns.switch(name, true);
  expect(made.shown.commands).toEqual([]);
  expect(kindsOf(made)).toEqual({ ...before, 'Session commands': [] });
  expect(made.builtIns.list().map(({ state }) => state)).toEqual([
    'running',
    'running',
    'running',
    'off',
  ]);
  expect(made.registry.lookup('finish')).toBeDefined();
  // The next visit.
  const next = world(kept);
  expect(next.shown.commands).toEqual([]);
  let told = 0;
  next.builtIns.observe(() => (told += 1));
  next.builtIns.switch('Session commands', false);
  vi.advanceTimersByTime(1_000);
  expect([kindsOf(next), told > 0]).toEqual([before, true]);
  expect(world(memory({ 'cloche-built-ins-off': '{"x' })).shown.commands).toHaveLength(5);
});

test('one that is added later can be taken back without a trace', () => {
  const { builtIns, shown } = world();
  const end = builtIns.add({
    name: 'Later',
    without: 'Nothing.',
    register: (app) => {
      app.registerStatusSection({ key: 'clock', side: 'left', order: 1 });
    },
  });
  expect(shown.status).toHaveLength(1);
  expect(builtIns.list().at(-1)?.name).toBe('Later');
  end();
  expect([shown.status, builtIns.list().length]).toEqual([[], 4]);
});
