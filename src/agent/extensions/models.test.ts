/** Compactors, providers, stream providers and renderers of extensions, and what happens when they fail. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Json } from '../../runtime/spec/json.ts';
import type { ModelPart, ModelRequest } from '../../runtime/spec/model.ts';
import { ExtensionsWorld, type FakeExtension } from './extensions.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;
const stream: Json = { kind: 'stream_provider', name: 'echo', run: 1 };
const renderer: Json = { kind: 'renderer', name: 'chart', run: 2 };
const compactor: Json = { kind: 'compactor', name: 'short', threshold: 50, run: 3 };
const provider: Json = {
  kind: 'provider',
  name: 'local',
  base_url: 'https://models.example/v1',
  api: 'openai-compatible',
  models: [{ id: 'm', name: 'Mine', context: 8_000 }],
  headers: [['X-A', '1']],
};
const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [{ name: 'files__read', description: '', parameters: {} }],
};

async function world(extension: FakeExtension, reply: ExtensionsWorld['reply'] = 'always') {
  const made = new ExtensionsWorld(extension);
  made.reply = reply;
  return made.settled();
}

/** Sends parts as the code of the extension does, for the call that streams. */
function send(
  made: ExtensionsWorld,
  items: readonly Json[],
  callId = made.python.lastCall,
): Promise<unknown> {
  return made.python.act(
    { id: callId, sessionId: '' } as never,
    JSON.stringify({ action: 'stream', items }),
  );
}

function asking(made: ExtensionsWorld, signal = never, model = 'echo') {
  const [added] = made.hooks.providers.list();
  if (added?.reached.by !== 'code') throw new Error('There is no stream provider.');
  const parts: ModelPart[] = [];
  const done = (async () => {
    for await (const part of added.reached.by === 'code'
      ? added.reached.ask(model)(signal, request)
      : [])
      parts.push(part);
  })();
  done.catch(() => undefined);
  return { parts, done };
}

const pending = (): Promise<Json> => new Promise(() => undefined);

test('a stream provider offers a model of its name, attributed to its extension', async () => {
  const made = await world({
    registered: [{ kind: 'ext_info', name: 'Echo', version: '' }, stream],
  });
  expect(made.hooks.providers.list().map(({ config }) => config)).toMatchObject([
    {
      id: 'extension extension.py echo',
      kind: 'extension',
      name: 'echo',
      models: [{ ref: { provider: 'extension extension.py echo', model: 'echo' } }],
      from: { extension: 'Echo', file: 'extension.py' },
    },
  ]);
  expect(made.questions).toMatchObject([{ wanted: ['read', 'show'] }]);
});

test('a provider whose API is a stream provider replaces the model of its name', async () => {
  const models = { ...(provider as object), name: 'Echo', api: 'echo', base_url: '' };
  const made = await world({ registered: [models, stream] });
  expect(made.hooks.providers.list().map(({ config }) => [config.name, config.kind])).toEqual([
    ['Echo', 'extension'],
  ]);
  const unknown = await world({ registered: [{ ...models, api: 'other' }] });
  expect(unknown.hooks.providers.list()).toEqual([]);
  expect(unknown.view().registered[0]?.fault).toContain('neither');
});

test.each(['never', null] as const)(
  'without its powers, no model is offered (%s)',
  async (reply) => {
    const made = await world({ registered: [stream, provider, renderer, compactor] }, reply);
    expect(made.hooks.providers.list()).toEqual([]);
    expect(made.shown.renderers).toEqual([]);
    expect(made.hooks.compactors.threshold).toBe(Infinity);
  },
);

test('what the code streams becomes the parts of an answer', async () => {
  let end: (value: Json) => void = () => undefined;
  const ended = new Promise<Json>((resolve) => (end = resolve));
  const asked: Json[] = [];
  const made = await world({
    registered: [stream],
    functions: { 1: (...values) => (asked.push(...values), ended) },
  });
  const { parts, done } = asking(made);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toMatchObject([
    'echo',
    {
      model: 'echo',
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ name: 'files__read' }],
    },
  ]);
  await send(made, [{ type: 'reasoning', text: 'hm' }]);
  await send(made, [
    { type: 'text', text: 'Hello ' },
    { type: 'text', text: 'you' },
    { type: 'tool_call', id: '', name: 'files:read', arguments: '{"a": 1}' },
    { type: 'usage', input: 3, output: 4 },
  ]);
  end(null);
  await done;
  expect(parts).toEqual([
    { type: 'reasoning', id: '1', delta: 'hm' },
    { type: 'part-ended', id: '1' },
    { type: 'text', id: '2', delta: 'Hello ' },
    { type: 'text', id: '2', delta: 'you' },
    { type: 'part-ended', id: '2' },
    { type: 'call', id: 'call-4', wire: 'files__read', arguments: '{"a": 1}' },
    {
      type: 'ended',
      finish: 'calls',
      usage: { input: 3, output: 4, cached: null, reasoning: null },
    },
  ]);
  await expect(send(made, [{ type: 'text', text: 'late' }])).rejects.toThrow('streams no answer');
});

