/** Messages that an extension puts in the place of a conversation. */

import { expect, test } from 'vitest';
import { FakeAgent, says, send } from './agent.fixture.ts';

const said = (role: 'user' | 'assistant', text: string) =>
  ({ role, parts: [{ type: 'text', text }] }) as const;

test('the model is sent them instead, and the transcript stays, also after a visit', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [says('Hello.'), says('Yes.'), says('Still.')];
  await send(talk, 'Hi');
  const { length } = talk.state.entries;
  talk.replaceMessages([said('user', 'Short.'), said('assistant', 'Ok.')], 'Short.', 'gate.py');
  expect(talk.state.entries.slice(0, length)).toMatchObject([
    { kind: 'message' },
    { kind: 'step' },
  ]);
  expect(talk.state.entries.at(-1)).toMatchObject({
    kind: 'compacted',
    summary: 'Short.',
    from: 'gate.py',
  });
  await send(talk, 'Go on?');
  expect(agent.requests.at(-1)?.messages).toEqual([
    said('user', 'Short.'),
    said('assistant', 'Ok.'),
    said('user', 'Go on?'),
  ]);
  // The empty list is a fresh start.
  talk.replaceMessages([], '', 'gate.py');
  await send(talk, 'Again');
  expect(agent.requests.at(-1)?.messages).toEqual([said('user', 'Again')]);
});

test('nothing is replaced while a turn runs', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [says('Hello.')];
  const sending = send(talk, 'Hi');
  expect(() => {
    talk.replaceMessages([], '', 'gate.py');
  }).toThrow('while a turn runs');
  await sending;
  expect(talk.state.compaction).toBe(null);
});
