/** Live sessions: long results, deferred tools, compaction, hooks and background prompts. */

import { expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import {
  answerText,
  asks,
  FakeAgent,
  registeredTool,
  says,
  send,
  success,
} from './agent.fixture.ts';
import { maxAnswerChars } from './tool-answer.ts';

test('a long result is cut with a mark, and read_result returns the rest', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const whole = `${'a'.repeat(maxAnswerChars)}the rest\u001b[31m`;
  agent.onCall = () => Promise.resolve(success(whole));
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  const mark = /read_result with (\{.*?\}) to continue/.exec(answerText(agent))?.[1] ?? '';
  agent.script = [asks(['read_result', mark])];
  await send(talk, 'Read on');
  expect(agent.requests.at(-1)?.tools.map(({ name }) => name)).toContain('read_result');
  expect(answerText(agent)).toMatch(/^a+the rest$/);
});

test('deferred tools can be called after tool_search', async () => {
  const agent = new FakeAgent();
  agent.tools = [
    registeredTool('m:f'),
    registeredTool('m:rare', { deferred: true, description: 'Counts whales.' }),
  ];
  const talk = agent.begin();
  agent.script = [asks(['tool_search', '{"query": "whales"}']), asks(['m__rare', '{}'])];
  await send(talk, 'How many whales?');
  const names = agent.requests.map(({ tools }) => tools.map(({ name }) => name));
  expect(names).toEqual([
    ['m__f', 'tool_search'],
    ['m__f', 'm__rare'],
    ['m__f', 'm__rare'],
  ]);
  expect(agent.requests[0]?.system).toContain('m__rare: Counts whales.');
  expect(agent.calls).toMatchObject([{ tool: 'm:rare' }]);
});

test('tools beyond the providers’ limit are found by search, and replace others', async () => {
  const agent = new FakeAgent();
  agent.tools = Array.from({ length: 200 }, (_, n) => registeredTool(`m:f${n}`));
  const talk = agent.begin();
  agent.script = [
    asks(['tool_search', '{"query": "m__f150"}']),
    asks(['tool_search', '{"query": "m__f160"}']),
    asks(['m__f150', '{}']),
  ];
  await send(talk, 'Go.');
  const names = agent.requests.map(({ tools }) => tools.map(({ name }) => name));
  expect(names.map((reported) => reported.length)).toEqual([127, 127, 127, 127]);
  expect(
    names.map((reported) => ['m__f150', 'm__f160'].map((name) => reported.includes(name))),
  ).toEqual([
    [false, false],
    [true, false],
    [true, true],
    [true, true],
  ]);
  expect(agent.requests[0]?.system).toContain('- m__f150: ');
  expect(agent.requests[0]?.system).not.toContain('- m__f125: ');
  expect(agent.calls).toMatchObject([{ tool: 'm:f150' }]);
});

test('a full context is compacted, and the latest messages stay', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'First');
  agent.info = { ...info, context: 100 };
  agent.script = [says('They said first.'), says('Second it is.')];
  await send(talk, 'Second');
  expect(agent.requests.at(-1)?.messages).toMatchObject([
    {
      role: 'user',
      parts: [{ text: expect.stringContaining('They said first.') as string }, { text: 'Second' }],
    },
  ]);
  expect(talk.state.compaction?.summary).toBe('They said first.');
});

test('a summary does not have what turns out to be reasoning', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'One');
  await send(talk, 'Two');
  const [thoughts, ...summary] = says('Summary.');
  if (thoughts?.type !== 'text') throw new Error('An answer begins with its text.');
  const { id } = thoughts;
  agent.script = [
    [{ type: 'text', id, delta: 'Thoughts' }, { type: 'was-reasoning', id }, thoughts, ...summary],
  ];
  expect(await talk.compact()).toBe('done');
  expect(talk.state.compaction?.summary).toBe('Summary.');
});

test('compaction that fails three times in a row is off for a while', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'First');
  agent.info = { ...info, context: 100 };
  for (let n = 0; n < 4; n += 1) {
    agent.script = n < 3 ? [new ModelError('provider', 'no'), says('Fine.')] : [says('Fine.')];
    await send(talk, `Message ${n}`);
  }
  expect(agent.requests).toHaveLength(1 + 3 * 2 + 1);
  expect(talk.state.compaction).toBe(null);
});

test('a request that is too long is compacted once, and asked again', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'First');
  agent.script = [new ModelError('context', 'too long'), says('Summary.'), says('Fits.')];
  await send(talk, 'Second');
  expect(talk.state.compaction?.summary).toBe('Summary.');
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('hooks observe every event, change requests, and can keep a model from being asked', async () => {
  const agent = new FakeAgent();
  const seen: string[] = [];
  agent.hooks.observers.observe((event) => {
    if (event.type === 'logged') seen.push(event.event.type);
  });
  agent.hooks.prompt.add(0, (sections) => [...sections, { title: 'More', text: 'x', tokens: 1 }]);
  agent.hooks.request.add(0, (request) => ({ ...request, maxOutput: 7 }));
  const talk = agent.begin();
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  expect(agent.requests[1]).toMatchObject({
    maxOutput: 7,
    system: expect.stringMatching(/## More\n\nx$/) as string,
  });
  expect(seen).toEqual([
    'titled',
    'message',
    'turn-began',
    'selected',
    'step-began',
    'step-ended',
    'call-began',
    'call-ended',
    'step-began',
    'step-ended',
    'turn-ended',
  ]);
  agent.hooks.steps.intercept(0, () => Promise.reject(new Error('not today')));
  await send(talk, 'Once more');
  expect(talk.state.entries.at(-1)).toMatchObject({
    end: 'failed',
    fault: { message: 'not today' },
  });
});

test('one background prompt runs at a time, with the background-safe tools', async () => {
  const agent = new FakeAgent();
  agent.tools = [registeredTool('m:f'), registeredTool('m:g', { background_safe: true })];
  const talk = agent.begin();
  await send(talk, 'Hello');
  const { length } = talk.state.entries;
  agent.script = [asks(['m__g', '{}'], ['m__f', '{}']), says('Found.')];
  talk.background.start('Look it up');
  expect(() => {
    talk.background.start('Another');
  }).toThrow('already');
  await vi.waitFor(() => {
    expect(talk.background.running).toBe(null);
  });
  expect(talk.background.ended).toMatchObject([{ prompt: 'Look it up', text: 'Found.', ok: true }]);
  expect(agent.calls).toMatchObject([
    { tool: 'm:g', agentId: expect.stringMatching(/^background/) as string },
  ]);
  expect(talk.state.entries).toHaveLength(length);
});

test('without a model the turn ends with a remedy, and the message stays', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [new ModelError('model', 'gone', 'Choose another.')];
  await send(talk, 'Hello');
  expect(talk.state.entries).toMatchObject([
    { kind: 'message' },
    { kind: 'step', fault: { fault: 'model' } },
    { kind: 'turn-ended', fault: { hint: 'Choose another.' } },
  ]);
});

