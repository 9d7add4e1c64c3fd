import { expect, test, vi } from 'vitest';
import { CallInterceptors } from '../../runtime/call/interceptors.ts';
import { failure } from '../../runtime/call/results.ts';
import { FolderPolicy } from '../../runtime/grants/folder-policy.ts';
import { createObservers } from '../../runtime/hooks/observe.ts';
import type { ExtensionFile, RegistryState } from '../../runtime/registry/registry.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import { loadExtensions } from './load-extensions.ts';

const raise = (thrown: unknown): void => {
  throw thrown;
};

/** A folder that is opened step by step, and a call that is made at once. */
function opening({ granted = true, framed = false }) {
  const changed = createObservers<undefined>(raise);
  const phases = createObservers<never>(raise);
  const state = { registry: 'none' as RegistryState, extensions: [] as ExtensionFile[] };
  const interceptors = new CallInterceptors(defaultLimits);
  const policy = new FolderPolicy(raise);
  const file = { file: 'gate.py', hash: 'h' };
  if (granted) policy.decidePowers(file, ['intercept'], 'always');
  let loads = 0;
  let read = false;
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  let register = (): void => undefined;
  const registered = new Promise<void>((resolve) => {
    register = resolve;
  });
  loadExtensions({
    registry: {
      get state() {
        return state.registry;
      },
      get extensions() {
        return state.extensions;
      },
      observe: (listener) => changed.observe(listener),
    },
    folder: {
      get current() {
        return read ? ({ snapshot: { files: [{ path: 'gate.py' }] } } as never) : null;
      },
      settled: () => settled,
    },
    status: {
      get: () => ({ phase: 'reading' }) as never,
      observe: (listener) => phases.observe(listener),
    },
    interceptors,
    policies: { current: policy },
    policyLoaded: () => Promise.resolve(),
    extensions: () => {
      loads += 1;
      return Promise.resolve({ settled: () => registered });
    },
    framed,
    report: raise,
  });
  const result = { text: '' };
  return {
    interceptors,
    result,
    begin: () => {
      state.registry = 'scanning';
      changed.emit(undefined);
      void interceptors
        .around(new AbortController().signal, toolCall('c'), () =>
          Promise.resolve(failure('', 'ran')),
        )
        .then(({ textResultForLlm }) => {
          result.text = textResultForLlm;
        });
    },
    read: () => {
      read = true;
      phases.emit({} as never);
    },
    find: () => {
      state.extensions = [file];
      changed.emit(undefined);
    },
    settle,
    register,
    close: () => {
      state.registry = 'none';
      changed.emit(undefined);
    },
    loads: () => loads,
  };
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('calls wait until the extensions that may refuse them have registered', async () => {
  const folder = opening({});
  folder.begin();
  folder.read();
  await soon();
  expect(folder.result.text).toBe('');
  folder.find();
  folder.settle();
  await soon();
  expect(folder.result.text).toBe('');
  folder.register();
  await vi.waitFor(() => {
    expect(folder.result.text).toBe('ran');
  });
});

test('without such an extension, calls wait for nothing but the policy', async () => {
  const folder = opening({ granted: false });
  folder.begin();
  folder.read();
  await vi.waitFor(() => {
    expect(folder.result.text).toBe('ran');
  });
  expect(folder.loads()).toBe(0);
});

test('if one of them cannot be loaded, calls are refused until the folder is closed', async () => {
  const folder = opening({});
  folder.begin();
  folder.read();
  folder.settle();
  await vi.waitFor(() => {
    expect(folder.result.text).toContain('gate.py, which may refuse calls, could not be loaded');
  });
  folder.close();
  folder.result.text = '';
  folder.begin();
  expect(folder.result.text).toBe('');
});

test('in a frame of another site, no extension is loaded', async () => {
  const folder = opening({ framed: true });
  folder.begin();
  folder.find();
  await soon();
  expect(folder.loads()).toBe(0);
});
