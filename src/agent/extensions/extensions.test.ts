import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import type { Json } from '../../runtime/spec/json.ts';
import { ExtensionsWorld, type FakeExtension } from './extensions.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const guard: Json = { kind: 'interceptor', name: 'g', priority: 1, before: 1, after: null };
const command: Json = {
  kind: 'command',
  name: 'hello',
  description: 'Greets.',
  run: 2,
  complete: null,
  immediate: false,
};
const status: Json = { kind: 'status_section', name: 'clock', side: 'right', order: 1 };

const guarded: FakeExtension = {
  registered: [{ kind: 'ext_info', name: 'gate', version: '1.0' }, guard, command, status],
  actions: [{ action: 'set_status', key: 'clock', text: '12:00' }],
  functions: {
    1: (_, args) => (JSON.stringify(args) === '{"path":"precious"}' ? { refuse: 'no' } : null),
    2: (args) => ({ action: 'notify', text: `hi ${JSON.stringify(args)}` }),
  },
};

const precious = '{"path":"precious"}';

async function world(extension: FakeExtension, reply: ExtensionsWorld['reply'] = 'always') {
  const made = new ExtensionsWorld(extension);
  made.reply = reply;
  return made.settled();
}

test('asks once for all powers that it needs, by its name and file', async () => {
  const { questions } = await world(guarded);
  expect(questions).toEqual([
    expect.objectContaining({
      kind: 'powers',
      tool: 'gate',
      file: 'extension.py',
      changed: false,
      wanted: ['intercept', 'show'],
    }),
  ]);
});

test.each(['never', 'no', null] as const)(
  'without its powers, nothing is active, and the page says so (%s)',
  async (reply) => {
    const made = await world(guarded, reply);
    expect((await made.call(precious)).isError).toBe(false);
    expect(made.shown.commands).toEqual([]);
    expect(made.shown.status).toEqual([]);
    expect(made.view().registered).toEqual([
      expect.objectContaining({ kind: 'interceptor', active: false, missing: ['intercept'] }),
      expect.objectContaining({ kind: 'command', active: false, missing: ['show'] }),
      expect.objectContaining({ kind: 'status section', active: false }),
    ]);
  },
);

test('a granted power takes effect at once, and ends at once when it is revoked', async () => {
  const made = await world(guarded, 'no');
  made.extensions.decide('extension.py', 'intercept', true);
  expect((await made.call(precious)).textResultForLlm).toContain('was refused: no');
  expect((await made.call('{"path":"other"}')).isError).toBe(false);
  made.extensions.decide('extension.py', 'intercept', false);
  expect((await made.call(precious)).isError).toBe(false);
});

test('another version of the file is asked about again, and has no powers until then', async () => {
  const made = await world(guarded);
  made.reply = null;
  made.save();
  await made.settled();
  expect(made.questions.at(-1)).toMatchObject({ changed: true });
  expect((await made.call(precious)).isError).toBe(false);
});

test('while the same file is loaded anew, its guard refuses', async () => {
  const made = await world(guarded);
  made.hold();
  made.extensions.reload('extension.py');
  expect((await made.call()).textResultForLlm).toContain('the extension does not run');
  await made.release();
  expect((await made.call()).isError).toBe(false);
  expect((await made.call(precious)).isError).toBe(true);
});

test('commands and status texts are shown with their origin', async () => {
  const { shown, performed } = await world(guarded);
  expect(shown.status).toEqual([
    expect.objectContaining({
      key: 'clock',
      text: '12:00',
      from: { extension: 'gate', file: 'extension.py' },
    }),
  ]);
  await shown.commands[0]?.run('you', 's');
  expect(performed).toEqual([
    { action: { action: 'notify', text: 'hi "you"' }, session: 's', file: 'extension.py' },
  ]);
});

test('switching it off removes all that it has registered, and ends its interpreter', async () => {
  const made = await world({ ...guarded, tools: ['gate:ping'] });
  expect(made.registry.get('gate:ping')).toBeDefined();
  made.extensions.switch('extension.py', true);
  expect(made.registry.get('gate:ping')).toBeUndefined();
  expect(made.shown.commands).toEqual([]);
  expect(made.shown.status).toEqual([]);
  expect((await made.call(precious)).isError).toBe(false);
  expect(made.python.disposed).toBe(true);
  expect(made.view().state).toBe('off');
});

test('a guard whose function raises, or answers nonsense, refuses the call', async () => {
  for (const answer of [new Error('broken'), { allow: true }, [1]]) {
    const made = await world({ ...guarded, functions: { 1: () => answer } });
    const result = await made.call();
    expect(result.isError).toBe(true);
    expect(result.textResultForLlm).toContain('was refused');
  }
});