const info = {
  ref: { provider: 'mine', model: 'large' },
  label: 'Large',
  images: true,
  price: null,
};

test('messages that were queued when a turn was stopped go out first with the next message', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = (signal) =>
    new Promise((resolve) => {
      talk.send([{ type: 'text', text: 'Waits' }]);
      talk.stop();
      signal.addEventListener('abort', () => resolve(success('late')));
      if (signal.aborted) resolve(success('late'));
    });
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  expect(talk.live.queue).toHaveLength(1);
  agent.script = [says('Both.')];
  await send(talk, 'Later');
  const said = talk.state.entries.flatMap((entry) =>
    entry.kind === 'message' ? [entry.parts.map((part) => part.type === 'text' && part.text)] : [],
  );
  expect(said).toEqual([['Go'], ['Waits'], ['Later']]);
});

test('permissions for a session hold for its own folder only', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = (_, { id }) => {
    talk.answered(id, 'm:f', { approval: 'session', reason: '' });
    return Promise.resolve(success('1'));
  };
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  expect(agent.rights?.isAllowed('m:f')).toBe(true);
  expect(talk.approvals.allowedTools).toEqual(['m:f']);
  agent.folderKey = 'another';
  expect(agent.rights?.isAllowed('m:f')).toBe(false);
  agent.folderKey = 'f';
  talk.approvals.askAgain('m:f');
  expect([agent.rights?.isAllowed('m:f'), talk.approvals.allowedTools]).toEqual([false, []]);
});

test('the permission is for the tool that the user was asked about, not for the one that the model named', async () => {
  const agent = new FakeAgent();
  agent.tools = [registeredTool('m:f'), registeredTool('m:g', { background_safe: true })];
  const talk = agent.begin();
  agent.onCall = (_, { id }) => {
    talk.answered(id, 'm:other', { approval: 'session', reason: '' });
    return Promise.resolve(success('1'));
  };
  const allowed = (): unknown[] =>
    ['m:f', 'm:g', 'm:other'].map((tool) => agent.rights?.isAllowed(tool));
  agent.script = [asks(['m__f', '{}']), says('Done.')];
  await send(talk, 'Go');
  expect(allowed()).toEqual([false, false, true]);
  const beside = agent.begin();
  agent.script = [says('Hello.')];
  await send(beside, 'Hello');
  agent.onCall = (_, { id }) => {
    beside.answered(id, 'm:other', { approval: 'session', reason: '' });
    return Promise.resolve(success('1'));
  };
  expect(allowed()).toEqual([false, false, false]);
  agent.script = [asks(['m__g', '{}']), says('Found.')];
  beside.background.start('Look it up');
  await beside.background.settled();
  expect(allowed()).toEqual([false, false, true]);
});

test('the rights of a session include stopping its turn', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = (signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(failure('cancelled', 'Cancelled.')));
      agent.rights?.stopTurn?.();
    });
  agent.script = [asks(['m__f', '{}'], ['m__f', '{}'])];
  await send(talk, 'Go');
  const ends = [...talk.state.calls.values()].map(({ result }) => result?.error);
  expect([ends, agent.requests.length]).toEqual([['cancelled', 'cancelled'], 1]);
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'turn-ended', end: 'stopped' });
});

test('reopening a folder is logged once, if Python had state', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  talk.pythonRestarted('folder');
  agent.onCall = () => Promise.resolve(success('1'));
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  talk.pythonRestarted('folder');
  talk.pythonRestarted('folder');
  const reported = talk.state.entries.filter(({ kind }) => kind === 'python-anew');
  expect(reported).toMatchObject([{ why: 'folder' }]);
  await send(talk, 'On');
  const [last] = agent.requests.at(-1)?.messages.slice(-1) ?? [];
  expect(JSON.stringify(last)).toContain('Python state was reset');
});

test('a model without tools is offered none, and receives earlier calls as text', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = () => Promise.resolve(success('42'));
  agent.script = [asks(['m__f', '{"n": 1}'])];
  await send(talk, 'Go');
  agent.info = {
    ref: { provider: 'p', model: 'm' },
    label: 'm',
    context: null,
    images: true,
    tools: false,
    price: null,
  };
  await send(talk, 'And now?');
  const { tools, messages } = agent.requests.at(-1) ?? { tools: null, messages: [] };
  expect(tools).toEqual([]);
  expect(messages.some(({ role }) => role === 'tool')).toBe(false);
  expect(JSON.stringify(messages)).toContain('[Result of m__f]\\n42');
});
