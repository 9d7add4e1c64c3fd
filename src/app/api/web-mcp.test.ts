import { beforeEach, expect, test } from 'vitest';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { modelContextOf, WebMcp, type ModelContext, type OfferedTools } from './web-mcp.ts';

type Definition = Parameters<ModelContext['registerTool']>[0];

/** The page and its browser. Each test has its own, since updates of an earlier test may still run. */
interface World {
  /** The tools that are registered in the browser, by name. */
  readonly browser: Map<string, Definition>;
  readonly calls: { readonly call: ToolCall; readonly signal: AbortSignal }[];
  readonly stored: Map<string, string>;
  readonly listeners: (() => void)[];
  tools: readonly RegisteredTool[];
  folder: { readonly key: string; readonly id: string | undefined };
}

let world: World;

beforeEach(() => {
  const ofServer = { ...registered('server:far'), server: { id: 's', url: 'https://far.example' } };
  world = {
    browser: new Map(),
    calls: [],
    stored: new Map(),
    listeners: [],
    tools: [...['a:add', 'b:no_words', 'b:größe'].map((name) => registered(name)), ofServer],
    folder: { key: 'known 1', id: '1' },
  };
});

function registered(name: string, hash = 'h'): RegisteredTool {
  const description = name === 'b:no_words' ? ' ' : 'What it does';
  return {
    ...fakeTool(name, { description }),
    origin: 'python',
    framework: undefined,
    hash,
  } as unknown as RegisteredTool;
}

function contextOf({ browser }: World): ModelContext {
  return {
    registerTool(tool, { signal }) {
      if (!/^[\w.-]+$/.test(tool.name)) throw new TypeError('bad name');
      if (browser.has(tool.name)) return Promise.reject(new Error('duplicate'));
      browser.set(tool.name, tool);
      signal.addEventListener('abort', () => browser.delete(tool.name));
      return Promise.resolve();
    },
  };
}

function open(isSupported = true): WebMcp {
  const own = world;
  const observe = (listener: (event: undefined) => void) => {
    own.listeners.push(() => listener(undefined));
    return () => undefined;
  };
  return new WebMcp({
    context: isSupported ? contextOf(own) : null,
    registry: { list: () => own.tools, observe, folder: 'tools' },
    status: { get: () => ({ folderKey: own.folder.key }), observe },
    calls: {
      call: (signal, call) => {
        own.calls.push({ call, signal });
        const text = call.arguments;
        return Promise.resolve({
          resultType: 'success',
          isError: false,
          textResultForLlm: text,
        } as ToolResult);
      },
    },
    memory: {
      getItem: (key) => own.stored.get(key) ?? null,
      setItem: (key, value) => void own.stored.set(key, value),
    },
    base: '/',
    folderId: () => own.folder.id,
    remembered: () => Promise.resolve(),
    report: (thrown) => {
      throw thrown;
    },
  });
}

function changed(): void {
  for (const listener of world.listeners) listener();
}

async function offered(webMcp: WebMcp, choice: OfferedTools, count: number): Promise<void> {
  await webMcp.offer(choice);
  await expect.poll(() => world.browser.size).toBe(count);
}

test('nothing is offered until the user chooses it for the folder, then what the browser accepts', async () => {
  const webMcp = open();
  changed();
  expect(webMcp.offered).toBe('none');
  await offered(webMcp, ['b:größe'], 1);
  await offered(webMcp, 'all', 2);
  expect([...world.browser.keys()].sort()).toEqual(['add', expect.stringMatching(/^b_gr_e_h\w+$/)]);
  await expect.poll(() => webMcp.count).toBe(2);
  expect(webMcp.refused).toEqual([{ tool: 'b:no_words', why: 'It has no description.' }]);
  expect([...world.browser.values()].map(({ annotations }) => annotations)).toEqual(
    Array(2).fill({ readOnlyHint: false, untrustedContentHint: true }),
  );
  // The choice is that of the folder, and stays.
  expect(open().offered).toBe('all');
  world.folder = { key: 'known 2', id: '2' };
  expect(open().offered).toBe('none');
});

test('a call takes the call path with its own caller, and stops when the tool is withdrawn', async () => {
  const webMcp = open();
  await offered(webMcp, ['a:add'], 1);
  const definition = world.browser.get('add');
  expect(await definition?.execute({ a: 1 })).toEqual({
    content: [{ type: 'text', text: '{"a":1}' }],
  });
  const agent = new AbortController();
  await definition?.execute({}, { signal: agent.signal });
  agent.abort();
  expect(world.calls.splice(1).map(({ signal }) => signal.aborted)).toEqual([true]);
  expect(world.calls[0]?.signal.aborted).toBe(false);
  expect(world.calls[0]?.call).toMatchObject({ caller: 'webmcp', tool: 'a:add', sessionId: '' });
  const withdrawn = webMcp.offer('none');
  expect(world.browser.size).toBe(0);
  expect(world.calls[0]?.signal.aborted).toBe(true);
  await expect(definition?.execute({})).rejects.toThrow();
  await withdrawn;
  expect(webMcp.offered).toBe('none');
  expect(world.calls).toHaveLength(1);
});

test('tools follow the folder: changed ones are registered again, and another folder’s are withdrawn at once', async () => {
  const webMcp = open();
  await offered(webMcp, 'all', 2);
  const before = world.browser.get('add');
  world.tools = [registered('a:add', 'other')];
  changed();
  await expect.poll(() => world.browser.size).toBe(1);
  expect(world.browser.get('add')).not.toBe(before);
  world.folder = { key: 'known 2', id: '2' };
  changed();
  expect(world.browser.size).toBe(0);
  // In a folder that is not stored, the choice lasts for the visit.
  world.folder = { key: 'unknown 3', id: undefined };
  changed();
  await offered(webMcp, 'all', 1);
  world.folder = { key: 'known 1', id: '1' };
  changed();
  expect(webMcp.offered).toBe('all');
  await expect.poll(() => world.browser.size).toBe(1);
});

test('a browser without the API offers nothing', async () => {
  expect(modelContextOf({} as Document)).toBe(null);
  expect(
    modelContextOf({ modelContext: { registerTool: () => undefined } } as unknown as Document),
  ).not.toBe(null);
  const webMcp = open(false);
  await webMcp.offer('all');
  expect([webMcp.isSupported, world.listeners.length, world.browser.size]).toEqual([false, 0, 0]);
});