test('a guard that hangs refuses after its deadline; its extension alone is restarted', async () => {
  const made = await world({
    ...guarded,
    functions: { 1: () => new Promise(() => undefined) },
  });
  const calling = made.call();
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await calling).textResultForLlm).toContain('took longer than 5 s');
  await vi.advanceTimersByTimeAsync(0);
  // Meanwhile its commands are gone, and its guard refuses.
  expect(made.view().state).toBe('restarting');
  expect(made.shown.commands).toEqual([]);
  expect((await made.call()).textResultForLlm).toContain('the extension does not run');
  made.extension = guarded;
  await vi.advanceTimersByTimeAsync(500);
  expect(made.view().state).toBe('running');
  expect(made.pythons).toHaveLength(2);
  expect((await made.call()).isError).toBe(false);
  expect(made.shown.commands).toHaveLength(1);
});

test('Stop ends a call at once, whatever a guard does', async () => {
  const made = await world({
    ...guarded,
    functions: { 1: () => new Promise(() => undefined) },
  });
  const stop = new AbortController();
  const calling = made.call('{}', undefined, stop.signal);
  await vi.advanceTimersByTimeAsync(10);
  stop.abort();
  expect((await calling).error).toBe('cancelled');
});

test('it is restarted three times; then its guard refuses until it is reloaded', async () => {
  const made = await world(guarded);
  for (const waitMs of [500, 2_000, 8_000]) {
    made.python.die();
    await vi.advanceTimersByTimeAsync(waitMs);
    expect(made.view().state).toBe('running');
  }
  made.python.die();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(made.pythons).toHaveLength(4);
  expect(made.view().state).toBe('failed');
  expect((await made.call()).textResultForLlm).toContain('Reload or disable it');
  made.extensions.reload('extension.py');
  await made.settled();
  expect(made.view().state).toBe('running');
  expect((await made.call()).isError).toBe(false);
});

test('a guard that may refuse calls and cannot be loaded refuses all of them', async () => {
  const made = await world(guarded);
  made.extension = { registered: [{ kind: 'nonsense', name: 'x' }] };
  made.extensions.reload('extension.py');
  await made.settled();
  expect(made.view()).toMatchObject({ state: 'failed' });
  expect((await made.call()).textResultForLlm).toContain('the extension does not run');
  made.extensions.switch('extension.py', true);
  expect((await made.call()).isError).toBe(false);
});

test.each([
  ['no list', null],
  ['too many entries', Array.from({ length: 1_001 }, (_, n) => ({ ...status, name: `s${n}` }))],
  ['a long text', [{ kind: 'prompt_section', name: 't', content: 'x'.repeat(100_001), order: 0 }]],
  [
    'many long texts',
    Array.from({ length: 3 }, () => ({
      kind: 'prompt_section',
      name: 't',
      order: 0,
      content: 'x'.repeat(99_999),
    })),
  ],
  ['a command with spaces', [{ ...command, name: 'rm -rf' }]],
  ['a key without Ctrl', [{ kind: 'shortcut', name: 'g', description: '', run: 1 }]],
])('what is registered out of form is refused as a whole: %s', async (_, registered) => {
  const made = await world({ registered: [command, ...(registered ?? [7])] });
  expect(made.view().state).toBe('failed');
  expect(made.view().registered).toEqual([]);
  expect(made.shown.commands).toEqual([]);
  expect(made.python.disposed).toBe(true);
});

test('a prompt section, a message hook and an event handler reach sessions', async () => {
  const made = await world({
    registered: [
      { kind: 'prompt_section', name: 'Rules', content: 'Be brief.', order: 1, token_hint: 7 },
      { kind: 'message_hook', name: 'date', priority: 0, run: 1 },
      { kind: 'event_handler', name: 'log', priority: 0, run: 2 },
    ],
    functions: {
      1: (text) =>
        text === 'stop' ? new Error('not this') : { text: `on ${JSON.stringify(text)}` },
      2: (event) => ({ action: 'notify', text: (event as { type: string }).type }),
    },
  });
  expect(await made.hooks.prompt.run([], { session: 's', kind: 'step' })).toEqual([
    { title: 'Rules', text: 'Be brief.', tokens: 7, from: 'extension.py' },
  ]);
  const contexts: unknown[] = [];
  const message = { session: 's', turnId: 't', steering: false, context: [] };
  const send = (text: string): Promise<void> =>
    made.hooks.messages.run({ ...message, parts: [{ type: 'text', text }] }, ({ context }) => {
      contexts.push(context);
      return Promise.resolve();
    });
  await send('hi');
  expect(contexts).toEqual([[{ type: 'text', text: 'on "hi"' }]]);
  await expect(send('stop')).rejects.toThrow('not this');
  expect(contexts).toHaveLength(1);
  made.calls.emit({ type: 'call-started', callId: 'c', at: 1 });
  await vi.advanceTimersByTimeAsync(1);
  expect(made.performed).toMatchObject([{ action: { action: 'notify', text: 'call_started' } }]);
});

