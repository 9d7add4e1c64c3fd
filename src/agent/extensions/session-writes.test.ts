import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import type { Json } from '../../runtime/spec/json.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { ExtensionsWorld, type FakeExtension } from './extensions.fixture.ts';
import { head } from './host-types.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const command: Json = {
  kind: 'command',
  name: 'hello',
  description: 'Greets.',
  run: 2,
  complete: null,
  immediate: false,
};
const tool: RegisteredTool = {
  ...fakeTool('files:read'),
  background_safe: true,
  hash: 'h',
  loadedAt: 1,
  state: 'ready',
};

async function world(
  reply: ExtensionsWorld['reply'] = 'always',
  extension: FakeExtension = { registered: [command] },
) {
  const made = new ExtensionsWorld(extension);
  made.reply = reply;
  made.host.tool = tool;
  return made.settled();
}

/** Asks as running code does. @returns the answer */
async function ask(made: ExtensionsWorld, asked: Json, session = 's'): Promise<unknown> {
  const answer = await made.python.act({ sessionId: session } as never, JSON.stringify(asked));
  return answer === undefined ? undefined : JSON.parse(answer);
}

const wantedBy = (made: ExtensionsWorld): unknown => made.questions.at(-1);

test.each([
  ['conversation_messages', { last: null }, 'read', []],
  ['system_prompt', {}, 'read', 'Be brief.'],
  [
    'prompt_sections',
    {},
    'read',
    [{ title: 'Base text', content: 'Be brief.', tokens: 3, file: null }],
  ],
  ['session_title', {}, 'read', 'Title of s'],
  ['run_message_hooks', { text: 'hi' }, 'read', ''],
  [
    'provider',
    {},
    'models',
    { id: 'p1', name: 'Local', kind: 'openai-chat', models: ['small', 'vendor/large'] },
  ],
  [
    'resolve_model',
    { name: 'cloud/other' },
    'models',
    {
      name: 'Cloud/other',
      id: 'other',
      provider: 'p2',
      label: 'OTHER',
      context: 1_000,
      images: true,
    },
  ],
  [
    'sessions',
    {},
    'sessions',
    [
      {
        id: 's',
        path: '#/sessions/s',
        title: 'Title of s',
        folder: 'tools',
        created_at: 0,
        messages: 2,
        model: 'Local/small',
        parent_id: null,
      },
    ],
  ],
  ['fork_session', { n: null }, 'sessions', 'copy'],
  ['toggle_step_mode', {}, 'send', true],
  ['cancel_background', {}, 'spend', undefined],
  [
    'plan_run',
    { id: 'run-1' },
    'read',
    {
      id: 'run-1',
      goal: 'Add',
      state: 'done',
      reason: '',
      tasks: [{ id: 'a', state: 'done', reason: '', output: { n: 1 } }],
    },
  ],
])('%s needs its power, which is asked for once', async (action, more, power, answer) => {
  const made = await world();
  expect(await ask(made, { action, ...more })).toEqual(answer);
  expect(wantedBy(made)).toMatchObject({ kind: 'powers', wanted: [power] });
  const { length } = made.questions;
  await ask(made, { action, ...more });
  expect(made.questions).toHaveLength(length);
  expect(made.view().powers).toContainEqual({ power, decision: 'allow' });
  // Revoking takes effect at once.
  made.extensions.decide('extension.py', power as never, false);
  await expect(ask(made, { action, ...more })).rejects.toThrow('has not granted');
});

test('a plan needs the powers to spend tokens and to run tools', async () => {
  const made = await world();
  const plan = { goal: 'Add', tasks: [{ id: 'a', instructions: 'Add' }] };
  expect(await ask(made, { action: 'run_plan', plan })).toBe('run-1');
  expect(made.view().powers).toEqual(
    expect.arrayContaining([
      { power: 'spend', decision: 'allow' },
      { power: 'call', decision: 'allow' },
    ]),
  );
  expect(made.host.done).toEqual([expect.stringContaining('plan {"goal":"Add"')]);
  made.extensions.decide('extension.py', 'call', false);
  await expect(ask(made, { action: 'run_plan', plan })).rejects.toThrow('has not granted');
  await expect(ask(made, { action: 'run_plan', plan: 5 })).rejects.toThrow('a dict, or text');
  expect(made.host.done).toHaveLength(1);
});

