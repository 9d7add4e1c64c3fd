/** What the user can do during the wait before a retry. */

import { expect, test, vi } from 'vitest';
import { ModelError } from '../../runtime/spec/model-error.ts';
import { FakeAgent, model, says, type Said } from './agent.fixture.ts';
import type { LiveSession } from './live-session.ts';

const slowly = (): Said => new ModelError('rate-limit', 'Slowly.', 'Choose another.', 50_000);

/** A conversation during the wait before a retry, which would never end by itself. */
async function waiting(agent: FakeAgent): Promise<LiveSession> {
  agent.onWait = () => new Promise(() => undefined);
  const talk = agent.begin();
  talk.send([{ type: 'text', text: 'Go' }]);
  await vi.waitFor(() => {
    expect(talk.live.phase).toBe('waiting');
  });
  return talk;
}

test('another model is asked at once, with its own retries', async () => {
  const agent = new FakeAgent();
  const small = { ...model, model: 'small' };
  agent.script = [slowly(), slowly(), says('Here.')];
  const talk = await waiting(agent);
  agent.onWait = () => Promise.resolve();
  talk.useModel(small);
  await talk.settled();
  const steps = talk.state.entries.flatMap((entry) => (entry.kind === 'step' ? [entry] : []));
  expect(steps.map(({ finish, model }) => [finish, model.model])).toEqual([
    ['cut', 'large'],
    ['cut', 'small'],
    ['stop', 'small'],
  ]);
  expect(talk.live.waiting).toBe(null);
});

test('a message during the wait starts the next attempt at once', async () => {
  const agent = new FakeAgent();
  agent.script = [slowly(), says('Here.')];
  const talk = await waiting(agent);
  talk.send([{ type: 'text', text: 'Are you there?' }]);
  await talk.settled();
  expect(agent.requests).toHaveLength(2);
  expect(agent.requests.at(-1)?.messages).toMatchObject([
    { role: 'user', parts: [{ text: 'Go' }, { text: 'Are you there?' }] },
  ]);
});

test('a message from before the wait does not shorten it, and goes with the next attempt', async () => {
  const agent = new FakeAgent();
  const said: LiveSession[] = [];
  agent.script = [
    () => {
      said[0]?.send([{ type: 'text', text: 'Early.' }]);
      throw slowly() as Error;
    },
    says('Here.'),
  ];
  let end = (): void => undefined;
  agent.onWait = () => new Promise((resolve) => (end = resolve));
  const talk = agent.begin();
  said.push(talk);
  talk.send([{ type: 'text', text: 'Go' }]);
  await vi.waitFor(() => {
    expect(talk.live.phase).toBe('waiting');
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect([agent.requests.length, talk.live.queue.length]).toEqual([1, 1]);
  end();
  await talk.settled();
  expect(JSON.stringify(agent.requests.at(-1)?.messages)).toContain('Early.');
});

test('Stop ends the wait, and the turn', async () => {
  const agent = new FakeAgent();
  agent.script = [slowly(), says('Never asked for.')];
  const talk = await waiting(agent);
  talk.stop();
  await talk.settled();
  expect(agent.requests).toHaveLength(1);
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'turn-ended', end: 'stopped' });
});