test('a handler that is too slow for its events loses some, and nothing else waits', async () => {
  const made = await world({
    registered: [{ kind: 'event_handler', name: 'log', priority: 0, run: 1 }],
    functions: { 1: () => new Promise(() => undefined) },
  });
  for (let n = 0; n < 10_000; n += 1) made.calls.emit({ type: 'call-started', callId: 'c', at: n });
  expect(made.view().faults.map(({ message }) => message)).toEqual([
    'it is too slow: events are left out',
  ]);
  expect(made.python.calls.length).toBeLessThan(10);
});

test('an interceptor changes arguments as they are written, and results within bounds', async () => {
  const made = await world({
    registered: [{ kind: 'interceptor', name: 'g', priority: 1, before: 1, after: 2 }],
    functions: {
      1: () => ({ arguments: '{"n": 12345678901234567890}' }),
      2: () => ({ text_result_for_llm: 'changed', call_id: 'forged', interpreter: 'x' }),
    },
  });
  const seen: string[] = [];
  const result = await made.call('{"n": 1.0}', (args) => {
    seen.push(args);
    return Promise.resolve(failure('', ''));
  });
  expect(seen).toEqual(['{"n": 12345678901234567890}']);
  expect(made.python.calls.find((call) => call.startsWith('@hook'))).toContain('{"n": 1.0}');
  expect(result.textResultForLlm).toBe('changed');
  expect(result.interpreter).toBe('');
});

test('arguments cannot smuggle another question to a guard', async () => {
  const made = await world(guarded);
  const result = await made.call('{}],"id":9,"values":["x",{}');
  expect(result.isError).toBe(true);
  expect(made.python.calls.filter((call) => call.startsWith('@hook'))).toEqual([]);
});

test.each([
  ['content', [{ type: 'html', text: '<b>' }]],
  ['content', [{ type: 'image', mediaType: 'image/svg+xml;x', data: '' }]],
  ['text_result_for_llm', 7],
  ['metadata', []],
  ['log', [{ level: 1 }]],
])('a changed result with an invalid %s is withheld', async (key, value) => {
  const made = await world({
    registered: [{ kind: 'interceptor', name: 'g', priority: 1, before: null, after: 2 }],
    functions: { 2: () => ({ [key]: value }) },
  });
  expect((await made.call()).textResultForLlm).toContain('withheld');
});

test('an answer of more than 8 MB is refused before it is read', async () => {
  const made = await world({
    ...guarded,
    functions: { 1: () => ({ refuse: 'x'.repeat(8_000_001) }) },
  });
  expect((await made.call()).textResultForLlm).toContain('more than the limit of 8,000,000');
});

test('an action for which the power is missing is asked about, and refused if it is denied', async () => {
  const made = await world({ registered: [guard] });
  const from = { sessionId: 's' } as never;
  made.reply = 'never';
  await expect(made.python.act(from, '{"action":"send_message","text":"x"}')).rejects.toThrow(
    'has not granted',
  );
  expect(made.questions.at(-1)).toMatchObject({ wanted: ['send'] });
  made.extensions.decide('extension.py', 'send', true);
  await made.python.act(from, '{"action":"send_message","text":"x"}');
  expect(made.performed).toHaveLength(1);
});

test('a flood of actions is bounded', async () => {
  const made = await world({ ...guarded, registered: [status] });
  const act = (): Promise<unknown> =>
    made.python.act({ sessionId: '' } as never, '{"action":"notify","text":"x"}');
  const all = await Promise.allSettled(Array.from({ length: 1_000 }, act));
  expect(all.filter(({ status: how }) => how === 'fulfilled')).toHaveLength(50);
  expect(made.performed).toHaveLength(50);
});

test.each(['{"action":"exit"}', '{"action":"set_status"}', '[]', '7'])(
  'an unknown action is refused: %s',
  async (text) => {
    const made = await world(guarded);
    await expect(made.python.act({ sessionId: '' } as never, text)).rejects.toThrow('unknown');
  },
);

test('after it is removed, what it left running changes nothing', async () => {
  const made = await world(guarded);
  const { python } = made;
  made.registry.closeFolder();
  await expect(
    python.act({ sessionId: '' } as never, '{"action":"notify","text":"x"}'),
  ).rejects.toThrow();
  expect(made.performed).toEqual([]);
  expect((await made.call(precious)).isError).toBe(false);
  expect(made.shown.commands).toEqual([]);
});
