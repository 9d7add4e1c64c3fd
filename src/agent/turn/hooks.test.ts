/** Hooks of extensions: what they receive and may change, and that they neither delay Stop nor break a session. */

import { expect, test } from 'vitest';
import { ModelError } from '../../runtime/spec/model-error.ts';
import { asks, FakeAgent, model, says, send, success } from './agent.fixture.ts';
import { summaryCompactor } from './compaction.ts';
import type { RequestPurpose, MessageSent } from './hooks.ts';

const text = (words: string) => ({ type: 'text', text: words }) as const;
const never = new Promise<never>(() => undefined);

function lastOf({ requests }: FakeAgent) {
  return requests.at(-1)?.messages.at(-1);
}

test('transforms of requests and prompts receive their purpose', async () => {
  const agent = new FakeAgent();
  const asking: RequestPurpose[] = [];
  const kinds: string[] = [];
  agent.hooks.request.add(0, (request, where) => {
    asking.push(where);
    return request;
  });
  agent.hooks.prompt.add(0, (sections, { kind }) => {
    kinds.push(kind);
    return sections;
  });
  const talk = agent.begin();
  await send(talk, 'One');
  await send(talk, 'Two');
  const turns = talk.state.entries.flatMap((entry) =>
    entry.kind === 'step' ? [entry.turnId] : [],
  );
  await talk.compact();
  talk.background.start('Look');
  await talk.background.settled();
  const where = { session: talk.id, model };
  expect(asking).toEqual([
    ...turns.map((turnId) => ({ ...where, kind: 'step', turnId })),
    { ...where, kind: 'summary', turnId: '' },
    { ...where, kind: 'background', turnId: '' },
  ]);
  expect(kinds).toEqual(['step', 'step', 'background']);
});

