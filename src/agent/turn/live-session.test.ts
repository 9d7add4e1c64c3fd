/** Live sessions from the first message to the last answer, with the errors of models. */

import { expect, test, vi } from 'vitest';
import { nextTask } from '../../runtime/async/pace.ts';
import { failure } from '../../runtime/call/results.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import {
  answers,
  answerText,
  asks,
  FakeAgent,
  registeredTool,
  says,
  send,
  success,
} from './agent.fixture.ts';

test('a session that is not shown requests no frames', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [says('One.'), says('Two.')];
  let frames = 0;
  agent.requestFrame = (then) => {
    frames += 1;
    queueMicrotask(then);
  };
  await send(talk, 'Go');
  expect(frames).toBe(0);
  const end = talk.observeFrames(() => undefined);
  await send(talk, 'Go on');
  expect(frames).toBeGreaterThan(0);
  end();
});

test('an observer learns of each step at once, even if the page draws nothing', async () => {
  const agent = new FakeAgent();
  const frames: (() => void)[] = [];
  agent.requestFrame = (then) => frames.push(then);
  const talk = agent.begin();
  talk.select(['m:f']);
  const seen: string[] = [];
  const duringCall: (string | undefined)[] = [];
  const drawn: string[] = [];
  talk.observe(() => seen.push(talk.live.phase));
  talk.observeFrames(() => drawn.push(talk.live.phase));
  agent.onCall = async () => {
    await nextTask();
    await nextTask();
    // An error that is thrown here would only be a failed call.
    duringCall.push(seen.at(-1));
    return success('1');
  };
  agent.script = [asks(['m__f', '{"n": 1.0}']), says('It is 1.')];
  await send(talk, 'Go');
  await vi.waitFor(() => {
    expect(seen.at(-1)).toBe('idle');
  });
  expect([duringCall, drawn]).toEqual([['calling'], []]);
  for (const draw of frames) draw();
  expect(drawn).toEqual(['idle']);
});

test('a first message locks the selection, names the session and is answered', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  talk.select(['m:f']);
  agent.script = [asks(['m__f', '{"n": 1.0}']), says('It is 1.')];
  await send(talk, 'What is it?\nTell me.');
  expect(agent.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ['m__f'],
    ['m__f'],
  ]);
  expect(agent.calls).toMatchObject([
    { tool: 'm:f', arguments: '{"n": 1.0}', caller: 'model', sessionId: talk.id },
  ]);
  expect(answers(agent)).toEqual([
    { askedId: 'a0', wire: 'm__f', isError: false, parts: [{ type: 'text', text: '{"n": 1.0}' }] },
  ]);
  const { head, entries, selection, turnId, usage } = talk.state;
  expect([head.title, turnId, selection?.names, usage.input]).toEqual([
    'What is it?',
    null,
    [['m:f', 'm__f']],
    200,
  ]);
  expect(entries.map(({ kind }) => kind)).toEqual(['message', 'step', 'step']);
  expect(() => {
    talk.select([]);
  }).toThrow('locked');
  expect(talk.live.phase).toBe('idle');
});

test('the calls of one answer run together, and the results keep their order', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const waiting: (() => void)[] = [];
  agent.onCall = (_, { tool }) =>
    new Promise((resolve) => waiting.push(() => resolve(success(tool))));
  agent.script = [asks(['m__f', '{}'], ['m__g', '{}'])];
  talk.send([{ type: 'text', text: 'Both' }]);
  await vi.waitFor(() => {
    expect(waiting).toHaveLength(2);
  });
  for (const end of waiting.reverse()) end();
  await talk.settled();
  expect(answers(agent).map(({ askedId, parts }) => [askedId, parts])).toEqual([
    ['a0', [{ type: 'text', text: 'm:f' }]],
    ['a1', [{ type: 'text', text: 'm:g' }]],
  ]);
});

test.each([
  ['an invented tool', 'm__h', '{}', /no tool named m__h\. Did you mean m__/],
  [
    'a name that two tools have',
    'functions.x',
    '{}',
    /no tool named "functions\.x"\. Did you mean m__/,
  ],
  ['arguments that are no JSON', 'm__f', '{"a": ', /arguments of m__f are not valid JSON/],
  ['arguments that are no object', 'm__f', '[1]', /arguments of m__f must be a JSON object/],
])('%s is explained to the model, and nothing runs', async (_, wire, args, said) => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [asks([wire, args])];
  await send(talk, 'Go');
  expect(answers(agent)).toMatchObject([{ isError: true }]);
  expect(answerText(agent)).toMatch(said);
  expect(agent.calls).toEqual([]);
  expect(agent.refused).toHaveLength(1);
  expect(talk.state.turnId).toBe(null);
});

test('code fences round arguments and missing arguments are accepted', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [asks(['m__f', ''], ['m__g', '```json\n{"a": 1}\n```'])];
  await send(talk, 'Go');
  expect(agent.calls.map(({ arguments: args }) => args)).toEqual(['{}', '{"a": 1}']);
});

test('the model is told that a tool is gone or has changed', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'Hello');
  agent.tools = [registeredTool('m:f', { parameters: { type: 'object', required: ['x'] } })];
  agent.onCall = () => Promise.resolve({ ...success('missing x'), resultType: 'failure' });
  agent.script = [asks(['m__g', '{}'], ['m__f', '{}'])];
  await send(talk, 'Go');
  const texts = answers(agent).map(({ parts: [part] }) => (part?.type === 'text' ? part.text : ''));
  expect(texts[0]).toMatch(/no longer in the tools folder/);
  expect(texts[1]).toMatch(/^missing x\n\[The tool has changed.*"required":\["x"\]/);
});

