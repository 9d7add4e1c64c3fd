import { beforeEach, expect, test, vi } from 'vitest';
import { ToolError } from '../../../runtime/spec/error.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import { createFile, createFolder } from './folder-actions.ts';

const awaitEditor = vi.fn();
const save = vi.fn();
const create = vi.fn();
const ui = {
  app: { status: { get: () => ({ folderKey: 'first' }) } },
  createFolder: create,
  late: {
    files: { awaitEditor, control: () => Promise.resolve({ savesTo: 'folder', save }) },
  },
  route: { go: () => undefined, toFile: () => '' },
} as unknown as Ui;

beforeEach(() => {
  save.mockResolvedValue({ at: 'saved' });
  create.mockResolvedValue(undefined);
});

test('the editor of a new file takes the focus', async () => {
  await createFile(ui, 'b.py');
  await createFolder(ui, 'my-tools');
  expect(awaitEditor.mock.calls).toEqual([['b.py'], ['my_tools.py']]);
});

test('no editor takes the focus for a file that could not be created', async () => {
  save.mockResolvedValue({ at: 'refused' });
  create.mockRejectedValue(new ToolError('storage', 'The disk is full'));
  await expect(createFile(ui, 'b.py')).rejects.toThrow('cannot write');
  await expect(createFolder(ui, 'my-tools')).rejects.toThrow('The disk is full');
  expect(awaitEditor).not.toHaveBeenCalled();
});
