import { expect, test } from 'vitest';
import { commandKey, keyCommand, type KeyPress } from './key-commands.ts';

const press = (key: string, over: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  defaultPrevented: false,
  ...over,
});

test('run, stop and search have their keys', () => {
  expect(keyCommand(press('Enter', { ctrlKey: true }), true)).toBe('run');
  expect(keyCommand(press('Enter', { metaKey: true }), false)).toBe('run');
  expect(keyCommand(press('Escape'), true)).toBe('leave');
  expect(keyCommand(press('/'), false)).toBe('search');
});

test('commands work while writing, except the keyboard map', () => {
  expect(keyCommand(press('k', { ctrlKey: true }), true)).toBe('palette');
  expect(keyCommand(press('K', { metaKey: true }), false)).toBe('palette');
  expect([keyCommand(press('?'), false), keyCommand(press('?'), true)]).toEqual(['keys', null]);
});

test('other key combinations are left alone', () => {
  const left = [
    keyCommand(press('Enter'), true),
    keyCommand(press('/'), true),
    keyCommand(press('/', { ctrlKey: true }), false),
    keyCommand(press('Escape', { isComposing: true }), true),
    keyCommand(press('Escape', { defaultPrevented: true }), false),
    keyCommand(press('Enter', { ctrlKey: true, altKey: true }), false),
  ];
  expect(left).toEqual([null, null, null, null, null, null]);
});

test("the command key has its platform's name", () => {
  expect([commandKey('MacIntel'), commandKey('Linux x86_64'), commandKey('Win32')]).toEqual([
    '⌘',
    'Ctrl',
    'Ctrl',
  ]);
});
