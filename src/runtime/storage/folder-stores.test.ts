/** The stored workspaces of tools folders, which all pages of one browser share. */

import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import type { WorkspaceChoice } from '../workspace/choice.ts';
import { openDatabase } from './db.ts';
import { openWorkspaceStore } from './folder-stores.ts';

const base = '/docs/cloche/';
const choice = (key: string): WorkspaceChoice => ({
  id: 'folder',
  key,
  name: `space ${key}`,
  handle: null,
  writing: 'review',
  tools: 'tools',
});

test('a choice replaces only the one that its page knows, and the other pages hear of it', async () => {
  const database = openDatabase(base, () => undefined);
  const here = openWorkspaceStore(() => database, base);
  const there = openWorkspaceStore(() => database, base);
  const heard: string[] = [];
  there.observe((id) => heard.push(id));
  expect(await here.put(choice('a'), null)).toEqual(choice('a'));
  expect(await there.put(choice('b'), null)).toEqual(choice('a'));
  expect(await here.get('folder')).toEqual(choice('a'));
  expect(await here.put(choice('c'), 'a')).toEqual(choice('c'));
  expect(await there.all()).toEqual([choice('c')]);
  await here.remove('folder');
  expect(await there.get('folder')).toBe(undefined);
  await expect.poll(() => heard).toEqual(['folder', 'folder', 'folder']);
});
