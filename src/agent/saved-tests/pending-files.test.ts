import { expect, test } from 'vitest';
import { fakeFolder } from '../../runtime/folder/folder.fixture.ts';
import { PendingFiles } from './pending-files.ts';

const path = 'tests/t.json';

class FakeStorage {
  readonly items = new Map<string, string>();
  isFull = false;
  getItem = (key: string): string | null => this.items.get(key) ?? null;
  removeItem = (key: string): void => void this.items.delete(key);
  setItem = (key: string, value: string): void => {
    if (this.isFull) throw new Error('full');
    this.items.set(key, value);
  };
}

test('a pending file stands in for that of the folder, also at the next visit', () => {
  const storage = new FakeStorage();
  new PendingFiles(storage, 'p:').set('id', path, '[1]', null);
  const pending = new PendingFiles(storage, 'p:');
  const folder = fakeFolder({ [path]: '[]', 'a.py': '' });
  const files = pending.filesOf('id', folder);
  expect(files.map((file) => [file.path, new TextDecoder().decode(file.bytes)])).toEqual([
    ['a.py', ''],
    [path, '[1]'],
  ]);
  expect(pending.filesOf('id', folder)).toBe(files);
  expect([pending.paths('id'), pending.paths('other')]).toEqual([[path], []]);
  pending.remove('id', path);
  expect([pending.filesOf('id', folder), storage.items.size]).toEqual([folder.files, 0]);
});

test('two tabs keep each other’s tests', () => {
  const storage = new FakeStorage();
  const one = new PendingFiles(storage, 'p:');
  const other = new PendingFiles(storage, 'p:');
  expect([one.paths('id'), other.paths('id')]).toEqual([[], []]);
  one.set('id', 'tests/a.json', '[1]', null);
  other.set('id', 'tests/b.json', '[2]', null);
  one.set('id', 'tests/b.json', `${one.get('id', 'tests/b.json') ?? ''} [3]`, null);
  expect([other.get('id', 'tests/a.json'), other.get('id', 'tests/b.json')]).toEqual([
    '[1]',
    '[2] [3]',
  ]);
});

test('a pending file replaces the one that it was made from, and no newer one', () => {
  const pending = new PendingFiles(null, 'p:');
  expect(pending.over('id', path, '[0]')).toBe('[0]');
  pending.set('id', path, '[0, 1]', '[0]');
  // The file that it was made from stays the same, also if the folder has another file by now.
  pending.set('id', path, '[0, 1, 2]', '[9]');
  for (const now of [null, '[0]', '[0, 1, 2]'])
    expect(pending.over('id', path, now)).toBe('[0, 1, 2]');
  expect(() => pending.over('id', path, '[9]')).toThrow('has changed in the folder');
});

test('where storage is full, a file is kept until the page is closed', () => {
  const storage = new FakeStorage();
  const pending = new PendingFiles(storage, 'p:');
  pending.set('id', path, '[1]', null);
  storage.isFull = true;
  expect(() => {
    pending.set('id', path, '[2]', null);
  }).toThrow('could not store the test');
  expect([pending.get('id', path), new PendingFiles(storage, 'p:').get('id', path)]).toEqual([
    '[2]',
    '[1]',
  ]);
});
