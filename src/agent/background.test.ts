/** What the log keeps of a prompt beside the session. */

import { expect, test, vi } from 'vitest';
import { FakeAgent, asks, registeredTool, says, success } from './agent.fixture.ts';

const price = { input: 10, cached: 1, output: 100 };
const info = { ref: { provider: 'mine', model: 'large' }, label: 'Large', context: null };

function agentWithPrice(): FakeAgent {
  const agent = new FakeAgent();
  agent.tools = [registeredTool('m:g', { background_safe: true })];
  agent.info = { ...info, images: null, price };
  return agent;
}

/** The next visit, when what was written has reached the store. */
function later(agent: FakeAgent): FakeAgent {
  return new FakeAgent(agent.browser.afterCrash(), 1);
}

async function say(talk: ReturnType<FakeAgent['begin']>, text: string): Promise<void> {
  talk.send([{ type: 'text', text }]);
  await talk.settled();
}

test('its tokens and cost count among the session’s, and its answer is there after a reload', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  const { usage, cost } = talk.state;
  agent.script = [asks(['m__g', '{}']), says('Found.')];
  talk.background.start('Look it up');
  await talk.background.settled();
  // One answer in the session, two beside it.
  expect(talk.state.usage.input).toBe(3 * (usage.input ?? 0));
  expect(talk.state.cost).toBeCloseTo(3 * (cost ?? 0));
  const again = await later(agent).open(talk.id);
  expect(again.background.ended).toEqual([{ prompt: 'Look it up', text: 'Found.', ok: true }]);
  expect(again.state.cost).toBeCloseTo(3 * (cost ?? 0));
});

test('what an answer cost counts where the next one fails, or the prompt is cancelled', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  const { cost } = talk.state;
  agent.onCall = () => {
    talk.background.cancel();
    return Promise.resolve(success('late'));
  };
  agent.script = [asks(['m__g', '{}']), says('Never asked for.')];
  talk.background.start('Look it up');
  await talk.background.settled();
  expect(talk.background.ended).toEqual([{ prompt: 'Look it up', text: 'Cancelled.', ok: false }]);
  expect(talk.state.cost).toBeCloseTo(2 * (cost ?? 0));
});

test('a page that goes while one runs leaves word of it', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  agent.onCall = () => new Promise(() => undefined);
  agent.script = [asks(['m__g', '{}'])];
  talk.background.start('Look it up');
  while (agent.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const { background } = await later(agent).open(talk.id);
  const text = 'The page was closed or reloaded before there was an answer.';
  expect([background.running, background.ended]).toEqual([
    ...[null, [{ prompt: 'Look it up', text, ok: false }]],
  ]);
});

test('where another page takes over, it ends there, and is told of once', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  agent.onCall = (signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('It was ended.'));
      });
    });
  agent.script = [asks(['m__g', '{}'])];
  talk.background.start('Look it up');
  while (agent.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const other = await new FakeAgent(agent.browser, 1).open(talk.id);
  await other.takeOver();
  await talk.background.settled();
  await vi.waitFor(() => {
    expect([talk.background.ended.length, other.background.ended.length]).toEqual([1, 1]);
  });
  expect(talk.writes).toBe(false);
});

test('an answer that the log refuses is told as such', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  agent.script = [says('x'.repeat(999_980))];
  talk.background.start('Tell me all');
  await talk.background.settled();
  expect(talk.background.ended).toMatchObject([{ prompt: 'Tell me all', ok: false }]);
  expect(talk.background.ended[0]?.text).toMatch(/did not keep a background-ended/);
});
