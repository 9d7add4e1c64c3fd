/** Answers that the log refuses in part: they are not lost, and no step stays open. */

import { expect, test } from 'vitest';
import type { JsonObject } from '../../runtime/spec/json.ts';
import type { ModelPart } from '../../runtime/spec/model.ts';
import { asks, FakeAgent, says, send, usage } from './agent.fixture.ts';

function deep(levels: number): JsonObject {
  return levels === 0 ? {} : { in: deep(levels - 1) };
}

test('an answer during which the clock is set back takes no time', async () => {
  const agent = new FakeAgent();
  agent.time = 1_000_000;
  agent.onPart = () => {
    agent.time = 5;
    return Promise.resolve();
  };
  const talk = agent.begin();
  agent.script = [says('Here it is.')];
  await send(talk, 'Go');
  expect(talk.state.entries.slice(1)).toMatchObject([
    { kind: 'step', finish: 'stop', parts: [{ text: 'Here it is.' }], fault: null, ms: 0 },
  ]);
  expect(agent.reported).toEqual([]);
});

test.each<[string, ModelPart[]]>([
  [
    'counts below nothing',
    asks(['m__f', '{}']).map((part) =>
      part.type === 'ended' ? { ...part, usage: { ...usage, input: -1 } } : part,
    ),
  ],
  [
    'data of a provider that is nested without end',
    asks(['m__f', '{}']).map((part) =>
      part.type === 'call' ? { ...part, data: deep(300) } : part,
    ),
  ],
])('an answer with %s is stored without them, and its calls run', async (_, said) => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [said, says('Done.')];
  await send(talk, 'Go');
  expect(agent.calls).toMatchObject([{ tool: 'm:f' }]);
  expect(talk.state.entries.slice(1)).toMatchObject([
    { kind: 'step', finish: 'calls', fault: null },
    { kind: 'step', finish: 'stop' },
  ]);
  expect(agent.reported).toEqual([]);
});

test('the beginning of an answer that is too large for the log is stored, and the turn says so', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  // The JSON of the text is six times as long.
  const said = says('\u0001'.repeat(400_000));
  agent.script = [said, said];
  await send(talk, 'Go');
  const step = talk.state.entries[1];
  expect(step).toMatchObject({ kind: 'step', finish: 'cut', usage });
  expect(step?.kind === 'step' && step.parts).toEqual([
    { type: 'text', text: '\u0001'.repeat(100_000) },
  ]);
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'turn-ended', end: 'failed' });
  expect(talk.state.entries.at(-1)).toHaveProperty(
    'fault.message',
    expect.stringMatching(/^Could not store the complete answer: .*the limit of 1 MB/),
  );
});
