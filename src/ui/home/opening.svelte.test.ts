import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppStatus } from '../../app-types.ts';
import type { FolderSource } from '../../folder/source.ts';
import { noPackages } from '../../packages/folder-packages.ts';
import { ToolError } from '../../spec/error.ts';
import { Opening } from './opening.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const idle: AppStatus = {
  phase: 'none',
  folder: null,
  folderKey: '',
  done: 0,
  total: 0,
  message: '',
  python: 'off',
  pythonStep: '',
  api: 'off',
  packages: noPackages,
  watch: { at: 'off' },
  storage: 'ok',
  offline: { at: 'unknown' },
  update: null,
};
const source: FolderSource = {
  name: 'weather-tools',
  kind: 'upload',
  rereadable: false,
  async *entries() {
    // No file is read here.
  },
};

function fakeApp() {
  let tell: (status: AppStatus) => void = () => undefined;
  const app = {
    opened: [] as FolderSource[],
    canRefresh: false,
    status: {
      get: () => idle,
      observe(listener: (status: AppStatus) => void) {
        tell = listener;
        return () => undefined;
      },
    },
    open(chosen: FolderSource) {
      app.opened.push(chosen);
      return Promise.resolve();
    },
    refresh: () => Promise.resolve(),
    close: () => undefined,
    tell: (status: AppStatus) => {
      tell(status);
    },
  };
  return app;
}

test('what a person chose is opened', async () => {
  const app = fakeApp();
  const opening = new Opening(app);
  await opening.open(() => Promise.resolve(source));
  await opening.open(() => Promise.resolve(null));
  expect([app.opened, opening.failure]).toEqual([[source], null]);
});

test('a choice that was called off says nothing', async () => {
  const opening = new Opening(fakeApp());
  await opening.open(() => Promise.reject(new DOMException('no', 'AbortError')));
  await opening.open(() => Promise.reject(new ToolError('aborted', 'no')));
  expect(opening.failure).toBe(null);
});

test('what cannot be opened is told with what to do, until the next attempt', async () => {
  const opening = new Opening(fakeApp());
  await opening.open(() =>
    Promise.reject(new ToolError('bad-input', 'notes.txt is not a folder', 'Drop a folder.')),
  );
  expect(opening.failure).toEqual({ message: 'notes.txt is not a folder', hint: 'Drop a folder.' });
  await opening.open(() => Promise.resolve(source));
  expect(opening.failure).toBe(null);
});

test('a flood of progress is shown in few steps, its end always', () => {
  const app = fakeApp();
  const opening = new Opening(app);
  for (let done = 1; done <= 200; done += 1)
    app.tell({ ...idle, phase: 'scanning', done, total: 200 });
  expect([opening.underWay, opening.status.done]).toEqual([true, 2]);
  app.canRefresh = true;
  app.tell({ ...idle, phase: 'ready' });
  expect([opening.underWay, opening.status.phase, opening.canRefresh]).toEqual([
    false,
    'ready',
    true,
  ]);
});