test('temporary faults are retried after the provider’s delay; others end the turn', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [
    new ModelError('rate-limit', 'slow down', 'wait', 5_000),
    new ModelError('overloaded', 'busy'),
    new ModelError('overloaded', 'busy', 'wait', 0),
    says('Here.'),
    new ModelError('key', 'wrong key', 'Check it.'),
  ];
  await send(talk, 'Go');
  expect(agent.waits).toEqual([5_000, 2_000, 4_000]);
  expect(talk.state.entries.at(-1)).toMatchObject({ finish: 'stop', fault: null });
  await send(talk, 'Again');
  expect(talk.state.entries.at(-1)).toMatchObject({
    kind: 'turn-ended',
    end: 'failed',
    fault: { fault: 'key', message: 'wrong key', hint: 'Check it.' },
  });
  agent.script = [says('Now.')];
  talk.resume();
  await talk.settled();
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('an answer that breaks off is requested again, without its first half', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [[{ type: 'text', id: '1', delta: 'Half' }], says('Whole.')];
  await send(talk, 'Go');
  const steps = talk.state.entries.filter(({ kind }) => kind === 'step');
  expect(steps).toMatchObject([
    { finish: 'cut', fault: { fault: 'cut' }, parts: [{ text: 'Half' }], estimated: true },
    { finish: 'stop', fault: null },
  ]);
  expect(agent.requests.at(-1)?.messages).toHaveLength(1);
});

test('a stopped turn keeps its text, ends its calls and can continue', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = (signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ ...success('x'), error: 'cancelled' }));
    });
  agent.script = [asks(['m__f', '{}'])];
  talk.send([{ type: 'text', text: 'Go' }]);
  await vi.waitFor(() => {
    expect(agent.calls).toHaveLength(1);
  });
  talk.stop();
  await talk.settled();
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'turn-ended', end: 'stopped' });
  expect([...talk.state.calls.values()].map(({ phase }) => phase)).toEqual(['ended']);
  agent.script = [says('Fine.')];
  talk.resume();
  await talk.settled();
  expect(talk.state.turnId).toBe(null);
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('a message waits for running calls; an interruption cancels those that allow it', async () => {
  const agent = new FakeAgent();
  agent.tools = [registeredTool('m:f'), registeredTool('m:g', { interrupt: 'block' })];
  const talk = agent.begin();
  const ends: (() => void)[] = [];
  const cancelled: string[] = [];
  agent.onCall = (signal, { tool }) =>
    new Promise((resolve) => {
      ends.push(() => resolve(success('ended')));
      signal.addEventListener('abort', () => {
        cancelled.push(tool);
        resolve(failure('cancelled', 'It was cancelled.'));
      });
    });
  agent.script = [asks(['m__f', '{}'], ['m__g', '{}'])];
  talk.send([{ type: 'text', text: 'Go' }]);
  await vi.waitFor(() => {
    expect(ends).toHaveLength(2);
  });
  talk.send([{ type: 'text', text: 'No, wait' }]);
  talk.send([{ type: 'text', text: 'forget this' }]);
  talk.unsend(talk.live.queue[1]?.id ?? '');
  expect(cancelled).toEqual([]);
  talk.interrupt();
  expect(cancelled).toEqual(['m:f']);
  ends[1]?.();
  await talk.settled();
  expect(agent.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'user',
  ]);
  expect(answerText(agent)).toBe(
    'It was cancelled.\n[The user interrupted the call to send a message.]',
  );
  expect(talk.state.entries).toMatchObject([
    { kind: 'message', steering: false },
    { kind: 'step' },
    { kind: 'message', steering: true, parts: [{ text: 'No, wait' }] },
    { kind: 'step' },
  ]);
});

test('step mode waits before each answer and each call', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  talk.setStepMode(true);
  agent.script = [asks(['m__f', '{}'])];
  talk.send([{ type: 'text', text: 'Go' }]);
  const paused: unknown[] = [];
  for (let n = 0; n < 3; n += 1) {
    await vi.waitFor(() => {
      expect(talk.live.phase).toBe('paused');
    });
    paused.push([talk.live.paused?.before, agent.requests.length, agent.calls.length]);
    talk.step();
    await vi.waitFor(() => {
      expect(talk.live.paused).not.toEqual(paused.at(-1));
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await talk.settled();
  expect(paused).toEqual([
    ['model', 0, 0],
    ['call', 1, 0],
    ['model', 1, 1],
  ]);
});

test('a call that step mode holds runs with the arguments that the user wrote, and the model is told', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [asks(['m__f', '{"n": 1}'])];
  talk.setStepMode(true);
  talk.send([{ type: 'text', text: 'Go' }]);
  const paused = async (before: 'model' | 'call'): Promise<void> => {
    await vi.waitFor(() => {
      expect(talk.live.paused?.before).toBe(before);
    });
  };
  await paused('model');
  // Only calls have arguments.
  talk.step('{"n": 0}');
  await paused('call');
  expect(() => talk.step(`{"n": "${'x'.repeat(100_000)}"}`)).toThrow('at most 100000 characters');
  talk.step('{"n": 2.0}');
  await paused('model');
  talk.setStepMode(false);
  await talk.settled();
  expect(agent.calls.map((call) => call.arguments)).toEqual(['{"n": 2.0}']);
  expect([...talk.state.calls.values()]).toMatchObject([
    { asked: { arguments: '{"n": 1}' }, arguments: '{"n": 2.0}', approval: { approval: 'once' } },
  ]);
  expect(answerText(agent)).toContain(
    'The user changed the arguments. The call ran with: {"n": 2.0}',
  );
});
