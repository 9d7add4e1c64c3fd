import { expect, test } from 'vitest';
import { idle } from '../../agent/live.ts';
import { Models } from './models.svelte.ts';
import { OpenSession } from './open-session.svelte.ts';
import { config, fakeProviders, FakeConversation, stateOf } from './sessions.fixture.ts';
import { builtInSections } from './status-sections.svelte.ts';

function sections(shown: OpenSession | null) {
  const models = new Models();
  models.connect(fakeProviders([config]));
  const all = builtInSections({ shown, models });
  const told = (side: 'left' | 'right') =>
    all.of(side).flatMap(({ key, text }) => (text() === '' ? [] : [[key, text()]]));
  return { all, told };
}

const quiet = { say: () => undefined };

test('the status line tells of the session that is shown', () => {
  const queue = [{ id: 'q1', parts: [] }];
  const conversation = new FakeConversation(stateOf(), { ...idle, phase: 'asking', queue });
  const { told } = sections(new OpenSession(conversation, quiet));
  expect([told('left'), told('right')]).toEqual([
    [
      ['app', 'GPT X is asked'],
      ['model', 'GPT X'],
      ['queue', '1 message waits'],
    ],
    [
      ['tokens', '1.8k in, 212 out'],
      ['cost', '$0.012'],
      ['prompt-budget', 'Context 41k of 128k, 32 %'],
    ],
  ]);
});

test('a turn that another page runs is told of as such', () => {
  const conversation = new FakeConversation(stateOf(), { ...idle, phase: 'calling' });
  conversation.writes = false;
  const { told } = sections(new OpenSession(conversation, quiet));
  expect(told('left')[0]).toEqual(['app', 'In the other page: Tools are running']);
});

test('without a session it tells nothing', () => {
  const { told } = sections(null);
  expect([told('left'), told('right')]).toEqual([[], []]);
});

test('a section takes its place by its order, replaces one of its key, and gives it back', () => {
  const { all, told } = sections(new OpenSession(new FakeConversation(stateOf()), quiet));
  const section = { side: 'left', title: 'Mine', text: () => 'mine' } as const;
  all.register({ ...section, key: 'mine', order: 5 });
  const dispose = all.register({ ...section, key: 'model', order: 20 });
  expect(told('left').map(([key, text]) => `${key ?? ''} ${text ?? ''}`)).toEqual([
    ...['app Session idle', 'mine mine', 'model mine'],
  ]);
  dispose();
  expect(told('left').at(-1)).toEqual(['model', 'GPT X']);
});