test('a refused power reaches nothing, and is a fault of the extension', async () => {
  const made = await world('never');
  const asked = { action: 'switch_model', name: 'Local/small' };
  await expect(ask(made, asked)).rejects.toThrow(
    'needs a power that the user has not granted: See your models',
  );
  expect(made.host.done).toEqual([]);
  expect(made.view().faults.at(-1)?.message).toContain('has not granted');
});

test('while the user is asked, the time of the function does not pass', async () => {
  const made = await world();
  const clocked: string[] = [];
  const clock = {
    pause: () => void clocked.push(`pause before question ${made.questions.length + 1}`),
    resume: () => void clocked.push(`resume after question ${made.questions.length}`),
    progress: () => undefined,
  };
  const asked = (): Promise<unknown> =>
    made.python.act({ sessionId: 's' } as never, '{"action":"session_title"}', clock);
  await asked();
  expect(clocked).toEqual(['pause before question 2', 'resume after question 2']);
  await asked();
  expect(clocked).toHaveLength(2);
});

test('what needs no power is answered without a question', async () => {
  const made = await world();
  const { length } = made.questions;
  const { label, description, parameters } = tool;
  const definition = { name: 'files:read', description, parameters };
  const states = { selected: true, background_safe: true, deferred: false };
  const summary = { ...definition, label, ...states };
  expect(await ask(made, { action: 'tools' })).toEqual([summary]);
  expect(await ask(made, { action: 'tools' }, '')).toEqual([summary]);
  expect(await ask(made, { action: 'background_safe_tools' })).toEqual([summary]);
  expect(await ask(made, { action: 'find_tool', name: 'files:read' })).toEqual(summary);
  expect(await ask(made, { action: 'find_tool', name: 'none' })).toBe(null);
  expect(await ask(made, { action: 'tool_defs' })).toEqual([definition]);
  expect(await ask(made, { action: 'step_mode' })).toBe(false);
  expect(await ask(made, { action: 'is_background_running' })).toBe(false);
  expect(await ask(made, { action: 'cwd' })).toBe('tools');
  expect(await ask(made, { action: 'compactor' })).toBe(null);
  expect(await ask(made, { action: 'renderers' })).toEqual([]);
  expect(await ask(made, { action: 'commands' })).toEqual([
    { name: 'hello', description: 'Greets.', immediate: false, file: 'extension.py' },
  ]);
  expect(await ask(made, { action: 'shortcuts' })).toEqual([]);
  expect(made.questions).toHaveLength(length);
});

test.each([
  { action: 'conversation_messages', last: null },
  { action: 'system_prompt' },
  { action: 'step_mode' },
  { action: 'fork_session', n: null },
  { action: 'toggle_step_mode' },
  { action: 'tool_defs' },
])('outside a session, $action says that the app is not bound', async (asked) => {
  const made = await world();
  for (const session of ['', 'other'])
    if (session !== '' || asked.action !== 'tool_defs')
      await expect(ask(made, asked, session)).rejects.toThrow(
        `app.${asked.action}: The app is not bound`,
      );
  made.host.hasSessions = false;
  await expect(ask(made, { action: 'sessions' })).rejects.toThrow('no session has been opened');
});

test('a session of another folder is out of reach, and is not listed', async () => {
  const made = await world();
  made.host.state = { ...made.host.state, head: { ...made.host.state.head, folder: 'private' } };
  await expect(ask(made, { action: 'session_title' })).rejects.toThrow('another folder');
  await expect(ask(made, { action: 'toggle_step_mode' })).rejects.toThrow('another folder');
  made.host.heads.push(head('secret', { folder: 'private' }));
  const listed = (await ask(made, { action: 'sessions' })) as { id: string }[];
  expect(listed.map(({ id }) => id)).toEqual(['s']);
});

