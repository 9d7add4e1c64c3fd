/** The preview of specs: choosing functions, proposing again, writing and undoing. */

import { expect, test } from 'vitest';
import { fakeSource } from '../../../runtime/folder/source.fixture.ts';
import type { FolderControl } from '../../../runtime/open-folder/folder-loader.ts';
import type { EditingControl } from '../../../runtime/open-folder/folder-editing.ts';
import type { SpecProposal } from '../../../runtime/spec/tool.ts';
import { EditedFile } from './edited-file.svelte.ts';
import { SpecPreview } from './spec-preview.svelte.ts';
import { bytesOf } from './text-bytes.ts';

const before = 'def f(): ...\ndef g(): ...\n';

function opened(refuses = false) {
  const saved: string[] = [];
  const asked: (readonly string[] | null)[] = [];
  const drafts = {
    all: () => Promise.resolve([]),
    put: () => Promise.resolve(),
    remove: () => Promise.resolve(),
  };
  const control: EditingControl = {
    savesTo: 'folder',
    source: fakeSource({}),
    folderId: 'a',
    drafts,
    save: (_, bytes) => {
      if (refuses) return Promise.resolve({ at: 'refused' });
      saved.push(new TextDecoder().decode(bytes));
      return Promise.resolve({ at: 'saved' });
    },
    saveToCopy: () => Promise.resolve('b'),
    rename: () => Promise.reject(new Error('unused')),
    remove: () => Promise.reject(new Error('unused')),
    newFolder: () => Promise.reject(new Error('unused')),
  };
  const file = new EditedFile({
    path: 'a.py',
    control,
    now: () => 1,
    base: bytesOf(before),
    text: before,
    draftAt: null,
  });
  const propose: FolderControl['propose'] = (_, path, bytes, names) => {
    asked.push(names);
    const text = new TextDecoder().decode(bytes);
    const chosen = (names ?? ['a:f', 'a:g']).filter((name) => name !== 'a:bad');
    const tools = ['a:f', 'a:g', 'a:bad'].map((name) => ({
      name,
      line: 1,
      description: '',
      parameters: {},
      included: chosen.includes(name),
      notes: name === 'a:bad' && names?.includes(name) ? ['not possible'] : [],
    }));
    const whole: SpecProposal = {
      file: path,
      tools,
      text: chosen.length === 0 ? null : `${text}${chosen.join()}`,
      notes: [],
    };
    return Promise.resolve(whole);
  };
  return { preview: new SpecPreview({ propose }, file), file, saved, asked };
}

test('chosen functions are proposed again; those that cannot be written are dropped and say why', async () => {
  const { preview, asked } = opened();
  await preview.begin(null);
  expect([...preview.chosen]).toEqual(['a:f', 'a:g']);
  await preview.choose(['a:f', 'a:bad']);
  expect([...preview.chosen]).toEqual(['a:f']);
  expect(preview.after).toBe(`${before}a:f`);
  expect(preview.tools.find(({ name }) => name === 'a:bad')?.notes).toEqual(['not possible']);
  // Choices that follow each other quickly end with the last.
  const first = preview.choose(['a:g']);
  await Promise.all([first, preview.choose(['a:f', 'a:g'])]);
  expect(preview.after).toBe(`${before}a:f,a:g`);
  expect(asked.at(-1)).toEqual(['a:f', 'a:g']);
  await preview.choose([]);
  expect(preview.after).toBeNull();
});

test('one function is chosen by its name', async () => {
  const { preview } = opened();
  await preview.begin('g');
  expect(preview.after).toBe(`${before}a:g`);
});

test('the specs are saved, and undone', async () => {
  const { preview, saved } = opened();
  await preview.begin(null);
  expect(await preview.write()).toBe('saved');
  expect(await preview.undo()).toBe(true);
  expect(saved).toEqual([`${before}a:f,a:g`, before]);
});

test('a file with unsaved changes keeps them, and nothing is saved', async () => {
  const { preview, file, saved } = opened();
  file.change(`${before}# mine\n`);
  await preview.begin(null);
  expect(await preview.write()).toBe('draft');
  expect(file.text).toBe(`${before}# mine\na:f,a:g`);
  expect(saved).toEqual([]);
});

test('a text that is not the one of the preview is not overwritten', async () => {
  const { preview, file, saved } = opened();
  await preview.begin(null);
  file.change('other\n');
  expect(await preview.write()).toBe('changed');
  expect(saved).toEqual([]);
  expect(preview.before).toBe('other\n');
});

test('functions that are chosen while a changed file is read again are the ones proposed', async () => {
  const { preview, file } = opened();
  await preview.begin(null);
  file.change('other\n');
  const writing = preview.write();
  await preview.choose(['a:f']);
  expect(await writing).toBe('changed');
  expect([...preview.chosen]).toEqual(['a:f']);
  expect(preview.after).toBe('other\na:f');
});

test('a folder that may not be written keeps the text in the editor', async () => {
  const { preview, file } = opened(true);
  await preview.begin(null);
  expect(await preview.write()).toBe('draft');
  expect(file.trouble).toEqual({ at: 'refused' });
});
