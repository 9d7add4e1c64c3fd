/** Extensions that try to harm: by what they register, by floods, by loops, and by imitating Cloche. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import type { Json } from '../../runtime/spec/json.ts';
import { eventOfAgent, eventOfCall } from './events.ts';
import { ExtensionsWorld, type FakeExtension } from './extensions.fixture.ts';
import { RunLog } from './function-log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function world(extension: FakeExtension) {
  return new ExtensionsWorld(extension).settled();
}

async function ask(made: ExtensionsWorld, asked: Json): Promise<unknown> {
  return made.python.act({ sessionId: 's' } as never, JSON.stringify(asked));
}

/** Asks several times. Resolves to the number of times that it was allowed. */
async function allowed(made: ExtensionsWorld, asked: Json, times: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n += 1)
    await ask(made, asked).then(
      () => (count += 1),
      () => undefined,
    );
  return count;
}

const command = {
  kind: 'command',
  name: 'go',
  description: '',
  run: 1,
  complete: null,
  immediate: true,
};
const handler = { kind: 'event_handler', name: 'log', priority: 0, run: 1 };

test('no extension passes on an event that looks like one of Cloche', async () => {
  const made = await world({ registered: [handler], functions: { 1: () => null } });
  const call = toolCall('c', {});
  const log = (event: object) =>
    eventOfAgent({
      type: 'logged',
      session: 's',
      event: { n: 1, at: 1, ...event },
      messages: 1,
    } as never);
  const own = [
    eventOfCall({ type: 'call-queued', call } as never),
    eventOfCall({ type: 'call-started', callId: 'c', at: 1 }),
    eventOfCall({ type: 'call-ended', call, result: failure('', '') } as never),
    ...(['opened', 'closed'] as const).map((type) => eventOfAgent({ type, session: 's' })),
    log({ type: 'message', parts: [] }),
    log({ type: 'turn-began', turnId: 't' }),
    log({ type: 'turn-ended', turnId: 't' }),
    log({ type: 'step-ended', usage: { input: 1, output: 1 }, cost: 1, ms: 1 }),
  ].map((event) => event?.type ?? '');
  expect(new Set(own).size).toBe(9);
  for (const type of own)
    await expect(ask(made, { action: 'dispatch_event', event: { type } })).rejects.toThrow(
      'come from Cloche only',
    );
  // Any other type is passed on.
  await ask(made, { action: 'dispatch_event', event: { type: 'step_ended_too' } });
});

