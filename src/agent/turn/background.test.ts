/** Background prompts in the log. */

import { expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import type { ModelPart } from '../../runtime/spec/model.ts';
import { FakeAgent, asks, registeredTool, says, success, usage } from './agent.fixture.ts';

const price = { input: 10, cached: 1, output: 100 };
const info = { ref: { provider: 'mine', model: 'large' }, label: 'Large', context: null };

function agentWithPrice(): FakeAgent {
  const agent = new FakeAgent();
  agent.tools = [registeredTool('m:g', { background_safe: true })];
  agent.info = { ...info, images: null, price };
  return agent;
}

/** Waits until everything is stored, and opens the session in the next visit. */
function later(agent: FakeAgent): FakeAgent {
  return new FakeAgent(agent.browser.afterCrash(), 1);
}

async function say(talk: ReturnType<FakeAgent['begin']>, text: string): Promise<void> {
  talk.send([{ type: 'text', text }]);
  await talk.settled();
}

test('the tokens and cost of a background prompt count for the session, and its answer survives a reload', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  const { usage, cost } = talk.state;
  agent.script = [asks(['m__g', '{}']), says('Found.')];
  talk.background.start('Look it up');
  await talk.background.settled();
  // One answer in the session, two in background prompts.
  expect(talk.state.usage.input).toBe(3 * (usage.input ?? 0));
  expect(talk.state.cost).toBeCloseTo(3 * (cost ?? 0));
  const again = await later(agent).open(talk.id);
  expect(again.background.ended).toEqual([
    { prompt: 'Look it up', text: 'Found.', ok: true, calls: [] },
  ]);
  expect(again.state.cost).toBeCloseTo(3 * (cost ?? 0));
});

test('the calls of a background prompt are reported with their results', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  const names = (): readonly unknown[] =>
    talk.background.running?.calls.map(({ name, ok }) => [name, ok]) ?? [];
  const under: unknown[] = [];
  agent.onCall = (_, { arguments: args }) => {
    under.push(names());
    return Promise.resolve(args === '{}' ? success('1') : failure('E', 'It failed.'));
  };
  agent.script = [
    asks(['m__g', '{}']),
    asks(['m__g', '{"n": 1}'], ['nothing', '{}']),
    says('Yes.'),
  ];
  talk.background.start('Look it up');
  await talk.background.settled();
  expect(under).toEqual([
    [['m:g', null]],
    [
      ['m:g', true],
      ['m:g', null],
    ],
  ]);
  const [ended] = talk.background.ended;
  expect(ended?.calls.map(({ name, ok }) => [name, ok])).toEqual([
    ['m:g', true],
    ['m:g', false],
    ['nothing', false],
  ]);
  expect(ended?.calls[0]?.id).toBe(agent.calls[0]?.id);
});

test('the background prompt directly follows the model’s last answer', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  agent.script = [says('Found.')];
  talk.background.start('Look it up');
  await talk.background.settled();
  expect(agent.requests.at(-1)?.messages).toEqual([
    { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Look it up' }] },
  ]);
});

test('the cost of an answer counts even if the background prompt is cancelled', async () => {
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
  expect(talk.background.ended).toMatchObject([
    { prompt: 'Look it up', text: 'Cancelled.', ok: false },
  ]);
  expect(talk.state.cost).toBeCloseTo(2 * (cost ?? 0));
});

test('a tab that closes during a background prompt leaves the prompt and its cost in the log', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  const { cost } = talk.state;
  agent.onCall = () => new Promise(() => undefined);
  agent.script = [asks(['m__g', '{}'])];
  talk.background.start('Look it up');
  while (agent.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const { background, state } = await later(agent).open(talk.id);
  const text =
    'The page was closed or reloaded, or another tab took over, before there was an answer.';
  expect([background.running, background.ended]).toEqual([
    null,
    [{ prompt: 'Look it up', text, ok: false, calls: [] }],
  ]);
  // One answer in the session, and the background answer that had arrived.
  expect(state.cost).toBeCloseTo(2 * (cost ?? 0));
});

