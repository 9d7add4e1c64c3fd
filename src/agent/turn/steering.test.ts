/** Steering messages are logged or stay queued, even if another tab takes over or a hook adds too much. */

import { expect, test } from 'vitest';
import { asks, FakeAgent, model, says, send, success } from './agent.fixture.ts';

const part = (text: string) => ({ type: 'text', text }) as const;

/** An agent whose first call is steered. */
function steeredAgent(...messages: readonly string[]) {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = () => {
    for (const text of messages) talk.send([part(text)]);
    return Promise.resolve(success('1'));
  };
  agent.script = [asks(['m__f', '{}']), says('Done.')];
  const said = (): unknown[] =>
    talk.state.entries.flatMap((entry) => (entry.kind === 'message' ? [entry.parts] : []));
  return { agent, talk, said };
}

test('a message that a hook holds while another tab takes over stays queued', async () => {
  const { agent, talk, said } = steeredAgent('Rather that', 'And that');
  agent.hooks.messages.intercept(0, async (message, next) => {
    if (message.steering && talk.writes) {
      const other = await new FakeAgent(agent.browser, 1).open(talk.id);
      // The hook continues at the moment in which the session is lost.
      const lost = new Promise<void>((resolve) => {
        agent.logs[0]?.observe(resolve);
      });
      await Promise.race([other.takeOver(), lost]);
    }
    await next({ ...message, parts: [...message.parts, part('!')] });
  });
  await send(talk, 'Go');
  expect([talk.writes, talk.live.queue.map(({ parts }) => parts)]).toEqual([
    false,
    [[part('Rather that')], [part('And that')]],
  ]);
  expect([said(), agent.reported]).toEqual([[[part('Go'), part('!')]], []]);
});

test('a message that a hook makes too long stays queued with the reason, and does not block others', async () => {
  const { agent, talk, said } = steeredAgent('Rather that', 'And that');
  agent.hooks.messages.intercept(0, (message, next) => {
    const isLong = JSON.stringify(message.parts).includes('Rather');
    return next({ ...message, context: isLong ? [part('x'.repeat(2_000_000))] : [] });
  });
  await send(talk, 'Go');
  expect(talk.live.queue).toMatchObject([
    {
      parts: [part('Rather that')],
      stopped: expect.stringContaining('the limit of 1 MB') as string,
    },
  ]);
  expect(said()).toEqual([[part('Go')], [part('And that')]]);
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop', model });
  expect(agent.reported).toEqual([]);
});
