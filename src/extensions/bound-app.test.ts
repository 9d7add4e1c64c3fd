/** Which sessions an extension reaches, and the surface in TypeScript. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeTool } from '../scan/tool.fixture.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { createExtensionApp } from './app.ts';
import { ExtensionsWorld, type FakeExtension } from './extensions.fixture.ts';
import { Owner } from './owner.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const tool: RegisteredTool = {
  ...fakeTool('files:read'),
  ...{ hash: 'h', loadedAt: 1, state: 'ready' },
};

async function world(extension: FakeExtension = { registered: [] }) {
  const made = new ExtensionsWorld(extension);
  made.host.tool = tool;
  return made.settled();
}

test('an opened session is not bound: its events reach no content', async () => {
  const made = await world({
    registered: [{ kind: 'event_handler', name: 'log', priority: 0, run: 1 }],
    functions: { 1: (event) => ({ action: 'set_title', text: (event as { type: string }).type }) },
  });
  made.hooks.observers.emit({ type: 'opened', session: 's' });
  const began = { type: 'turn-began', turnId: 't', n: 1, at: 1 } as const;
  made.hooks.observers.emit({ type: 'logged', session: 's', event: began, messages: 1 });
  await vi.advanceTimersByTimeAsync(1);
  expect(made.performed.map(({ session }) => session)).toEqual(['', 's']);
});

test('hooks and events of sessions of another folder do not reach an extension', async () => {
  const made = await world({
    registered: [
      { kind: 'message_hook', name: 'date', priority: 0, run: 1 },
      { kind: 'event_handler', name: 'log', priority: 0, run: 2 },
    ],
    functions: { 1: () => ({ text: 'seen' }), 2: () => ({ action: 'notify', text: 'seen' }) },
  });
  const contexts: unknown[] = [];
  const sends = async (): Promise<void> => {
    const parts = [{ type: 'text', text: 'private' }] as const;
    const message = { session: 's', turnId: 't', steering: false, parts, context: [] };
    await made.hooks.messages.run(message, ({ context }) => {
      contexts.push(context);
      return Promise.resolve();
    });
    const began = { type: 'turn-began', turnId: 't', n: 1, at: 1 } as const;
    made.hooks.observers.emit({ type: 'logged', session: 's', event: began, messages: 1 });
    await vi.advanceTimersByTimeAsync(1);
  };
  await sends();
  expect([contexts, made.performed.length]).toEqual([[[{ type: 'text', text: 'seen' }]], 1]);
  made.host.state = { ...made.host.state, head: { ...made.host.state.head, folder: 'private' } };
  await sends();
  expect([contexts[1], made.performed.length]).toEqual([[], 1]);
});

test('extensions in TypeScript use the same names on an app that is bound to a session', async () => {
  const made = await world();
  const { host, shown, events, registry, interceptors, hooks, calls } = made;
  const asked: string[] = [];
  const performed: string[] = [];
  const life = new AbortController();
  const grantedHeaders = (): never => {
    throw new Error('unused');
  };
  const app = createExtensionApp(
    new Owner(() => true),
    { registry, interceptors, hooks, calls, shown, events, host, grantedHeaders },
    {
      from: () => ({ extension: 'Cloche', file: '' }),
      signal: life.signal,
      need: (power) => {
        asked.push(power);
        return Promise.resolve();
      },
      perform: (action, session) => {
        performed.push(`${session} ${JSON.stringify(action)}`);
        return Promise.resolve();
      },
    },
  );
  const bound = app.bound('s');
  expect(await bound.sessionTitle()).toBe('Title of s');
  expect(await bound.conversationMessages()).toEqual([]);
  expect(await bound.setModel('Cloud/other')).toMatchObject({ id: 'other', provider: 'p2' });
  expect(await bound.toolDefs()).toHaveLength(1);
  expect(await bound.cwd()).toBe('tools');
  await bound.steer('now');
  await bound.followUp('then');
  await bound.runBackground('count');
  await bound.setConversationMessages([]);
  expect(asked).toEqual(['read', 'read', 'models', 'prompt', 'read']);
  expect(performed).toEqual([
    's {"action":"send_message","text":"now"}',
    's {"action":"follow_up","text":"then"}',
    's {"action":"run_background","text":"count"}',
  ]);
  await expect(app.bound('').sessionTitle()).rejects.toThrow('not bound');

  const notice = { action: 'notify', text: 'x' } as const;
  bound.enqueueAction(notice);
  expect(app.bound('s').pendingActions()).toEqual([notice]);
  await vi.advanceTimersByTimeAsync(1);
  expect(performed).toHaveLength(3);
  bound.enqueueAction(notice);
  await vi.advanceTimersByTimeAsync(1);
  expect(performed).toHaveLength(4);
  expect(bound.pendingActions()).toEqual([]);
});
