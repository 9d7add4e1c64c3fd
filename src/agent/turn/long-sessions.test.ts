/** Long sessions: changes of model, summaries, slow folders and background prompts. */

import { expect, test } from 'vitest';
import { ModelError } from '../../runtime/spec/model-error.ts';
import {
  ofAnswer,
  type ModelMessage,
  type ModelPart,
  type ModelRequest,
} from '../../runtime/spec/model.ts';
import { asks, FakeAgent, model, says, send, success, usage } from './agent.fixture.ts';
import { messagesOf } from './request.ts';

function idsOf(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === 'tool') return message.answers.map(({ askedId }) => `= ${askedId}`);
    if (message.role === 'user') return [];
    return message.parts.flatMap((part) => (part.type === 'call' ? [part.askedId] : []));
  });
}

function length(request: ModelRequest): number {
  return JSON.stringify(request.messages).length;
}

function cutOff(text: string): ModelPart[] {
  return [
    { type: 'text', id: '1', delta: text },
    { type: 'ended', finish: 'length', usage },
  ];
}

test('call ids go back to the model that made them; other models receive ids that every provider accepts', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [asks(['m__f', '{}'], ['m__g', '{}']), asks(['m__f', '{}'])];
  await send(talk, 'Go.');
  expect(idsOf(messagesOf(talk.state, model, { images: true }))).toEqual([
    'a0',
    'a1',
    '= a0',
    '= a1',
    'a0',
    '= a0',
  ]);
  const ids = idsOf(messagesOf(talk.state, { ...model, model: 'other' }, { images: true }));
  const calls = ids.filter((id) => !id.startsWith('='));
  const answers = ids.filter((id) => id.startsWith('='));
  expect(new Set(calls).size).toBe(3);
  for (const id of calls) expect(id).toMatch(/^[a-z0-9]{9}$/);
  expect(answers).toEqual(calls.map((id) => `= ${id}`));
});

test('ids that Cloche made are sent in a form that every provider accepts', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const call = (id: string): ModelPart => ({ type: 'call', id, wire: 'm__f', arguments: '{}' });
  const ids = ['x', 'x', 'y_2', '0b1cbd6b-6ab0-4b8a-8d0e-1f6a0f5b0f3c'];
  agent.script = [[...ids.map(call), { type: 'ended', finish: 'calls', usage }]];
  await send(talk, 'Go.');
  const [x, second, y, ours, ...answers] = idsOf(messagesOf(talk.state, model, { images: true }));
  expect([x, y]).toEqual(['x', 'y_2']);
  for (const id of [second, ours]) expect(id).toMatch(/^[a-z0-9]{9}$/);
  expect(answers).toEqual([x, second, y, ours].map((id) => `= ${String(id)}`));
});

test('opaque data of a whole answer goes back with it, even if it came last', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const [said, ended] = says('Hello.');
  const data = { [ofAnswer]: { openaiCompatible: { reasoning_details: [] } } };
  agent.script = [[said!, { type: 'part-ended', id: 'details', data }, ended!]];
  await send(talk, 'Hi.');
  expect(messagesOf(talk.state, model, { images: true })[1]).toEqual({
    role: 'assistant',
    parts: [
      { type: 'text', text: 'Hello.' },
      { type: 'reasoning', text: '', opaque: { made: model, data } },
    ],
  });
});

test('roles alternate for a model without tools', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [asks(['m__f', '{}']), new ModelError('request', 'No.')];
  await send(talk, 'Go.');
  agent.info = { ref: model, label: '', context: null, images: null, tools: false, price: null };
  await send(talk, 'And now?');
  expect(agent.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
  ]);
});

test('a conversation of many short messages is shortened for a small model', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  for (let n = 0; n < 40; n += 1) {
    agent.script = [says('y'.repeat(900))];
    await send(talk, 'x'.repeat(900));
  }
  agent.requests.length = 0;
  const little = (request: ModelRequest): readonly ModelPart[] => {
    if (length(request) > 30_000) throw new ModelError('context', 'Too long.');
    return says('It fits.');
  };
  agent.script = Array.from({ length: 10 }, () => little);
  await send(talk, 'And now?');
  expect(talk.state.compaction?.summary).toBe('It fits.');
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('a truncated summary is discarded, and a shorter one is requested', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'My name is Ada.');
  await send(talk, 'Two.');
  agent.script = [cutOff('The user'), says('Ada spoke.')];
  expect(await talk.compact()).toBe('done');
  expect(talk.state.compaction?.summary).toBe('Ada spoke.');
  await send(talk, 'Three.');
  agent.script = Array.from({ length: 5 }, () => cutOff('The user'));
  expect(await talk.compact()).toBe('failed');
  expect(talk.state.compaction?.summary).toBe('Ada spoke.');
});

test('compaction during a turn reports that the session is busy', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'One.');
  talk.send([{ type: 'text', text: 'Two.' }]);
  expect(await talk.compact()).toBe('busy');
  await talk.settled();
  expect(await talk.compact()).toBe('done');
});