test('sessions are listed by their creation, newest first', async () => {
  const made = await world();
  made.host.heads.push(head('new', { createdAt: 3_000, forkOf: 's' }));
  made.host.heads.push(head('old', { createdAt: 1_500 }));
  expect(await ask(made, { action: 'sessions' })).toMatchObject([
    { id: 'new', created_at: 3, parent_id: 's', model: null },
    { id: 'old', created_at: 1.5 },
    { id: 's' },
  ]);
});

test('models and providers are named without addresses, keys and recordings', async () => {
  const made = await world();
  const models = await ask(made, { action: 'available_models' });
  expect(models).toHaveLength(4);
  const listed = await ask(made, { action: 'providers' });
  expect(listed).toMatchObject([{ name: 'Local' }, { name: 'Cloud' }]);
  expect(JSON.stringify([models, listed])).not.toMatch(/secret|replay/);
});

test.each([
  ['switch_model', 'Cloud/other', 'use p2 other'],
  ['switch_model', 'p1/vendor/large', 'use p1 vendor/large'],
  ['switch_model', 'vendor/large', 'use p1 vendor/large'],
  ['switch_model', 'small', 'use p1 small'],
  ['set_provider', 'cloud', 'use p2 small'],
  ['sync_models', null, 'sync p1'],
  ['sync_models', 'Cloud', 'sync p2'],
])('%s %s', async (action, name, done) => {
  const made = await world();
  await ask(made, { action, name });
  expect(made.host.done).toEqual([done]);
});

test.each([
  ['switch_model', 'gone', 'There is no model “gone”'],
  ['switch_model', 'Local/other', 'There is no model'],
  ['switch_model', 'x'.repeat(100_001), 'longer than'],
  ['switch_model', 7, 'name must be str'],
  ['set_provider', 'Recordings', 'There is no provider “Recordings”. Known: Local, Cloud.'],
  ['sync_models', 'gone', 'There is no provider'],
])('%s refuses %s', async (action, name, message) => {
  const made = await world();
  await expect(ask(made, { action, name })).rejects.toThrow(message);
  expect(made.host.done).toEqual([]);
});

test('a name that several providers have is refused, unless the session uses one of them', async () => {
  const made = await world();
  made.host.state = { ...made.host.state, head: { ...made.host.state.head, model: null } };
  await expect(ask(made, { action: 'switch_model', name: 'small' })).rejects.toThrow(
    'Write Local/small or Cloud/small.',
  );
});

test('a fork is shown, and a session without messages is not copied', async () => {
  const made = await world();
  await ask(made, { action: 'fork_session', n: null });
  await ask(made, { action: 'fork_session', n: 3 });
  expect(made.host.done).toEqual(['fork s 8', 'show copy', 'fork s 3', 'show copy']);
  await expect(ask(made, { action: 'fork_session', n: -1 })).rejects.toThrow('a number from 0');
  made.host.state = { ...made.host.state, head: { ...made.host.state.head, messages: 0 } };
  await expect(ask(made, { action: 'fork_session', n: null })).rejects.toThrow('no message yet');
});

test('what costs tokens is limited, whatever an extension does', async () => {
  const made = await world();
  const all = await Promise.allSettled(
    Array.from({ length: 40 }, () => ask(made, { action: 'send_message', text: 'x' })),
  );
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(made.performed).toHaveLength(20);
  await expect(ask(made, { action: 'sync_models', name: null })).rejects.toThrow('in a minute');
});

test('a follow-up is sent when the turn has ended, and not after its power is revoked', async () => {
  const made = await world();
  let end = (): void => undefined;
  made.host.idle = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  await ask(made, { action: 'follow_up', text: 'then' });
  expect(made.performed).toEqual([]);
  end();
  await vi.advanceTimersByTimeAsync(0);
  const sent = { action: { action: 'send_message', text: 'then' }, session: 's' };
  expect(made.performed).toMatchObject([sent]);
  await ask(made, { action: 'follow_up', text: 'late' });
  made.extensions.decide('extension.py', 'send', false);
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect(made.performed).toHaveLength(1);
});

