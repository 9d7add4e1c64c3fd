import { expect, test } from 'vitest';
import { openLastFolder } from './last-folder.ts';

function memory(): {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
} {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

test('a tab reloads into its own folder, and a new tab opens the last one of any tab', () => {
  const all = memory();
  const tab = memory();
  openLastFolder(tab, all, '/').set('a');
  openLastFolder(memory(), all, '/').set('b');
  expect(openLastFolder(tab, all, '/').get()).toBe('a');
  expect(openLastFolder(memory(), all, '/').get()).toBe('b');
});

test('closing forgets the folder for this tab and for new ones, but not for other base paths', () => {
  const all = memory();
  const tab = memory();
  openLastFolder(tab, all, '/other/').set('c');
  const last = openLastFolder(tab, all, '/');
  last.set('a');
  last.set(null);
  expect([last.get(), openLastFolder(memory(), all, '/').get()]).toEqual([null, null]);
  expect(openLastFolder(tab, all, '/other/').get()).toBe('c');
});

test('after two attempts that did not finish, the folder is not reopened automatically', () => {
  const last = openLastFolder(memory(), memory(), '/');
  expect([last.attempt(), last.attempt(), last.attempt()]).toEqual([true, true, false]);
  last.settled();
  expect(last.attempt()).toBe(true);
});

test('without storage, only the memory of the folder is lost', () => {
  const refuse = (): never => {
    throw new DOMException('no', 'SecurityError');
  };
  for (const refused of [null, { getItem: refuse, setItem: refuse }]) {
    const last = openLastFolder(refused, refused, '/');
    last.set('a');
    last.settled();
    expect([last.get(), last.attempt()]).toEqual([null, true]);
  }
});
