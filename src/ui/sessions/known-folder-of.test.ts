import { expect, test } from 'vitest';
import { knownFolderOf } from './known-folder-of.ts';

const known = [
  { id: 'f1', name: 'tools' },
  { id: 'f2', name: 'tools' },
];

test('a session’s folder is found by its id, or by its name where it has none', () => {
  const found = (folder: string, folderId: string) =>
    knownFolderOf({ folder, folderId }, known)?.id;
  expect(found('tools', 'f2')).toBe('f2');
  expect(found('tools', '')).toBe('f1');
  expect(found('tools', 'f3')).toBe(undefined);
  expect(found('other', '')).toBe(undefined);
});