test('events of extensions reach handlers with their origin, and cannot imitate those of Cloche', async () => {
  const made = await world('always', {
    registered: [{ kind: 'event_handler', name: 'log', priority: 0, run: 1 }],
    functions: { 1: (event) => ({ action: 'notify', text: JSON.stringify(event) }) },
  });
  await ask(made, { action: 'dispatch_event', event: { type: 'built', from: 'forged.py', n: 1 } });
  await vi.advanceTimersByTimeAsync(1);
  const text = '{"type":"built","from":"extension.py","n":1,"session_id":"s"}';
  expect(made.performed).toMatchObject([{ action: { action: 'notify', text } }]);
  for (const event of [{ type: 'call_ended' }, {}, { type: 'a b' }, [], 7])
    await expect(ask(made, { action: 'dispatch_event', event })).rejects.toThrow();
  await expect(
    ask(made, { action: 'dispatch_event', event: { type: 'x', text: 'y'.repeat(10_000) } }),
  ).rejects.toThrow('at most 10,000');
});

test('a tool is called like by others, five at once', async () => {
  const made = await world();
  made.host.result = failure('ValueError: no', 'It failed.');
  const asked = { action: 'call_tool', name: 'files:read', arguments: '{"path":"a"}' };
  expect(await ask(made, asked)).toMatchObject({ result_type: 'failure', error: 'ValueError: no' });
  expect(made.host.done).toEqual(['call files:read {"path":"a"} s']);
  made.host.result = { ...failure('', ''), stdout: 'x'.repeat(7_000_001) };
  await expect(ask(made, asked)).rejects.toThrow('more than 7,000,000');
  made.host.call = () => new Promise(() => undefined);
  for (let n = 0; n < 5; n += 1) void ask(made, asked).catch(() => undefined);
  await expect(ask(made, asked)).rejects.toThrow('More than 5 calls');
});

test.each([
  { action: 'show_picker', title: 'x', items: [], run: 1 },
  { action: 'show_picker', title: 'x', items: ['a'], run: 1 },
  { action: 'show_picker', title: 'x', items: Array(501).fill({ label: '', detail: '' }), run: 1 },
  { action: 'attach_image', data: 'AA==', media_type: 'image/svg+xml', name: 'x' },
  { action: 'attach_image', data: 'A'.repeat(7_000_001), media_type: 'image/png', name: 'x' },
  { action: 'attach_image', data: 7, media_type: 'image/png', name: 'x' },
  { action: 'swap_session' },
  { action: 'run_background', text: null },
  { action: 'constructor' },
  { action: '__proto__' },
  { action: 'toString' },
])('an action out of form is refused: $action', async (asked) => {
  const made = await world();
  await expect(ask(made, asked as Json)).rejects.toThrow();
  expect(made.performed).toEqual([]);
  expect(made.shown.pickers.current).toBe(null);
});

test('messages are replaced with both powers, and only by valid ones', async () => {
  const made = await world();
  const asked = { action: 'set_conversation_messages', messages: [{ role: 'user', content: 'a' }] };
  await ask(made, asked);
  expect(
    made.questions.slice(1).map((question) => 'wanted' in question && question.wanted),
  ).toEqual([['prompt'], ['read']]);
  const replaced = '[{"role":"user","parts":[{"type":"text","text":"a"}]}]';
  expect(made.host.done).toEqual([`replace ${replaced} a extension.py`]);
  for (const messages of [null, 'a', [7], [{ role: 'root', content: '' }], [{ role: 'user' }]])
    await expect(ask(made, { ...asked, messages })).rejects.toThrow(
      'app.set_conversation_messages',
    );
  const long = [{ role: 'user', content: 'x'.repeat(400_001) }];
  await expect(ask(made, { ...asked, messages: long })).rejects.toThrow('longer than 400,000');
  expect(made.host.done).toHaveLength(1);
});
