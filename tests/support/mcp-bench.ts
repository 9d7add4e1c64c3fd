/** Servers together with their worker's code, for tests against a real server. */

import { expect, vi } from 'vitest';
import { startMcpServer, type TestServer } from './mcp-server.ts';
import { CallPath } from '../../src/runtime/call/call-path.ts';
import { CallInterceptors } from '../../src/runtime/call/interceptors.ts';
import { Registry } from '../../src/runtime/registry/registry.ts';
import { FakeWorker } from '../../src/runtime/async/fake-worker.fixture.ts';
import { approveCall } from '../../src/runtime/grants/call-grants.ts';
import { FolderPolicy } from '../../src/runtime/grants/folder-policy.ts';
import { Questions } from '../../src/runtime/grants/questions.ts';
import { newCall } from '../../src/runtime/spec/call.ts';
import { defaultLimits, type Limits } from '../../src/runtime/spec/limits.ts';
import type { ToolResult, Update } from '../../src/runtime/spec/result.ts';
import { Servers } from '../../src/agent/mcp/servers.ts';
import { responseOf } from '../../src/agent/mcp/sign-in-page.ts';
import { parseKeys, type StoredServer } from '../../src/agent/mcp/stored-server.ts';
import { mcpWorker } from '../../src/agent/mcp/wire/mcp-worker.ts';
import { yamlHere } from '../../src/agent/runner/yaml/yaml.fixture.ts';

const report = (thrown: unknown): never => {
  throw thrown;
};

export interface Bench {
  readonly servers: Servers;
  readonly registry: Registry;
  readonly stored: Map<string, StoredServer>;
  /** Keys of servers, by the id of the server. */
  readonly keys: Map<string, unknown>;
  /** Delivers a response of an authorization server. */
  respond(data: unknown): void;
  /** The address of the document that describes Cloche; null if its site has none. */
  clientUrl: string | null;
  readonly policy: FolderPolicy;
  readonly questions: Questions;
  readonly interceptors: CallInterceptors;
  call(tool: string, args?: object | string, caller?: 'user' | 'model'): Promise<ToolResult>;
  readonly updates: Update[];
  cancel: () => void;
  end(): void;
}

export const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000 });
const ends: (() => unknown)[] = [];
/** Call it after each test. */
export async function endServers(): Promise<void> {
  for (const end of ends.splice(0)) await end();
  vi.unstubAllGlobals();
}

export async function serve(habits: Parameters<typeof startMcpServer>[0]): Promise<TestServer> {
  const server = await startMcpServer(habits);
  ends.push(() => server.close());
  return server;
}

/** The pages that share a store. */
const pages = new WeakMap<object, Set<() => void>>();

function listenersOf(store: object): Set<() => void> {
  const listeners = pages.get(store) ?? new Set();
  pages.set(store, listeners);
  return listeners;
}

export function bench(
  stored = new Map<string, StoredServer>(),
  limits: Partial<Limits> = {},
): Bench {
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {});
  const registry = new Registry({} as never, report);
  const policy = new FolderPolicy(report);
  const questions = new Questions({
    whyUnaskable: () => null,
    after: () => () => undefined,
    report,
  });
  const keys = new Map<string, unknown>();
  let own: () => void = () => undefined;
  /** Notifies the other pages that have the same store. */
  const changed = (change: () => unknown): Promise<void> => {
    change();
    for (const listener of listenersOf(stored)) if (listener !== own) listener();
    return Promise.resolve();
  };
  const servers = new Servers({
    registry,
    start: () => new FakeWorker(mcpWorker(fetch)) as unknown as Worker,
    argumentChecking: () =>
      Promise.resolve({
        dispose: () => undefined,
        check: (_, schema, args) => {
          const { required = [] } = JSON.parse(schema) as { required?: string[] };
          const given = JSON.parse(args) as object;
          const missing = required.filter((key) => !(key in given));
          return Promise.resolve(
            missing.map((key) => ({ path: '$', pointer: '', message: `${key} is missing` })),
          );
        },
      }),
    limits: { ...defaultLimits, ...limits },
    questions,
    signInPage: {
      redirectUrl: 'https://cloche.example/sign-in.html',
      clientUrl: () => Promise.resolve(made.clientUrl),
      listen: (signal, state, then) => {
        made.respond = (data) => {
          const response = responseOf(data, state);
          if (response !== null && !signal.aborted) then(response);
        };
      },
    },
    store: {
      keys: (id) => Promise.resolve(keys.get(id)),
      putKeys: (id, all, before) => {
        const isCurrent = before === null || parseKeys(keys.get(id)).signedIn?.state === before;
        if (isCurrent && all === null) keys.delete(id);
        else if (isCurrent) keys.set(id, all);
        return Promise.resolve();
      },
      list: () => Promise.resolve([...stored.values()]),
      add: (server) => changed(() => stored.set(server.id, server)),
      put: (server) => {
        if (stored.has(server.id)) stored.set(server.id, server);
        return Promise.resolve();
      },
      remove: (id) => {
        keys.delete(id);
        return changed(() => stored.delete(id));
      },
      observe: (listener) => {
        listenersOf(stored).add(listener);
        own = listener;
      },
    },
    pageOrigin: 'https://cloche.example',
    yaml: yamlHere,
    newId: () => crypto.randomUUID(),
    now: () => Date.now(),
    window: { addEventListener: () => undefined },
    onStorageFailure: report,
    report,
  });
  const interceptors = new CallInterceptors(defaultLimits);
  const calls = new CallPath({
    registry,
    selected: () => true,
    interceptors,
    isApproved: ({ caller }) => caller === 'user',
    approve: (...asked) =>
      approveCall(
        {
          policy,
          questions,
          programs: { isAllowed: () => false, ask: () => Promise.reject(new Error('no program')) },
          allowedInSession: () => false,
          taskOf: () => null,
          allowInRun: () => undefined,
        },
        ...asked,
      ),
    begin: () => ({ accepted: null, end: () => undefined }),
    outputMask: () =>
      Promise.resolve({ result: (one: ToolResult) => one, watch: (one: never) => one } as never),
    now: () => Date.now(),
    limits: defaultLimits,
    report,
  });
  const updates: Update[] = [];
  const made: Bench = {
    servers,
    registry,
    stored,
    keys,
    respond: () => undefined,
    clientUrl: null,
    policy,
    questions,
    interceptors,
    updates,
    cancel: () => undefined,
    call: (tool, args = {}, caller = 'user') => {
      const stop = new AbortController();
      made.cancel = () => stop.abort();
      const text = typeof args === 'string' ? args : JSON.stringify(args);
      return calls.call(stop.signal, newCall(caller, tool, text), {
        onStream: (stream) => updates.push(...stream.updates),
      });
    },
    end: () => {
      for (const { id } of servers.list()) servers.remove(id);
    },
  };
  ends.unshift(() => made.end());
  return made;
}

export async function added(
  url: string,
  stored?: Map<string, StoredServer>,
  limits?: Partial<Limits>,
): Promise<Bench & { key: string }> {
  const made = bench(stored, limits);
  await made.servers.add(url);
  await until(() => expect(made.servers.list()[0]?.state).not.toBe('connecting'));
  return Object.assign(made, { key: made.servers.list()[0]?.key ?? '' });
}
