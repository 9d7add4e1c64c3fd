/** Answers with calls that were truncated at the model's limit or by a filter. */

import { expect, test } from 'vitest';
import type { Finish, ModelPart } from '../../runtime/spec/model.ts';
import { answers, asks, FakeAgent, says, send } from './agent.fixture.ts';

function cut(
  finish: Finish,
  ...calls: readonly (readonly [wire: string, args: string])[]
): ModelPart[] {
  return asks(...calls).map((part) => (part.type === 'ended' ? { ...part, finish } : part));
}

function sentTexts(agent: FakeAgent): string[] {
  return answers(agent).flatMap(({ parts }) =>
    parts.map((part) => (part.type === 'text' ? part.text : part.type)),
  );
}

test('calls of an answer that reached its maximum length do not run, and the model is told why', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [
    cut('length', ['m__f', '{"n": 1}'], ['m__g', '{"text": "Once up'], ['m__f', '']),
    says('Shorter, then.'),
  ];
  await send(talk, 'Write it');
  const why =
    'your answer reached its length limit and was cut off. Call it again with shorter arguments, or split it into smaller calls.';
  expect(agent.calls).toEqual([]);
  expect(sentTexts(agent)).toEqual([
    `The call to m:f was not run: ${why}`,
    `The call to m:g was not run: ${why}`,
    `The call to m:f was not run: ${why}`,
  ]);
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('repeated truncated answers end the turn', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const short = cut('length', ['m__f', '{"text": "Once']);
  agent.script = [short, short, asks(['m__f', '{}']), ...Array.from({ length: 100 }, () => short)];
  await send(talk, 'Write it');
  expect([agent.requests.length, agent.calls.length]).toEqual([6, 1]);
  expect(talk.state.entries.at(-1)).toMatchObject({
    kind: 'turn-ended',
    end: 'failed',
    fault: {
      message:
        '3 answers in a row reached the output limit of the model before their calls were complete.',
    },
  });
  expect([...talk.state.calls.values()].map(({ phase }) => phase)).toEqual(
    Array.from({ length: 6 }, () => 'ended'),
  );
});

test('calls of a filtered answer do not run, and the turn ends', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [cut('filtered', ['m__f', '']), says('Never asked for.')];
  await send(talk, 'Go');
  expect([agent.requests.length, agent.calls]).toEqual([1, []]);
  expect(talk.state.entries.at(-1)).toMatchObject({
    kind: 'turn-ended',
    end: 'failed',
    fault: { fault: 'refused' },
  });
  expect([...talk.state.calls.values()]).toMatchObject([
    { phase: 'ended', result: { error: 'cancelled' } },
  ]);
});

test('the first call beyond the limit of one answer says that it and those after it did not run', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const many = Array.from({ length: 140 }, () => ['m__f', '{}'] as const);
  agent.script = [asks(...many), says('The rest, then.')];
  await send(talk, 'All of it');
  expect([agent.calls.length, talk.state.calls.size]).toEqual([128, 129]);
  expect(sentTexts(agent).slice(-2)).toEqual([
    '{}',
    'The call to m:f was not run, nor were the calls after it: an answer can have at most 128 calls. Repeat the missing calls in your next answer.',
  ]);
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});
