import { expect, test } from 'vitest';
import type { Calls } from '../../../agent/session/session-state.ts';
import { idle } from '../../../agent/turn/live-state.ts';
import { Models } from './models/models.svelte.ts';
import { OpenSession } from './open-session.svelte.ts';
import { StatusEntries } from '../shell/status-entries.svelte.ts';
import { config, fakeProviders } from './providers.fixture.ts';
import { askedCall, callOf, FakeSession, stateOf } from './sessions.fixture.ts';
import { mockApp } from '../../../agent/extensions/mock-app.fixture.ts';
import { statusLine } from './session-entries.ts';

function entries(inView: OpenSession | null, asked: readonly string[] = []) {
  const models = new Models();
  models.connect(fakeProviders([config]));
  const waitsIn = (calls: Pick<Calls, 'has'>): boolean => asked.some((id) => calls.has(id));
  const built = statusLine({ inView, models, waitsIn });
  const { shown } = mockApp((app) => {
    built.register(app);
  });
  const all = new StatusEntries();
  for (const { key, side, order, live } of shown.status)
    if (live !== undefined) all.register({ key, side, order, ...live });
  const texts = (side: 'left' | 'right') =>
    all
      .of(side)
      .flatMap((entry) => ('text' in entry ? [[entry.key, entry.text()]] : []))
      .filter(([, text]) => text !== '');
  return { all, texts };
}

const quiet = { say: () => undefined };

test('the status line describes the session in view', () => {
  const queue = [{ id: 'q1', parts: [] }];
  const session = new FakeSession(stateOf(), { ...idle, phase: 'asking', queue });
  const { texts } = entries(new OpenSession(session, quiet));
  expect([texts('left'), texts('right')]).toEqual([
    [
      ['app', 'Waiting for GPT X'],
      ['model', 'GPT X'],
      ['queue', '1 queued message'],
    ],
    [
      ['tokens', '1.8k in, 212 out'],
      ['cost', '$0.012'],
      ['prompt-budget', 'Context 41k of 128k, 32 %'],
    ],
  ]);
});

test('a turn that another page runs is marked as such', () => {
  const session = new FakeSession(stateOf(), { ...idle, phase: 'calling' });
  session.writes = false;
  const { texts } = entries(new OpenSession(session, quiet));
  expect(texts('left')[0]).toEqual(['app', 'In another tab: Running tools']);
});

test('the status line is empty without a session', () => {
  const { texts } = entries(null);
  expect([texts('left'), texts('right')]).toEqual([[], []]);
});

test('entries are ordered, and an entry replaces one with its key until it is disposed', () => {
  const { all, texts } = entries(new OpenSession(new FakeSession(stateOf()), quiet));
  const entry = { side: 'left', title: 'Mine', text: () => 'mine' } as const;
  all.register({ ...entry, key: 'mine', order: 105 });
  const dispose = all.register({ ...entry, key: 'model', order: 120 });
  expect(texts('left').map(([key, text]) => `${key ?? ''} ${text ?? ''}`)).toEqual([
    'app Session idle',
    'mine mine',
    'model mine',
  ]);
  dispose();
  expect(texts('left').at(-1)).toEqual(['model', 'GPT X']);
});

test('a call that waits for the user is described as such', () => {
  const calls = new Map([['c1', callOf(askedCall('c1'), { phase: 'running', result: null })]]);
  const session = new FakeSession({ ...stateOf(), calls }, { ...idle, phase: 'calling' });
  const texts = (asked: readonly string[]) =>
    entries(new OpenSession(session, quiet), asked).texts('left')[0];
  expect([texts([]), texts(['c1'])]).toEqual([
    ['app', 'Running tools'],
    ['app', 'A call is waiting for your answer'],
  ]);
});

test('an answer of a background prompt is shown until it was seen', () => {
  const session = new FakeSession(stateOf());
  const said: string[] = [];
  const open = new OpenSession(session, { say: (words) => said.push(words) });
  const { texts } = entries(open);
  const bg = (): unknown => texts('left').find(([key]) => key === 'bg')?.[1];
  const seen: unknown[] = [bg()];
  const run = (running: boolean, ended: typeof session.background.ended): void => {
    const now = running ? { prompt: 'p', since: 0, text: '', calls: [] } : null;
    session.background = { ...session.background, running: now, ended };
    session.set({});
    seen.push(bg());
  };
  run(true, []);
  run(false, [{ prompt: 'p', text: 'Yes.', ok: true, calls: [] }]);
  open.hear();
  seen.push(bg());
  run(true, []);
  run(false, [{ prompt: 'p', text: 'No.', ok: false, calls: [] }]);
  expect(seen).toEqual([
    undefined,
    'Background running',
    'Background finished',
    undefined,
    'Background running',
    'Background failed',
  ]);
  expect(said).toEqual(['Background prompt finished', 'Background prompt failed']);
});
