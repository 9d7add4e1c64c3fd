import { expect, test } from 'vitest';
import type { App } from '../../app-types.ts';
import type { FolderSource } from '../../folder/source.ts';
import type { FolderChoices } from './folder-choices.ts';
import { Ways } from './ways.svelte.ts';

function source(name: string): FolderSource {
  return { name, kind: 'upload', rereadable: false, entries: () => [] as never };
}

/** What was done, in order. */
function ways(app: { canRefresh: boolean; kind?: FolderSource['kind'] }) {
  const done: string[] = [];
  const folders = {
    canPick: true,
    pick: () => Promise.resolve(source('picked')),
    uploaded: () => source('uploaded'),
    zipped: () => Promise.resolve(source('zipped')),
    samples: () => Promise.resolve(source('samples')),
  };
  const opening = {
    open: async (choice: () => Promise<FolderSource | null>) => {
      done.push(`open ${(await choice())?.name ?? 'nothing'}`);
    },
    refresh: () => Promise.resolve(void done.push('refresh')),
  };
  const known = {
    open: (id: string) => Promise.resolve(source(`known ${id}`)),
    permit: () => Promise.resolve(void done.push('permit')),
    replacesOpen: ({ name }: FolderSource) => void done.push(`replaced by ${name}`),
  };
  const folder = { source: { ...source('open'), kind: app.kind ?? 'upload' } };
  const made = new Ways(
    { canRefresh: app.canRefresh, folder } as unknown as App,
    folders as unknown as FolderChoices,
    opening,
    known,
  );
  made.use({
    folder: { click: () => void done.push('folder chooser') },
    zip: { click: () => void done.push('zip chooser') },
  });
  return { made, done };
}

test('each way opens what was chosen', async () => {
  const { made, done } = ways({ canRefresh: true });
  await made.pick();
  await made.samples();
  await made.known('7');
  made.upload();
  await made.uploaded([]);
  expect(done).toEqual([
    'open picked',
    'open samples',
    'open known 7',
    'folder chooser',
    'open uploaded',
  ]);
});

test('a folder on disk is read again, after its permission', async () => {
  const { made, done } = ways({ canRefresh: true });
  await made.refresh();
  expect(done).toEqual(['permit', 'refresh']);
});

test('a copy is asked for anew, and what is chosen takes its place', async () => {
  const { made, done } = ways({ canRefresh: false, kind: 'zip' });
  await made.refresh();
  await made.zipped(new File([], 'again.zip'));
  expect(done).toEqual(['zip chooser', 'replaced by zipped', 'open zipped']);
});

test('a chooser opened for something else replaces nothing', async () => {
  const { made, done } = ways({ canRefresh: false });
  await made.refresh();
  made.upload();
  await made.uploaded([]);
  expect(done).toEqual(['folder chooser', 'folder chooser', 'open uploaded']);
});
