/** Every method of the surface in TypeScript, on an app that is bound to a session. */

import { expect, test } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { noDispatch } from '../../runtime/registry/dispatch.fixture.ts';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { FakeDisk, fakeWorkspace } from '../../runtime/workspace/workspace.fixture.ts';
import { head } from './host-types.fixture.ts';
import { mockApp } from './mock-app.fixture.ts';

const tool: RegisteredTool = {
  ...fakeTool('files:read'),
  prompt_hint: 'Read before you write.',
  prompt_guides: ['Never twice.'],
  background_safe: true,
  concurrency_safe: true,
  interrupt: 'block',
  deferred: true,
  hash: 'h',
  loadedAt: 1,
  state: 'ready',
};

function bound() {
  const made = mockApp((app) => {
    app.registerTool(tool, noDispatch);
    app.registerStatusSection({ key: 'clock', side: 'left', order: 1 });
  });
  made.host.tool = tool;
  made.host.heads.push(head('copy', { forkOf: 's', createdAt: 2_000 }));
  return { ...made, app: made.app.bound('s'), register: made.app };
}

test('what is read', async () => {
  const { app, host, registry } = bound();
  expect(registry.get('files:read')).toMatchObject({ interrupt: 'block', deferred: true });
  host.listed.push({
    name: 'Mock',
    version: '1',
    kind: 'external',
    runtime: 'typescript',
    file: 'mock.py',
    state: 'running',
    registered: [
      { kind: 'stream provider', name: 'echo', active: true },
      { kind: 'renderer', name: 'chart', active: false },
    ],
  });
  expect({
    conversationMessages: await app.conversationMessages(),
    systemPrompt: await app.systemPrompt(),
    promptSections: (await app.promptSections()).map(({ title }) => title),
    sessionTitle: await app.sessionTitle(),
    provider: (await app.provider())?.name,
    providers: (await app.providers()).map(({ name }) => name),
    availableModels: (await app.availableModels()).map(({ name }) => name),
    resolveModel: (await app.resolveModel('Cloud/other')).id,
    sessions: (await app.sessions()).map(({ id, parentId }) => [id, parentId]),
    stepMode: await app.stepMode(),
    isBackgroundRunning: await app.isBackgroundRunning(),
    tools: (await app.tools()).map(({ name }) => name),
    backgroundSafeTools: (await app.backgroundSafeTools()).length,
    findTool: (await app.findTool('files:read'))?.deferred,
    toolDefs: (await app.toolDefs()).map(({ name }) => name),
    commands: await app.commands(),
    shortcuts: await app.shortcuts(),
    statusSections: (await app.statusSections()).map(({ key, file }) => [key, file]),
    renderers: await app.renderers(),
    streamProviders: await app.streamProviders(),
    compactor: await app.compactor(),
    extInfos: (await app.extInfos()).map(({ name }) => name),
    cwd: await app.cwd(),
  }).toEqual({
    conversationMessages: [],
    systemPrompt: 'Be brief.',
    promptSections: ['Base text'],
    sessionTitle: 'Title of s',
    provider: 'Local',
    providers: ['Local', 'Cloud'],
    availableModels: ['Local/small', 'Local/vendor/large', 'Cloud/small', 'Cloud/other'],
    resolveModel: 'other',
    sessions: [
      ['copy', 's'],
      ['s', null],
    ],
    stepMode: false,
    isBackgroundRunning: false,
    tools: ['files:read'],
    backgroundSafeTools: 1,
    findTool: true,
    toolDefs: ['files:read'],
    commands: [],
    shortcuts: [],
    statusSections: [['clock', 'mock.py']],
    renderers: [],
    streamProviders: ['echo'],
    compactor: null,
    extInfos: ['Mock'],
    cwd: 'tools',
  });
});

test('what is done', async () => {
  const { app, register, host, performed, shown, events } = bound();
  const heard: unknown[] = [];
  events.observe((event) => heard.push(event));
  register.setStatus('clock', '12:00');
  expect(shown.status[0]?.text).toBe('12:00');
  await app.notify('a');
  await app.showMessage('b');
  await app.sendMessage('c');
  await app.steer('d');
  await app.followUp('e');
  await app.setSessionTitle('f');
  await app.openFile('a.py', 3);
  await app.swapSession(null);
  await app.loadSession('copy');
  await app.requestQuit();
  await app.runBackground('g');
  expect(performed.map(({ action: { action, ...values } }) => [action, values])).toEqual([
    ['notify', { text: 'a' }],
    ['show_message', { text: 'b' }],
    ['send_message', { text: 'c' }],
    ['send_message', { text: 'd' }],
    ['follow_up', { text: 'e' }],
    ['set_title', { text: 'f' }],
    ['open_file', { path: 'a.py', line: 3 }],
    ['swap_session', { session: null }],
    ['swap_session', { session: 'copy' }],
    ['quit', {}],
    ['run_background', { text: 'g' }],
  ]);
  await app.cancelBackground();
  expect(await app.toggleStepMode()).toBe(true);
  expect(await app.switchModel('Local/vendor/large')).toMatchObject({ id: 'vendor/large' });
  expect(await app.setModel('Cloud/other')).toMatchObject({ id: 'other' });
  expect(await app.setProvider('Cloud')).toMatchObject({ id: 'small' });
  expect(await app.syncModels('Local')).toHaveLength(2);
  expect(await app.forkSession()).toBe('copy');
  await app.setConversationMessages([]);
  host.added = 'It is Monday.';
  expect(await app.runMessageHooks('When?')).toBe('It is Monday.');
  await app.dispatchEvent({ type: 'built' });
  expect(heard).toEqual([{ type: 'built', from: 'mock.py', session_id: 's' }]);
  host.result = failure('', 'read');
  expect(await app.callTool('files:read', '{}')).toMatchObject({ textResultForLlm: 'read' });
  expect(await app.runPlan({ goal: 'Add' })).toBe('run-1');
  expect(await app.planRun('run-1')).toMatchObject({ state: 'done' });
  expect(host.done).toEqual([
    'use p1 vendor/large',
    'use p2 other',
    'use p2 small',
    'sync p1',
    'fork s 8',
    'show copy',
    'replace []  mock.py',
    'hooks s When?',
    'call files:read {} s',
    'plan {"goal":"Add"} s Mock mock.py',
  ]);
});

test('checkpoints of the workspace', async () => {
  const { app, host, asked } = bound();
  const disk = new FakeDisk({ a: 'one' });
  host.workspace = fakeWorkspace(disk);
  expect(await app.checkpointWorkspace('start')).toMatchObject({ files: 1 });
  disk.put('a', 'two');
  expect(await app.workspaceCheckpoints()).toMatchObject([{ name: 'start', changed: 1 }]);
  expect(await app.restoreWorkspace('start')).toEqual({ waiting: 1, refused: 0 });
  expect(asked).toEqual(['workspace', 'workspace', 'workspace']);
});
