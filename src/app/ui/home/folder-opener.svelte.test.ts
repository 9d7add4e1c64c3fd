import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { App, AppStatus, FolderChoices } from '../../app.ts';
import type { FolderSource } from '../../../runtime/folder/source.ts';
import { noPackages } from '../../../runtime/open-folder/current-folder.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import { FolderOpener } from './folder-opener.svelte.ts';

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

function source(name: string, kind: FolderSource['kind'] = 'upload'): FolderSource {
  return { name, kind, rereadable: false, entries: () => [] as never };
}

/** @param picked result of the fake picker */
function setUp({
  canRefresh = false,
  kind = 'upload',
  picked = () => Promise.resolve(source('picked')),
}: {
  canRefresh?: boolean;
  kind?: FolderSource['kind'];
  picked?: () => Promise<FolderSource | null>;
} = {}) {
  /** Calls that were made, in order. */
  const done: string[] = [];
  let notify: (status: AppStatus) => void = () => undefined;
  const app = {
    folder: {
      canRefresh,
      current: { source: source('open', kind) },
      open: ({ name }: FolderSource) => Promise.resolve(void done.push(`open ${name}`)),
      refresh: () => Promise.resolve(void done.push('refresh')),
      close: () => undefined,
    },
    status: {
      get: () => idle,
      observe(listener: (status: AppStatus) => void) {
        notify = listener;
        return () => undefined;
      },
    },
  };
  const folders = {
    canPick: true,
    pick: picked,
    dropped: () => Promise.resolve(source('dropped')),
    uploaded: () => source('uploaded'),
    zipped: () => Promise.resolve(source('zipped')),
    samples: () => Promise.resolve(source('samples')),
    subfolder: ({ name }: FolderSource, path: string) => Promise.resolve(source(`${name}/${path}`)),
  };
  const opener = new FolderOpener(app as unknown as App, folders as unknown as FolderChoices, {
    open: (id: string) => Promise.resolve(source(`recent ${id}`)),
    permit: () => Promise.resolve(void done.push('permit')),
    replacesOpen: ({ name }: FolderSource) => void done.push(`replaced by ${name}`),
  });
  opener.useInputs({
    folder: { click: () => void done.push('folder input') },
    zip: { click: () => void done.push('zip input') },
  });
  return {
    app,
    opener,
    done,
    notify: (status: AppStatus) => {
      notify(status);
    },
  };
}

test('each method opens the chosen folder', async () => {
  const { opener, done } = setUp();
  await opener.openPicked();
  await opener.openSamples();
  await opener.openRecent('7');
  await opener.openDropped({} as DataTransfer);
  opener.chooseUpload();
  await opener.openUploaded([]);
  expect(done).toEqual([
    'open picked',
    'open samples',
    'open recent 7',
    'open dropped',
    'folder input',
    'open uploaded',
  ]);
});

test('the samples of other frameworks are a subfolder of the samples', async () => {
  const { opener, done } = setUp();
  await opener.openFrameworkSamples();
  expect(done).toEqual(['open samples/foreign']);
});

test('a picker without a choice opens nothing', async () => {
  const { opener, done } = setUp({ picked: () => Promise.resolve(null) });
  await opener.openPicked();
  expect([done, opener.failure]).toEqual([[], null]);
});

test('a cancelled picker is not a failure', async () => {
  for (const thrown of [new DOMException('no', 'AbortError'), new ToolError('aborted', 'no')]) {
    const { opener } = setUp({ picked: () => Promise.reject(thrown) });
    await opener.openPicked();
    expect(opener.failure).toBe(null);
  }
});

test('a failure is shown with a hint until the next attempt', async () => {
  const failure = new ToolError('bad-input', 'notes.txt is not a folder', 'Drop a folder.');
  const { opener } = setUp({ picked: () => Promise.reject(failure) });
  await opener.openPicked();
  expect(opener.failure).toEqual({ message: 'notes.txt is not a folder', hint: 'Drop a folder.' });
  await opener.openSamples();
  expect(opener.failure).toBe(null);
});

test('frequent progress is shown in few updates, and always the last one', () => {
  const { app, opener, notify } = setUp();
  for (let done = 1; done <= 200; done += 1)
    notify({ ...idle, phase: 'scanning', done, total: 200 });
  expect([opener.isOpening, opener.status.done]).toEqual([true, 2]);
  app.folder.canRefresh = true;
  notify({ ...idle, phase: 'ready' });
  expect([opener.isOpening, opener.status.phase, opener.canRefresh]).toEqual([
    false,
    'ready',
    true,
  ]);
});

test('a folder on disk is read again after its permission prompt', async () => {
  const { opener, done } = setUp({ canRefresh: true });
  await opener.refresh();
  expect(done).toEqual(['permit', 'refresh']);
});

test('a copy is chosen again, and replaces the open folder', async () => {
  const { opener, done } = setUp({ kind: 'zip' });
  await opener.refresh();
  await opener.openZipped(new File([], 'again.zip'));
  expect(done).toEqual(['zip input', 'replaced by zipped', 'open zipped']);
});

test('a file input shown for another purpose replaces nothing', async () => {
  const { opener, done } = setUp();
  await opener.refresh();
  opener.chooseUpload();
  await opener.openUploaded([]);
  expect(done).toEqual(['folder input', 'folder input', 'open uploaded']);
});
