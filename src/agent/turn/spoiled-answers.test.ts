/** Malformed calls whose meaning is clear: how they run, and how they are sent back in the history. */

import { expect, test } from 'vitest';
import type { ModelPart } from '../../runtime/spec/model.ts';
import { answers, answerText, asks, FakeAgent, says, send, usage } from './agent.fixture.ts';

test('a call by the tool\u2019s own name runs, and comes back under a name that providers accept', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [
    asks(['m:f', '{"n":1}'], ['f', '{"n":2}'], ['functions.m__f', '{}']),
    says('Done.'),
  ];
  await send(talk, 'Go');
  expect(agent.calls.map(({ tool, arguments: args }) => [tool, args])).toEqual([
    ['m:f', '{"n":1}'],
    ['m:f', '{"n":2}'],
    ['m:f', '{}'],
  ]);
  const history = agent.requests[1]?.messages.find(({ role }) => role === 'assistant');
  expect(history).toMatchObject({
    parts: [{ wire: 'm__f' }, { wire: 'f' }, { wire: 'm__f' }],
  });
  expect(answers(agent)).toMatchObject([
    { wire: 'm__f', isError: false },
    { wire: 'f', isError: false },
    { wire: 'm__f', isError: false },
  ]);
});

test('misspelled arguments that can mean only one object are used everywhere', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [
    asks(['m__f', '{"n":3.0}{"n":3.0}'], ['m__f', "{'n': 12345678901234567890,}"]),
    says('Done.'),
  ];
  await send(talk, 'Go');
  const read = ['{"n":3.0}', '{"n":12345678901234567890}'];
  expect(agent.calls.map(({ arguments: args }) => args)).toEqual(read);
  const asked = [...talk.state.calls.values()].map((call) => call.asked);
  expect(asked.map(({ arguments: args, argumentFault }) => [args, argumentFault])).toEqual([
    [read[0], 'repeated'],
    [read[1], 'syntax'],
  ]);
  const history = agent.requests[1]?.messages.find(({ role }) => role === 'assistant');
  expect(history).toMatchObject({ parts: read.map((text) => ({ arguments: text })) });
  // The stored session contains the same.
  const reopened = await agent.open(agent.logs.at(-1)?.id ?? '');
  expect([...reopened.state.calls.values()].map((call) => call.asked)).toEqual(asked);
});

test('arguments that can mean two objects run nothing, and the model learns why', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [asks(['m__f', '{"n":1}{"n":2}']), says('Done.')];
  await send(talk, 'Go');
  expect(agent.calls).toEqual([]);
  expect(answers(agent)).toMatchObject([{ isError: true }]);
  expect(answerText(agent)).toMatch(/not valid JSON.*They were: \{"n":1\}\{"n":2\}/s);
});

test('a text that turns out to be reasoning is stored as reasoning', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const parts: ModelPart[] = [
    { type: 'text', id: '0', delta: 'Hm. ' },
    { type: 'text', id: '0', delta: 'So.' },
    { type: 'was-reasoning', id: '0' },
    { type: 'text', id: '0', delta: 'Yes.' },
    { type: 'part-ended', id: '0' },
    { type: 'ended', finish: 'stop', usage },
  ];
  agent.script = [parts];
  await send(talk, 'Go');
  const step = talk.state.entries.find((entry) => entry.kind === 'step');
  expect(step).toMatchObject({
    parts: [
      { type: 'reasoning', text: 'Hm. So.' },
      { type: 'text', text: 'Yes.' },
    ],
  });
});