test('a background prompt ends once when another tab takes over', async () => {
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

test('an answer that the log refuses is reported', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  agent.script = [says('x'.repeat(999_980))];
  talk.background.start('Tell me all');
  await talk.background.settled();
  expect(talk.background.ended).toMatchObject([{ prompt: 'Tell me all', ok: false }]);
  expect(talk.background.ended[0]?.text).toMatch(/cannot store a background-ended/);
});

test('a background prompt needs a session with a message', () => {
  const talk = agentWithPrice().begin();
  expect(() => {
    talk.background.start('Look it up');
  }).toThrow(/a session that has started/);
  expect(talk.background.running).toBeNull();
});

test('token counts that the log refuses end the background prompt with an error', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  const usage = { input: -1, cached: null, output: 1, reasoning: null };
  agent.script = [
    says('Found.').map((part) => (part.type === 'ended' ? { ...part, usage } : part)),
  ];
  talk.background.start('Look it up');
  await talk.background.settled();
  expect(talk.background.running).toBeNull();
  expect(talk.background.ended).toMatchObject([{ prompt: 'Look it up', ok: false }]);
});

test('a following tab takes over for its background prompt once the other tab is gone', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  const heir = new FakeAgent(agent.browser, 1);
  heir.tools = agent.tools;
  const other = await heir.open(talk.id);
  expect(other.writes).toBe(false);
  await Promise.all(agent.logs.map((log) => log.close()));
  heir.script = [says('Found.')];
  other.background.start('Look it up');
  await other.background.settled();
  expect(other.background.ended).toEqual([
    { prompt: 'Look it up', text: 'Found.', ok: true, calls: [] },
  ]);
  heir.script = [says('Fine.')];
  await say(other, 'And now?');
  expect(other.state.entries.some((entry) => entry.kind === 'turn-ended')).toBe(false);
});

const filtered: ModelPart[] = [
  { type: 'text', id: '1', delta: 'It is' },
  { type: 'ended', finish: 'filtered', usage },
];

test.each([
  [
    'cut at its limit',
    [cutOff(says('Half of'))],
    'Half of\n\n[The answer reached the output limit',
  ],
  ['ended by a filter', [filtered], 'It is\n\n[The provider’s content filter ended the answer.]'],
  ['empty', [nothing(), nothing()], 'The model returned an empty answer.'],
  ['never ended', [[], [], [], [], []], 'The answer was interrupted.'],
])('an answer that is %s is reported as such', async (_, script, text) => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  agent.script = [...script, says('Never asked for.')];
  talk.background.start('Look it up');
  await talk.background.settled();
  expect(talk.background.ended).toMatchObject([{ prompt: 'Look it up', ok: false }]);
  expect(talk.background.ended[0]?.text).toContain(text);
});

test('calls of a truncated answer do not run, and the third such answer in a row ends the prompt', async () => {
  const agent = agentWithPrice();
  agent.script = [says('Hello.')];
  const talk = agent.begin();
  await say(talk, 'Hello');
  agent.requests.length = 0;
  agent.script = Array.from({ length: 20 }, () => cutOff(asks(['m__g', ''])));
  talk.background.start('Look it up');
  await talk.background.settled();
  expect([agent.calls, agent.requests.length]).toEqual([[], 3]);
  expect(JSON.stringify(agent.requests.at(-1)?.messages.at(-1))).toContain('was cut off');
  expect(talk.background.ended).toMatchObject([{ ok: false }]);
});

function cutOff(parts: ModelPart[]): ModelPart[] {
  return parts.map((part) => (part.type === 'ended' ? { ...part, finish: 'length' } : part));
}

function nothing(): ModelPart[] {
  return [{ type: 'ended', finish: 'stop', usage }];
}
