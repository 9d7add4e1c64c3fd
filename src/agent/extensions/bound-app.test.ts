/** Which sessions an extension reaches, and the surface in TypeScript. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { noDispatch } from '../../runtime/registry/dispatch.fixture.ts';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { ExtensionsWorld, type FakeExtension } from './extensions.fixture.ts';
import { mockApp, type MockApp } from './mock-app.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const tool: RegisteredTool = { ...fakeTool('files:read'), hash: 'h', loadedAt: 1, state: 'ready' };

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

test('a prompt section is not added to a session of another folder', async () => {
  const section = { title: 'Rules', content: 'Be brief.', order: 1, tokenHint: 7 };
  const { hooks, host } = mockApp((app) => {
    app.registerPromptSection(section);
  });
  const titles = async (): Promise<string[]> => {
    const sections = await hooks.prompt.run([], { session: 's', kind: 'step' });
    return sections.map(({ title }) => title);
  };
  expect(await titles()).toEqual(['Rules']);
  host.state = { ...host.state, head: { ...host.state.head, folder: 'private' } };
  expect(await titles()).toEqual([]);
});

test('what an ended extension had registered is gone without a trace', async () => {
  const state = async ({ registry, interceptors, hooks, shown }: MockApp): Promise<unknown> => {
    const seen: string[] = [];
    const parts = [{ type: 'text', text: 'hi' }] as const;
    const message = { session: 's', turnId: 't', steering: false, parts, context: [] };
    await hooks.messages.run(message, ({ context }) => {
      seen.push(JSON.stringify(context));
      return Promise.resolve();
    });
    const call = toolCall('c', { tool: 'files:read', sessionId: 's' });
    const result = await interceptors.around(new AbortController().signal, call, (args) =>
      Promise.resolve(failure(args, '')),
    );
    return [
      seen,
      result.error,
      registry.list(),
      hooks.providers.list(),
      hooks.compactors.threshold < Infinity,
      await hooks.prompt.run([], { session: 's', kind: 'step' }),
      shown.commands,
      shown.shortcuts,
      shown.status,
      shown.renderers,
    ];
  };
  const before = await state(mockApp(() => undefined));
  const made = mockApp((app) => {
    const name = 'all';
    const run = (): Promise<void> => Promise.resolve();
    app.registerTool(tool, noDispatch);
    app.registerCommand({ name, description: '', immediate: true, complete: null, run });
    app.registerShortcut({ key: 'ctrl+g', description: '', run });
    app.registerPromptSection({ title: 'Rules', content: 'x', order: 1, tokenHint: null });
    app.registerInterceptor({ name, priority: 1, before: () => ({ arguments: '{"n":1}' }) });
    app.registerMessageHook({ name, priority: 1, onMessage: () => Promise.resolve('more') });
    app.registerEventHandler({ name, handle: () => made.host.done.push('event') });
    app.registerStatusSection({ key: 'clock', side: 'left', order: 1 });
    app.registerRenderer('chart', () => Promise.resolve([]));
    app.registerCompactor({
      name,
      threshold: 1,
      compact: () => Promise.reject(new Error('unused')),
    });
    app.registerStreamProvider('echo', () => () => {
      throw new Error('unused');
    });
  });
  const during = await state(made);
  const empty = JSON.parse(JSON.stringify(before)) as unknown[];
  const filled = JSON.parse(JSON.stringify(during)) as unknown[];
  // Otherwise the comparison would prove nothing.
  for (const [n, value] of filled.entries()) expect(value, `part ${n}`).not.toEqual(empty[n]);
  made.events.emit({ type: 'ping' });
  expect(made.host.done).toEqual(['event']);
  made.end();
  expect(await state(made)).toEqual(before);
  made.events.emit({ type: 'ping' });
  expect(made.host.done).toHaveLength(1);
});

test('event handlers are called by priority across extensions, and get the events of their filter', () => {
  const called: string[] = [];
  const made = mockApp((app) => {
    const handle = (name: string) => () => called.push(name);
    app.registerEventHandler({ name: 'last', priority: 5, handle: handle('last') });
    app.registerEventHandler({ name: 'default', handle: handle('default') });
    app.registerEventHandler({
      name: 'pings',
      priority: -1,
      handle: handle('pings'),
      filter: ({ type }) => type === 'ping',
    });
    app.registerEventHandler({ name: 'none', filter: () => false, handle: handle('none') });
  });
  made.events.emit({ type: 'ping' });
  expect(called.splice(0)).toEqual(['pings', 'default', 'last']);
  made.hooks.observers.emit({ type: 'opened', session: 's' });
  expect(called).toEqual(['default', 'last']);
});

test('a tool that replaces another needs the power of an interceptor', () => {
  const register: Parameters<typeof mockApp>[0] = (app) => {
    app.registerTool(tool, noDispatch, true);
    app.registerTool({ ...tool, name: 'files:other' }, noDispatch);
  };
  const names = ({ registry }: MockApp): string[] => registry.list().map(({ name }) => name);
  expect(names(mockApp(register, (power) => power !== 'intercept'))).toEqual(['files:other']);
  expect(names(mockApp(register))).toEqual(['files:read', 'files:other']);
});

test('extensions in TypeScript use the same names on an app that is bound to a session', async () => {
  const { app, host, performed, asked, shown } = mockApp(() => undefined);
  host.tool = tool;
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
    { session: 's', action: { action: 'send_message', text: 'now' } },
    { session: 's', action: { action: 'follow_up', text: 'then' } },
    { session: 's', action: { action: 'run_background', text: 'count' } },
  ]);
  await expect(app.bound('').sessionTitle()).rejects.toThrow('not bound');
  await bound.attachImage('AAE=', 'image/png', 'dot');
  await bound.detachImage();
  expect(performed.splice(3)).toEqual([
    {
      session: 's',
      action: { action: 'attach_image', data: 'AAE=', mediaType: 'image/png', name: 'dot' },
    },
    { session: 's', action: { action: 'detach_image', name: null } },
  ]);
  const chosen: string[] = [];
  const pick = (): Promise<void> =>
    bound.showPicker('Which?', [{ label: 'a', detail: '' }], ({ label }) => chosen.push(label));
  await pick();
  const { pickers } = shown;
  expect(pickers.current).toMatchObject({ extension: 'Mock', file: 'mock.py', title: 'Which?' });
  pickers.close(pickers.current?.id ?? 0, 0);
  await pick();
  pickers.close(pickers.current?.id ?? 0, null);
  expect(chosen).toEqual(['a']);

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