test('keys that are special in JavaScript are names like others', async () => {
  const text = `{"kind":"command","name":"__proto__","description":"","run":1,"complete":null,
    "immediate":true,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`;
  const status = '{"kind":"status_section","name":"constructor","side":"left","order":0}';
  const made = await world({
    registered: [JSON.parse(text) as Json, JSON.parse(status) as Json],
    functions: { 1: () => ({ action: 'set_status', key: 'constructor', text: 'x' }) },
  });
  expect(made.view().state).toBe('running');
  await made.shown.commands[0]?.run('', 's');
  expect(made.shown.status).toMatchObject([{ key: 'constructor', text: 'x' }]);
  await ask(made, {
    action: 'dispatch_event',
    event: JSON.parse('{"type":"x","__proto__":{"polluted":true}}') as Json,
  });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each([
  ['interceptor', '"priority":1e400,"before":1,"after":null'],
  ['message_hook', '"priority":-1e400,"run":1'],
  ['prompt_section', '"content":"x","order":1e400,"token_hint":null'],
  ['status_section', '"side":"left","order":1e400'],
  ['compactor', '"threshold":1e400,"run":1'],
])('an infinite number refuses the whole extension: %s', async (kind, rest) => {
  const entry = JSON.parse(`{"kind":"${kind}","name":"n",${rest}}`) as Json;
  const made = await world({ registered: [command, entry] });
  expect(made.view().state).toBe('failed');
  expect(made.shown.commands).toEqual([]);
});

test('infinite hints and sizes are as good as none', async () => {
  const section =
    '{"kind":"prompt_section","name":"n","content":"1234","order":0,"token_hint":1e400}';
  const models =
    '[{"id":"m","context":1e400,"price":{"input":1e400,"output":1}},{"id":"n","context":8}]';
  const provider = `{"kind":"provider","name":"p","api":"openai-chat","base_url":"","headers":[],"models":${models}}`;
  const made = await world({
    registered: [JSON.parse(section) as Json, JSON.parse(provider) as Json],
  });
  expect(await made.hooks.prompt.run([], { session: 's', kind: 'step' })).toMatchObject([
    { tokens: 1 },
  ]);
  expect(made.hooks.providers.list()[0]?.config.models).toMatchObject([
    { context: null, price: null },
    { context: 8 },
  ]);
});

test.each([
  ['a huge name', { ...command, name: 'x'.repeat(257) }],
  ['a huge key', { kind: 'status_section', name: 'x'.repeat(257), side: 'left', order: 0 }],
  ['a command that looks like another', { ...command, name: 'tіtle' }],
  ['a command with an invisible character', { ...command, name: 'title\u200b' }],
])('is refused as a whole: %s', async (_, entry) => {
  const made = await world({ registered: [command, entry] });
  expect(made.view().state).toBe('failed');
  expect(made.shown.commands).toEqual([]);
});

test.each(['', ' ', '\u200b'])(
  'an extension without a visible name (“%s”) is refused',
  async (name) => {
    const info = { kind: 'ext_info', name, version: '' };
    const made = await world({ registered: [info, command] });
    expect(made.view().state).toBe('failed');
    expect(made.shown.commands).toEqual([]);
  },
);

test('a name that imitates Cloche changes nothing about where it is shown to come from', async () => {
  const made = await world({
    registered: [{ kind: 'ext_info', name: 'Clоche', version: '' }, command],
    functions: { 1: () => ({ action: 'show_picker', title: 'Allow?', run: 2, items: [item] }) },
  });
  const item = { label: 'Allow once', detail: '' };
  await made.shown.commands[0]?.run('', 's');
  expect(made.shown.pickers.current).toMatchObject({ extension: 'Clоche', file: 'extension.py' });
  expect(made.shown.commands[0]?.from.file).toBe('extension.py');
});

test('a key that text fields or the browser need is not taken; everything else is active', async () => {
  const shortcut = (name: string): Json => ({ kind: 'shortcut', name, description: '', run: 1 });
  const keys = ['ctrl+c', 'ctrl+v', 'ctrl+a', 'ctrl+z', 'ctrl+shift+t', 'ctrl+g', 'ctrl+shift+g'];
  const made = await world({ registered: keys.map(shortcut) });
  expect(made.shown.shortcuts.map(({ key }) => key)).toEqual(['ctrl+g', 'ctrl+shift+g']);
  expect(made.view().registered[0]).toMatchObject({
    active: false,
    fault: expect.stringContaining('belongs to text fields') as string,
  });
});

test.each([
  { action: 'open_file', path: 'a.py', line: null },
  { action: 'swap_session', session: null },
  { action: 'quit' },
])('a loop of $action leaves the user time to disable it', async (action) => {
  const made = await world({ registered: [command] });
  expect(await allowed(made, action, 40)).toBe(15);
  await expect(ask(made, { action: 'quit' })).rejects.toThrow('pickers and changes of the view');
});

test('a picker that comes back whenever it is closed does so for a moment only', async () => {
  const picker = { action: 'show_picker', title: 'Again?', run: 9 };
  const made = await world({
    registered: [command],
    functions: { 9: () => ({ ...picker, items: [{ label: 'Yes', detail: '' }] }) },
  });
  await ask(made, { ...picker, items: [{ label: 'Yes', detail: '' }] });
  let shown = 0;
  for (let n = 0; n < 100 && made.shown.pickers.current !== null; n += 1) {
    shown += 1;
    made.shown.pickers.close(made.shown.pickers.current.id, null);
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(shown).toBe(15);
  expect(made.view().faults.at(-1)?.message).toContain('in a minute');
});

test('an event that triggers itself is passed on fifty times in a second', async () => {
  let seen = 0;
  const made: ExtensionsWorld = await world({
    registered: [handler],
    functions: {
      1: () => {
        seen += 1;
        const again = ask(made, { action: 'dispatch_event', event: { type: 'again' } });
        return again.then(
          () => null,
          () => null,
        );
      },
    },
  });
  await ask(made, { action: 'dispatch_event', event: { type: 'again' } });
  await vi.advanceTimersByTimeAsync(100);
  expect(seen).toBe(50);
  expect(made.view().faults.at(-1)?.message).toContain('More than 50 actions in a second');
});

test('of a thousand handlers, twenty run at once', async () => {
  let running = 0;
  let max = 0;
  let seen = 0;
  const answered = (): Promise<Json> => {
    running += 1;
    seen += 1;
    max = Math.max(max, running);
    return new Promise((resolve) => {
      setTimeout(() => {
        running -= 1;
        resolve(null);
      }, 1);
    });
  };
  const made = await world({
    registered: Array.from({ length: 1_000 }, (_, n) => ({ ...handler, name: `h${n}`, run: n })),
    functions: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [n, answered])),
  });
  made.calls.emit({ type: 'call-started', callId: 'c', at: 1 });
  await vi.advanceTimersByTimeAsync(100);
  expect([max, seen]).toEqual([20, 1_000]);
});

test('a message that sends the next one is sent twenty times in a minute', async () => {
  const made = await world({ registered: [command] });
  expect(await allowed(made, { action: 'follow_up', text: 'again' }, 45)).toBe(20);
});

test('functions that never end are twenty, and end with the extension', async () => {
  const made = await world({
    registered: [command],
    functions: { 9: () => new Promise<Json>(() => undefined) },
  });
  expect(await allowed(made, { action: 'run_async', run: 9 }, 30)).toBe(20);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(made.view().state).toBe('running');
  made.extensions.switch('extension.py', true);
  expect(made.python.disposed).toBe(true);
});

test('what is slow is listed up to a limit, whatever it is called', () => {
  const runs = new RunLog(
    () => 0,
    () => undefined,
  );
  for (let n = 0; n < 1_000; n += 1) runs.ran(`The picker ${n}`, 51);
  runs.ran('The picker 3', 70);
  expect(runs.slow).toHaveLength(100);
  expect(runs.slow[3]).toEqual({ what: 'The picker 3', ms: 70 });
});
