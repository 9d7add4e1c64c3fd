import { expect, test } from 'vitest';
import { createAgentHooks } from '../turn/hooks.ts';
import { idle } from '../turn/live-state.ts';
import type { Action } from './actions.ts';
import { FakeHost, head } from './host-types.fixture.ts';
import { Contributions } from './contributions.ts';
import { emptyState } from '../session/reduce.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import { failure } from '../../runtime/call/results.ts';
import { createExtensionHost, performOnPage, type OpenedSessions } from './page-host.ts';

const from = { extension: 'gate', file: 'gate.py' };
const { signal } = new AbortController();

function world(isUsed = true) {
  const done: string[] = [];
  const selection = { tools: [], names: [] };
  const report = (thrown: unknown): void => {
    throw thrown;
  };
  const hooks = createAgentHooks(report);
  const shown = new Contributions(report);
  const window = { location: { hash: '' } } as unknown as Pick<Window, 'location'>;
  const listeners = new Set<() => void>();
  const calls: ToolCall[] = [];
  const heads = [head('s', { messages: 1 }), head('other', { folder: 'private' })];
  const opened = {
    id: 's',
    live: idle,
    selected: [],
    state: { ...emptyState('s'), head: head('s', { messages: 1 }), selection },
    send: (parts: unknown, by?: { file: string }) =>
      void done.push(`send ${JSON.stringify(parts)} from ${by?.file ?? ''}`),
    rename: (title: string) => void done.push(`rename ${title}`),
    background: { running: null, start: (prompt: string) => void done.push(`start ${prompt}`) },
    observe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const sessions = {
    stored: { list: () => heads },
    liveSessions: {
      opened: (id: string) => (id === 's' ? opened : undefined),
      hasFolderOf: ({ folder }: { folder: string }) => folder === 'tools',
      fork: () => Promise.resolve({ id: 'copy' }),
    },
    providers: { list: () => [] },
  } as unknown as OpenedSessions;
  const host = createExtensionHost({
    plans: () => Promise.reject(new Error('No plan is run.')),
    window,
    hooks,
    registry: { folder: 'tools', list: () => [] },
    calls: {
      call: (_, call) => {
        calls.push(call);
        return Promise.resolve(failure('', ''));
      },
    },
    sessions: () => (isUsed ? sessions : null),
    extensions: () => [],
    checkpoints: new FakeHost().checkpoints,
  });
  const perform = (action: Action, session = 's'): void => {
    performOnPage(from, action, session, { host, shown, window });
  };
  const emit = (): void => {
    for (const listener of listeners) listener();
  };
  return { host, hooks, shown, window, opened, done, calls, perform, emit, listeners };
}

test('messages, titles and background prompts go to the session of the handler', () => {
  const { perform, done } = world();
  perform({ action: 'send_message', text: 'a' });
  perform({ action: 'set_title', text: 'b' });
  perform({ action: 'run_background', text: 'c' });
  expect(done).toEqual(['send [{"type":"text","text":"a"}] from gate.py', 'rename b', 'start c']);
  for (const session of ['', 'other'])
    expect(() => {
      perform({ action: 'send_message', text: 'a' }, session);
    }).toThrow('not bound');
});

test('a session of another folder gets nothing', () => {
  const { perform, opened, done } = world();
  opened.state.head = head('s', { messages: 1, folder: 'private' });
  expect(() => {
    perform({ action: 'send_message', text: 'a' });
  }).toThrow('another folder');
  expect(done).toEqual([]);
});

test('only sessions of this folder are shown', () => {
  const { perform, window } = world();
  perform({ action: 'swap_session', session: 's' });
  expect(window.location.hash).toBe('#/sessions/s');
  for (const session of ['other', 'gone', '../files/x'])
    expect(() => {
      perform({ action: 'swap_session', session });
    }).toThrow('has no session');
  perform({ action: 'swap_session', session: null });
  expect(window.location.hash).toBe('#/sessions/new');
  perform({ action: 'quit' });
  expect(window.location.hash).toBe('#/sessions');
  perform({ action: 'open_file', path: 'a b/../c?.py', line: 3 });
  expect(window.location.hash).toBe('#/files/a%20b/../c%3F.py?line=3');
});

test('images are attached by name, at most five, and only valid ones', () => {
  const { perform, shown } = world();
  const attach = (name: string, data = 'AAE='): void => {
    perform({ action: 'attach_image', data, mediaType: 'image/png', name });
  };
  attach('dot');
  attach('dot');
  expect(shown.attachments.all).toMatchObject([{ ...from, session: 's', name: 'dot' }]);
  expect(shown.attachments.all[0]?.image.size).toBe(2);
  for (const name of ['a', 'b', 'c', 'd']) attach(name);
  expect(() => {
    attach('e');
  }).toThrow('More than 5');
  expect(() => {
    attach('dot', '<svg>');
  }).toThrow('not in base64');
  perform({ action: 'detach_image', name: 'dot' });
  expect(shown.attachments.all.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  perform({ action: 'detach_image', name: null });
  expect(shown.attachments.all).toEqual([]);
});

test('message hooks run once at a time, also if one runs them', async () => {
  const { host, hooks } = world();
  const nested: unknown[] = [];
  hooks.messages.intercept(0, async (message, next) => {
    nested.push(await host.runMessageHooks('s', 'again').catch(String));
    await next({ ...message, context: [{ type: 'text', text: 'It is Monday.' }] });
  });
  expect(await host.runMessageHooks('s', 'hi')).toBe('It is Monday.');
  expect(nested).toEqual(['ToolError: The message hooks are running already.']);
  hooks.messages.intercept(1, () => Promise.reject(new Error('not this')));
  await expect(host.runMessageHooks('s', 'hi')).rejects.toThrow('not this');
  // A failure does not block the next time.
  await expect(host.runMessageHooks('s', 'hi')).rejects.toThrow('not this');
});

test('a call has its caller, its session and a checked schema', async () => {
  const { host, calls } = world();
  await host.call(signal, 'files:read', '{}', 's');
  expect(calls).toMatchObject([
    { tool: 'files:read', arguments: '{}', caller: 'extension', sessionId: 's', validate: true },
  ]);
});

test('waiting for a turn ends with it, or with the extension, and leaves nothing behind', async () => {
  const { host, opened, emit, listeners } = world();
  await host.idle(signal, 's');
  opened.live = { ...idle, phase: 'asking' };
  let ended = false;
  const waiting = host.idle(signal, 's').then(() => (ended = true));
  emit();
  await Promise.resolve();
  expect(ended).toBe(false);
  opened.live = idle;
  emit();
  await waiting;
  opened.live = { ...idle, phase: 'asking' };
  const life = new AbortController();
  const aborted = host.idle(life.signal, 's');
  life.abort(new Error('over'));
  await expect(aborted).rejects.toThrow('over');
  expect(listeners.size).toBe(0);
  await expect(host.idle(signal, 'gone')).rejects.toThrow('not bound');
});

test('before a session is used, there is none', () => {
  expect(world(false).host.sessions()).toBe(null);
});