test('the prompt that the user sees is the one that is sent', async () => {
  const agent = new FakeAgent();
  agent.hooks.prompt.add(0, (sections) => [...sections, { title: 'More', text: 'x', tokens: 1 }]);
  const talk = agent.begin();
  await send(talk, 'Go');
  expect((await talk.prompt()).map((section) => section.title)).toEqual(['Base text', 'More']);
  expect(agent.requests[0]?.system).toMatch(/## More\n\nx$/);
});

test('a hook can change a message and add context for its turn', async () => {
  const agent = new FakeAgent();
  const seen: MessageSent[] = [];
  agent.hooks.messages.intercept(0, async (message, next) => {
    seen.push(message);
    await next({ ...message, parts: [...message.parts, text('!')], context: [text('It rains.')] });
  });
  const talk = agent.begin();
  agent.script = [asks(['m__f', '{}']), says('Done.')];
  await send(talk, 'Go');
  const reported = [text('Go'), text('!'), text('It rains.')];
  expect(agent.requests.map(({ messages }) => messages[0])).toEqual([
    { role: 'user', parts: reported },
    { role: 'user', parts: reported },
  ]);
  agent.script = [says('Done.')];
  await send(talk, 'And?');
  expect(agent.requests.at(-1)?.messages[0]).toEqual({ role: 'user', parts: reported.slice(0, 2) });
  expect(seen).toMatchObject([
    { session: talk.id, steering: false, parts: [text('Go')], context: [] },
    { parts: [text('And?')] },
  ]);
});

test('a stopped message stays in the queue with the reason, and does not block others', async () => {
  const agent = new FakeAgent();
  agent.hooks.messages.intercept(0, (message, next) => {
    if (JSON.stringify(message.parts).includes('secret')) throw new Error('no secrets');
    return next(message);
  });
  const talk = agent.begin();
  await send(talk, 'a secret');
  expect([talk.state.head.messages, agent.requests, talk.live.phase]).toEqual([0, [], 'idle']);
  expect(talk.live.queue).toMatchObject([{ parts: [text('a secret')], stopped: 'no secrets' }]);
  await send(talk, 'fine');
  expect([talk.state.head.messages, agent.requests.length]).toEqual([1, 1]);
  agent.onCall = (signal) => {
    talk.send([text('secret too')]);
    return Promise.resolve({ ...success('yes'), isError: signal.aborted });
  };
  agent.script = [asks(['m__f', '{}']), says('Done.')];
  await send(talk, 'call');
  expect(talk.live.queue.map(({ stopped }) => stopped)).toEqual(['no secrets', 'no secrets']);
  expect(talk.state.head.messages).toBe(2);
  for (const { id } of talk.live.queue) talk.unsend(id);
  expect(talk.live.queue).toEqual([]);
});

test('a message that an extension sends says so, also after it has waited', async () => {
  const agent = new FakeAgent();
  const from = { extension: 'gate', file: 'gate.py' };
  agent.onCall = () => {
    talk.send([text('then')], from);
    return Promise.resolve(success('yes'));
  };
  agent.script = [asks(['m__f', '{}']), says('Done.')];
  const talk = agent.begin();
  await send(talk, 'mine');
  talk.send([text('theirs')], from);
  await talk.settled();
  const sent = talk.state.entries.flatMap((entry) =>
    entry.kind === 'message' ? [[entry.parts[0], entry.from]] : [],
  );
  expect(sent).toEqual([
    [text('mine'), undefined],
    [text('then'), from],
    [text('theirs'), from],
  ]);
});

test('what one extension shows in a session is limited, in number and in length', async () => {
  const show = async (length: number, file: (n: number) => string, times: number) => {
    const agent = new FakeAgent();
    const talk = agent.begin();
    await send(talk, 'hi');
    const data = JSON.stringify('x'.repeat(length));
    let shown = 0;
    for (let n = 0; n < times; n += 1) {
      const from = { extension: 'chart', file: file(n) };
      try {
        talk.show({ messageKind: 'chart', data, text: '', from });
        shown += 1;
      } catch (thrown) {
        expect(String(thrown)).toContain('at most 500 messages and 5,000,000 characters');
      }
    }
    return shown;
  };
  expect(await show(1, () => 'a.py', 510)).toBe(500);
  expect(await show(100_000, () => 'a.py', 60)).toBe(49);
  expect(await show(100_000, (n) => `${n % 2}.py`, 60)).toBe(60);
});

test('a message that a hook handles itself begins no turn', async () => {
  const agent = new FakeAgent();
  agent.hooks.messages.intercept(0, () => Promise.resolve());
  const talk = agent.begin();
  await send(talk, '/clear');
  expect([talk.state.head.messages, talk.live.queue, agent.requests]).toEqual([0, [], []]);
});

test.each(['prompt', 'request', 'messages', 'steps', 'compactors'] as const)(
  'Stop does not wait for %s that never settles, and the session goes on',
  async (kind) => {
    const agent = new FakeAgent();
    const talk = agent.begin();
    await send(talk, 'One');
    const { hooks } = agent;
    const end =
      kind === 'prompt' || kind === 'request'
        ? hooks[kind].add(0, () => never)
        : kind === 'compactors'
          ? hooks.compactors.register({ ...summaryCompactor, compact: () => never })
          : hooks[kind].intercept(0, () => never);
    if (kind === 'compactors') agent.script = [new ModelError('context', 'too long')];
    talk.send([text('Two')]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    talk.stop();
    await talk.settled();
    expect([talk.state.turnId, talk.live.phase]).toEqual([null, 'idle']);
    end();
    await send(talk, 'Three');
    expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
    expect(lastOf(agent)?.role).toBe('user');
    expect(JSON.stringify(agent.requests.at(-1)?.messages)).toContain('Two');
  },
);

test('a step hook that fails after the answer leaves no call open', async () => {
  const agent = new FakeAgent();
  const end = agent.hooks.steps.intercept(0, async (asked, next) => {
    await next(asked);
    throw new Error('too late');
  });
  const talk = agent.begin();
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  expect([...talk.state.calls.values()].map(({ phase }) => phase)).toEqual(['ended']);
  expect(talk.state.entries.at(-1)).toMatchObject({
    end: 'failed',
    fault: { message: 'too late' },
  });
  end();
  await send(talk, 'Again');
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('a hook that does not wait for its step does not end the turn before the step', async () => {
  const agent = new FakeAgent();
  agent.onPart = () => new Promise((resolve) => setTimeout(resolve, 5));
  agent.hooks.steps.intercept(0, (asked, next) => {
    void next(asked);
    return Promise.resolve('done');
  });
  const talk = agent.begin();
  await send(talk, 'Go');
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
  expect([talk.state.turnId, talk.live.phase]).toEqual([null, 'idle']);
});
