/** What a hundred extensions add to a call that none of them intercepts: nothing, counted rather than timed. */

import { expect, test } from 'vitest';
import { CallPath } from '../../runtime/call/call-path.ts';
import { noMask } from '../../runtime/call/output-mask.fixture.ts';
import { failure } from '../../runtime/call/results.ts';
import { noDispatch } from '../../runtime/registry/dispatch.fixture.ts';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { createExtensionApp, type ExtensionApp } from './app.ts';
import { mockApp } from './mock-app.fixture.ts';
import { Owner } from './owner.ts';

const extensions = 100;

function toolNamed(name: string): RegisteredTool {
  return { ...fakeTool(name), hash: 'h', loadedAt: 1, state: 'ready' };
}

/** A page with a hundred extensions, whose functions count how often they run. */
function crowded(also: (app: ExtensionApp, ran: () => void) => void = () => undefined) {
  const made = mockApp(() => undefined);
  let visited = 0;
  const ran = (): void => {
    visited += 1;
  };
  const run = (): Promise<never> => {
    ran();
    return Promise.reject(new Error('Nobody asked for it.'));
  };
  let registrations = 0;
  for (let n = 0; n < extensions; n += 1) {
    const name = `ext${n}`;
    const owner = new Owner(() => true);
    const access = {
      from: () => ({ extension: name, file: `${name}.py` }),
      signal: new AbortController().signal,
      need: run,
      perform: run,
    };
    const app = createExtensionApp(owner, { ...made, grantedHeaders: run }, access);
    app.registerTool(toolNamed(`${name}:a`), { ...noDispatch, run });
    app.registerCommand({ name, description: '', immediate: true, complete: run, run });
    app.registerShortcut({ key: 'ctrl+shift+g', description: '', run });
    app.registerPromptSection({ title: name, content: 'x', order: n, tokenHint: 1 });
    app.registerMessageHook({ name, priority: n, onMessage: run });
    app.registerStatusSection({ key: 'clock', side: 'left', order: n });
    app.registerRenderer('chart', run);
    app.registerCompactor({ name, threshold: 10, compact: run });
    app.registerStreamProvider('echo', () => {
      ran();
      throw new Error('Nobody asked for it.');
    });
    app.registerProvider({
      name: 'Lab',
      api: 'openai-chat',
      baseUrl: 'https://lab.example/v1',
      models: [],
      headers: [],
    });
    also(app, ran);
    owner.refresh();
    expect(owner.list().filter(({ active }) => !active)).toEqual([]);
    registrations += owner.list().length;
  }
  const lookups: string[] = [];
  const calls = new CallPath({
    registry: {
      lookup: (name) => {
        lookups.push(name);
        return made.registry.lookup(name);
      },
    },
    selected: () => true,
    interceptors: made.interceptors,
    isApproved: () => true,
    approve: () => Promise.resolve({ answer: null, refusal: null }),
    outputMask: noMask,
    begin: () => ({ accepted: null, end: () => undefined }),
    now: () => 0,
    limits: defaultLimits,
    report: (thrown) => {
      throw thrown;
    },
  });
  const read: ToolResult = { ...failure('', 'read'), resultType: 'success', isError: false };
  made.registry.register('extension', [toolNamed('files:read')], {
    ...noDispatch,
    run: () => Promise.resolve(read),
  });
  const call = async (): Promise<string> => {
    const { signal } = new AbortController();
    return (await calls.call(signal, toolCall('c', { tool: 'files:read' }))).textResultForLlm;
  };
  return { call, lookups, registrations, visits: () => visited };
}

test('100 extensions with 10 registrations each: a call visits none of them', async () => {
  const { call, lookups, registrations, visits } = crowded();
  expect(registrations).toBe(1_000);
  expect(await call()).toBe('read');
  expect(visits()).toBe(0);
  // The tool is found by its name, not by a search through a thousand registrations.
  expect(new Set(lookups)).toEqual(new Set(['files:read']));
});

test('each interceptor that is registered is visited once before and once after', async () => {
  const { call, visits } = crowded((app, ran) => {
    const visit = (): null => {
      ran();
      return null;
    };
    app.registerInterceptor({ name: 'count', priority: 1, before: visit, after: visit });
  });
  expect(await call()).toBe('read');
  expect(visits()).toBe(2 * extensions);
});