test('the extension waits until its parts are read, and one that does not is ended', async () => {
  const made = await world({ registered: [stream], functions: { 1: pending } });
  const [added] = made.hooks.providers.list();
  if (added?.reached.by !== 'code') throw new Error('There is no stream provider.');
  const reading = added.reached.ask('echo')(never, request)[Symbol.asyncIterator]();
  const first = reading.next();
  await vi.advanceTimersByTimeAsync(1);
  let taken = 0;
  const batch = [{ type: 'text', text: 'a' }];
  const sending = [send(made, batch), send(made, batch), send(made, batch), send(made, batch)].map(
    (sent) =>
      sent.then(
        () => (taken += 1),
        (thrown: unknown) => String(thrown),
      ),
  );
  expect(await first).toMatchObject({ value: { delta: 'a' } });
  await vi.advanceTimersByTimeAsync(1);
  expect(taken).toBe(0);
  await reading.next();
  await vi.advanceTimersByTimeAsync(1);
  expect(taken).toBe(1);
  expect(await sending[3]).toContain('faster than its answer is read');
  await reading.return?.();
});

test.each([
  [{ type: 'html', text: '<b>' }],
  [{ type: 'text', text: 7 }],
  [{ type: 'text', text: 'x'.repeat(100_001) }],
  [{ type: 'tool_call', name: 'f' }],
  [7],
])('a part that is none ends the answer, and names the provider (%#)', async (part) => {
  const made = await world({ registered: [stream], functions: { 1: pending } });
  const { done } = asking(made);
  await vi.advanceTimersByTimeAsync(1);
  void send(made, [part as Json]).catch(() => undefined);
  await expect(done).rejects.toThrow('The stream provider echo failed');
  await expect(done).rejects.toMatchObject({ fault: 'provider' });
});

test('a generator that hangs ends its turn once after a minute, and costs its interpreter', async () => {
  const made = await world({ registered: [stream], functions: { 1: pending } });
  const { done } = asking(made);
  await vi.advanceTimersByTimeAsync(59_000);
  await send(made, [{ type: 'text', text: 'a' }]);
  await vi.advanceTimersByTimeAsync(59_000);
  // Each part has its own deadline.
  await vi.advanceTimersByTimeAsync(1_001);
  await expect(done).rejects.toThrow('longer than 60 s');
  const [fault] = made.view().faults;
  expect(fault?.what).toBe('The stream provider echo');
  expect(fault?.message).toContain('longer than 60 s');
});

test('Stop ends a stream at once', async () => {
  const made = await world({ registered: [stream], functions: { 1: pending } });
  const stop = new AbortController();
  const { done } = asking(made, stop.signal);
  await vi.advanceTimersByTimeAsync(1);
  stop.abort(new Error('stopped'));
  await expect(done).rejects.toThrow('stopped');
});

test('if the interpreter dies in the middle of a stream, the answer ends once and the models come back', async () => {
  const made = await world({ registered: [stream], functions: { 1: pending } });
  const { parts, done } = asking(made);
  await vi.advanceTimersByTimeAsync(1);
  await send(made, [{ type: 'text', text: 'half' }]);
  made.python.die();
  await expect(done).rejects.toMatchObject({ fault: 'provider' });
  expect(parts).toHaveLength(1);
  expect(made.hooks.providers.list()).toEqual([]);
  await vi.advanceTimersByTimeAsync(500);
  expect(made.hooks.providers.list()).toHaveLength(1);
});

test('a power that is revoked ends a running stream', async () => {
  const made = await world({ registered: [stream], functions: { 1: pending } });
  const { done } = asking(made);
  await vi.advanceTimersByTimeAsync(1);
  made.extensions.decide('extension.py', 'read', false);
  await expect(done).rejects.toThrow('no longer offered');
  expect(made.hooks.providers.list()).toEqual([]);
});

test('another call cannot send parts of an answer', async () => {
  const made = await world({ registered: [stream], functions: { 1: pending } });
  asking(made);
  await vi.advanceTimersByTimeAsync(1);
  await expect(send(made, [{ type: 'text', text: 'forged' }], 'other')).rejects.toThrow(
    'streams no answer',
  );
});