test('a message is in the log before the folder has been read, and can be stopped', async () => {
  const agent = new FakeAgent();
  let read = (): void => undefined;
  agent.settled = new Promise((resolve) => (read = resolve));
  const stopped = agent.begin();
  stopped.send([{ type: 'text', text: 'First.' }]);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(stopped.state.entries).toMatchObject([{ kind: 'message', parts: [{ text: 'First.' }] }]);
  stopped.stop();
  await stopped.settled();
  expect(stopped.state).toMatchObject({ turnId: null, selection: null });
  const last = stopped.state.entries.at(-1);
  expect(last).toMatchObject({ kind: 'turn-ended', end: 'stopped' });
  stopped.resume();
  read();
  await stopped.settled();
  expect(stopped.state.selection?.tools.map(({ name }) => name)).toEqual(['m:f', 'm:g']);
  expect(stopped.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('messages queued during a failing turn are answered in the next one', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [
    () => {
      talk.send([{ type: 'text', text: 'Second.' }]);
      throw new ModelError('key', 'A bad key.');
    },
    says('Answer to the second.'),
  ];
  talk.send([{ type: 'text', text: 'First.' }]);
  await talk.settled();
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('a background prompt reads long results, accepts fenced arguments, and retries', async () => {
  const agent = new FakeAgent();
  agent.tools = agent.tools.map((tool) => ({ ...tool, background_safe: true }));
  const talk = agent.begin();
  await send(talk, 'Hello.');
  agent.onCall = () => Promise.resolve(success(`${'z'.repeat(50_000)} the end`));
  agent.script = [
    new ModelError('rate-limit', 'Slowly.'),
    asks(['m__f', '']),
    (request) => {
      expect(request.tools.map(({ name }) => name)).toContain('read_result');
      const reported = request.messages.flatMap((message) =>
        message.role === 'tool' ? message.answers.flatMap(({ parts }) => parts) : [],
      );
      const [part] = reported;
      const next = /read_result with (\{[^}]+\})/.exec(part?.type === 'text' ? part.text : '')?.[1];
      return asks(['read_result', next ?? '']);
    },
    (request) => {
      expect(JSON.stringify(request.messages.at(-1))).toContain('the end');
      return says('Read.');
    },
  ];
  talk.background.start('Read it.');
  await talk.background.settled();
  expect(agent.calls.map((call) => call.arguments)).toEqual(['{}']);
  expect(talk.background.ended.at(-1)).toMatchObject({ text: 'Read.', ok: true });
});

test('compaction stops after three summaries that do not help', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'First.');
  agent.info = { ref: model, label: 'Large', context: 100, images: null, price: null };
  let summaries = 0;
  const next = (request: ModelRequest): readonly ModelPart[] => {
    const isSummary = request.tools.length === 0;
    if (isSummary) summaries += 1;
    if (isSummary) return says('In short.');
    return agent.calls.length < 20 ? asks(['m__f', '{}']) : says('Done.');
  };
  agent.script = Array.from({ length: 100 }, () => next);
  await send(talk, 'Twenty steps, please.');
  expect([agent.calls.length, summaries]).toEqual([20, 3]);
});

test('a helpful summary resets the count of failures', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'First.');
  agent.info = { ref: model, label: 'Large', context: 100, images: null, price: null };
  const few = says('Fine.').map((part) =>
    part.type === 'ended' ? { ...part, usage: { ...usage, input: 10 } } : part,
  );
  for (let round = 0; round < 3; round += 1) {
    for (const answer of [says('Long.'), says('Long.'), few, says('Long.')]) {
      const before = agent.requests.length;
      const isNeeded = (talk.state.context ?? 0) > 80;
      agent.script = isNeeded ? [says('In short.'), answer] : [answer];
      await send(talk, 'On.');
      expect(agent.requests.length - before).toBe(isNeeded ? 2 : 1);
    }
  }
});

test('the cost of useless summaries counts', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.info = { ref: model, label: 'Large', context: null, images: null, price };
  await send(talk, 'One.');
  await send(talk, 'Two.');
  const { cost, usage: counted } = talk.state;
  const filtered = cutOff('No').map((part) =>
    part.type === 'ended' ? ({ ...part, finish: 'filtered' } as const) : part,
  );
  agent.script = [cutOff('The user'), cutOff('The'), says('Ada spoke.')];
  expect(await talk.compact()).toBe('done');
  await send(talk, 'Three.');
  agent.script = [filtered];
  expect(await talk.compact()).toBe('failed');
  agent.script = [[{ type: 'ended', finish: 'stop', usage }]];
  expect(await talk.compact()).toBe('failed');
  // Two answers before; then three summaries, an answer, and two failed summaries.
  expect(talk.state.cost).toBeCloseTo((cost ?? 0) * 4);
  expect(talk.state.usage.input).toBe((counted.input ?? 0) * 4);
});

const price = { input: 10, cached: 1, output: 100 };
