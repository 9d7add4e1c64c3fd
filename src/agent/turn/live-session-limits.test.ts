/** Inputs that are too large for a session or its model. */

import { expect, test } from 'vitest';
import { answerText, asks, FakeAgent, registeredTool, send, success } from './agent.fixture.ts';

test('changed arguments that are too long for the log are replaced by a note', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = (_, { id }) => {
    const args = `{"text": "${'x'.repeat(2_000_000)}"}`;
    talk.answered(id, 'm:f', { approval: 'once', reason: '', arguments: args });
    return Promise.resolve(success('ok'));
  };
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  expect(agent.reported).toEqual([]);
  expect([...talk.state.calls.values()]).toMatchObject([
    { approval: { approval: 'once' }, arguments: '"2,000,012 characters: too long to store"' },
  ]);
  expect(answerText(agent)).toContain(
    'The call ran with: "2,000,012 characters: too long to store"',
  );
});

test('a result that the log cuts says so at its end, also in read_result', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = () => Promise.resolve(success('y'.repeat(3_000_000)));
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  const [call] = talk.state.calls.values();
  const mark = '[Cut here: there were 3,000,000 characters, more than a session stores.]';
  expect(call?.result?.textResultForLlm.slice(400_000)).toBe(`\n${mark}`);
  const result = call?.asked.id.slice(0, 8);
  agent.script = [asks(['read_result', JSON.stringify({ result, offset: 399_990 })])];
  await send(talk, 'Read on');
  expect(answerText(agent)).toBe(`${'y'.repeat(10)}\n${mark}`);
});

test('a selection that is too large for the log reports its number of tools and a remedy', async () => {
  const agent = new FakeAgent();
  agent.tools = Array.from({ length: 30 }, (_, n) =>
    registeredTool(`m:f${n}`, { description: 'z'.repeat(50_000) }),
  );
  const talk = agent.begin();
  await send(talk, 'Go');
  expect(talk.state.entries.at(-1)).toMatchObject({
    kind: 'turn-ended',
    end: 'failed',
    fault: {
      message: expect.stringMatching(
        /^The 30 selected tools are too large for a session\. .* the limit of 1 MB\.$/,
      ) as string,
      hint: 'Deselect some of them under “Local tools”, then press “Continue”.',
    },
  });
  talk.select(['m:f1']);
  talk.resume();
  await talk.settled();
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('only the beginning of an endless query is searched', async () => {
  const agent = new FakeAgent();
  agent.tools = [registeredTool('m:f', { deferred: true, description: 'Counts whales.' })];
  const talk = agent.begin();
  const words = Array.from({ length: 49 }, (_, n) => `word${n}`).join(' ');
  const search = (query: string) => asks(['tool_search', JSON.stringify({ query })]);
  agent.script = [search(`${words} more whales`), search(`${' '.repeat(2_000)}whales`)];
  await send(talk, 'Go');
  const received = agent.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
  expect(JSON.stringify(received).match(/No tool matches/g)).toHaveLength(2);
  agent.script = [search(`${words} whales`)];
  await send(talk, 'Once more');
  expect(answerText(agent)).toContain('You can now call these tools');
});

test('each step of a turn is stored with one write', async () => {
  const agent = new FakeAgent();
  agent.tools = [registeredTool('m:f', { deferred: true, description: 'Counts whales.' })];
  agent.onPart = () => new Promise((resolve) => setImmediate(resolve));
  const talk = agent.begin();
  const steps = 20;
  agent.script = Array.from({ length: steps }, () => asks(['tool_search', '{"query": "whales"}']));
  let writes = 0;
  agent.browser.beforeWrite = () => (writes += 1);
  await send(talk, 'Go');
  const [log] = agent.logs;
  await log?.written();
  // The end of the answer, the result of its call, and the beginning of the next answer.
  expect(log?.events.length).toBeGreaterThan(3 * steps);
  expect(agent.browser.texts(talk.id)).toHaveLength(log?.events.length ?? 0);
  expect(writes).toBeLessThan(steps + 6);
});

test('a message that is too long is refused before the selection is locked', () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  expect(() => {
    talk.send([{ type: 'text', text: 'x'.repeat(600_000) }]);
  }).toThrow('This message is too long to save.');
  expect([talk.state.selection, talk.state.head.messages]).toEqual([null, 0]);
});