test('a provider with an address asks the user, and sends what the user allows', async () => {
  const made = await world({ registered: [provider] });
  const [added] = made.hooks.providers.list();
  expect(added?.config).toMatchObject({
    kind: 'openai-compatible',
    name: 'local',
    baseUrl: 'https://models.example/v1',
    key: 'none',
    headers: ['X-A'],
    models: [{ label: 'Mine', context: 8_000 }],
  });
  if (added?.reached.by !== 'network') throw new Error('It is not reached by network.');
  expect(await added.reached.access(never)).toEqual({
    kind: 'openai-compatible',
    name: 'local',
    baseUrl: 'https://models.example/v1',
    key: '',
    headers: [['X-A', '1']],
  });
  expect(made.wanted).toMatchObject([{ name: 'local', file: 'extension.py' }]);
  made.extensions.switch('extension.py', true);
  expect(made.hooks.providers.list()).toEqual([]);
  expect(added.reached.life.aborted).toBe(true);
});

test.each([
  ['an address with a password', { ...(provider as object), base_url: 'https://a:b@c.example' }],
  ['a model without id', { ...(provider as object), models: [{ id: '' }] }],
  [
    'too many models',
    { ...(provider as object), models: Array.from({ length: 201 }, () => ({ id: 'm' })) },
  ],
  ['a compactor without function', { kind: 'compactor', name: 'c', threshold: 1 }],
  ['a negative threshold', { ...(compactor as object), threshold: -1 }],
])('what is registered out of form is refused as a whole: %s', async (_, entry) => {
  const made = await world({ registered: [renderer, entry] });
  expect(made.view().state).toBe('failed');
  expect(made.shown.renderers).toEqual([]);
});

const compacting = (made: ExtensionsWorld) =>
  made.hooks.compactors.compact(
    never,
    {
      session: 's',
      model: { provider: 'p', model: 'm' },
      messages: request.messages,
      ask: () => Promise.resolve([]),
      countUsage: () => undefined,
    },
    () => 0,
    () => undefined,
  );

test('a compactor gets the messages and gives others', async () => {
  const made = await world({
    registered: [compactor],
    functions: { 3: (messages) => [...(messages as Json[]), { role: 'user', content: 'KEPT' }] },
  });
  expect(made.hooks.compactors.threshold).toBe(50);
  expect(await compacting(made)).toMatchObject({
    from: 'extension.py',
    summary: 'hi\n\nKEPT',
    messages: [{ role: 'user', parts: [{ text: 'hi' }, { text: 'KEPT' }] }],
  });
  expect(made.questions).toMatchObject([{ wanted: ['read', 'prompt'] }]);
});

test('a compactor that hangs is ended after a minute, one that dies at once', async () => {
  const made = await world({ registered: [compactor], functions: { 3: pending } });
  const hanging = compacting(made);
  hanging.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(hanging).rejects.toThrow('longer than 60 s');
  await vi.advanceTimersByTimeAsync(500);
  const dying = compacting(made);
  dying.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(1);
  made.python.die();
  await expect(dying).rejects.toThrow('its interpreter ended');
  expect(made.hooks.compactors.threshold).toBe(Infinity);
});

test('a renderer draws blocks, told whether it is expanded; what is none is refused', async () => {
  let blocks: Json = [{ type: 'text', text: 'a' }];
  const made = await world({
    registered: [renderer],
    functions: {
      2: (data, expanded) =>
        expanded === true ? [{ type: 'json', text: JSON.stringify(data) }] : blocks,
    },
  });
  const [found] = made.shown.renderers;
  expect(await found?.render(never, '{"n": 1}', false)).toEqual([{ type: 'text', text: 'a' }]);
  expect(await found?.render(never, '{"n": 1}', true)).toEqual([{ type: 'json', text: '{"n":1}' }]);
  blocks = [{ type: 'html', text: '<b>' }];
  await expect(found?.render(never, '{}', false)).rejects.toThrow('not a list of blocks');
});

test('a renderer or a completion that dies fails alone, and only once', async () => {
  const made = await world({
    registered: [
      renderer,
      { kind: 'command', name: 'hello', description: '', run: 4, complete: 5, immediate: true },
    ],
    functions: { 2: pending, 5: pending },
  });
  const drawing = made.shown.renderers[0]?.render(never, '{}', false);
  const completing = made.shown.commands[0]?.complete?.(never, 'a');
  for (const one of [drawing, completing]) one?.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(1);
  made.python.die();
  await expect(drawing).rejects.toThrow('its interpreter ended');
  await expect(completing).rejects.toThrow('its interpreter ended');
  await vi.advanceTimersByTimeAsync(500);
  expect(made.view().state).toBe('running');
  expect(made.pythons).toHaveLength(2);
});

test('a message of a kind is shown in the session, with its data', async () => {
  const made = await world({ registered: [renderer] });
  const shown = { action: 'show_data', kind: 'chart', data: '{"n":1}', text: 'one' };
  await made.python.act({ id: 'c', sessionId: 's' } as never, JSON.stringify(shown));
  expect(made.performed).toEqual([{ action: shown, session: 's', file: 'extension.py' }]);
  await expect(
    made.python.act({ id: 'c', sessionId: 's' } as never, JSON.stringify({ ...shown, data: '{' })),
  ).rejects.toThrow('unknown action');
});
