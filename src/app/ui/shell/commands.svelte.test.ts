import { expect, test } from 'vitest';
import {
  commandKey,
  readSlash,
  Commands,
  shortcutLabel,
  type Command,
  type KeyPress,
  type Shortcut,
} from './commands.svelte.ts';

const press = (key: string, over: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  defaultPrevented: false,
  ...over,
});
const reading = { writing: false, inOverlay: false };
const writing = { writing: true, inOverlay: false };

function command(words: string, shortcut?: Shortcut, available = true): Command {
  const choose = (): void => undefined;
  return { words, available, choose, ...(shortcut === undefined ? {} : { shortcut }) };
}

function registered(...all: Command[]): Commands {
  const commands = new Commands();
  commands.register(() => all);
  return commands;
}

test('the commands registered last are listed first, until they are disposed of', () => {
  const commands = registered(command('Open folder'));
  const dispose = commands.register(() => [command('Stop turn'), command('Fork session')]);
  expect(commands.all.map(({ words }) => words)).toEqual([
    'Stop turn',
    'Fork session',
    'Open folder',
  ]);
  dispose();
  expect(commands.all.map(({ words }) => words)).toEqual(['Open folder']);
});

test('a key chooses the available command that was registered first', () => {
  const key: Shortcut = { key: 'Escape', whileWriting: true };
  const commands = registered(command('Stop run', key, false), command('Close drawer', key));
  commands.register(() => [command('Mine', key)]);
  expect(commands.ofPress(press('Escape'), writing)?.words).toBe('Close drawer');
});

test('a key stops something before it closes anything', () => {
  const key: Shortcut = { key: 'Escape', whileWriting: true };
  const commands = registered(command('Close drawer', key));
  commands.register(() => [command('Stop turn', { ...key, stops: true })]);
  expect(commands.ofPress(press('Escape'), writing)?.words).toBe('Stop turn');
});

test('a shortcut with a modifier takes Ctrl or ⌘, and letters in either case', () => {
  const commands = registered(command('Palette', { key: 'k', held: true, whileWriting: true }));
  const found = [
    press('k', { ctrlKey: true }),
    press('K', { metaKey: true }),
    press('k'),
    press('k', { ctrlKey: true, altKey: true }),
  ].map((one) => commands.ofPress(one, writing)?.words);
  expect(found).toEqual(['Palette', 'Palette', undefined, undefined]);
});

test('a shortcut does nothing while the user writes or an overlay is open, unless it says so', () => {
  const commands = registered(
    command('Search', { key: '/' }),
    command('Palette', { key: 'p', whileWriting: true, inOverlays: true }),
  );
  const inOverlay = { writing: true, inOverlay: true };
  const chosen = (key: string, focus: typeof reading): string | undefined =>
    commands.ofPress(press(key), focus)?.words;
  expect([chosen('/', reading), chosen('/', writing), chosen('/', inOverlay)]).toEqual([
    'Search',
    undefined,
    undefined,
  ]);
  expect(chosen('p', inOverlay)).toBe('Palette');
});

test('whether an overlay is open is looked up only for the key of a command', () => {
  const commands = registered(command('Search', { key: '/' }), command('Off', { key: 'x' }, false));
  let lookups = 0;
  const focus = {
    writing: false,
    get inOverlay() {
      lookups += 1;
      return false;
    },
  };
  for (const key of ['a', 'x', 'Shift']) commands.ofPress(press(key), focus);
  expect(lookups).toBe(0);
  expect([commands.ofPress(press('/'), focus)?.words, lookups]).toEqual(['Search', 1]);
});

test('key presses that belong to an input method or to somebody else are left alone', () => {
  const commands = registered(command('Search', { key: '/' }));
  const left = [press('/', { isComposing: true }), press('/', { defaultPrevented: true })];
  expect(left.map((one) => commands.ofPress(one, reading))).toEqual([undefined, undefined]);
});

test("shortcuts are shown with the platform's modifier key", () => {
  expect(['MacIntel', 'Linux x86_64', 'Win32'].map(commandKey)).toEqual(['⌘', 'Ctrl', 'Ctrl']);
  const shown = [{ key: 'Enter', held: true } as const, { key: 'Escape' }, { key: '?' }];
  expect(shown.map((one) => shortcutLabel(one, 'Win32'))).toEqual(['Ctrl ↵', 'Esc', '?']);
});

test('Shift tells two shortcuts apart only if Ctrl is held', () => {
  const commands = registered(
    command('plain', { key: 'g', held: true }),
    command('shifted', { key: 'g', held: true, shift: true }),
    command('help', { key: '?' }),
  );
  expect(commands.ofPress(press('G', { ctrlKey: true, shiftKey: true }), reading)?.words).toBe(
    'shifted',
  );
  expect(commands.ofPress(press('g', { ctrlKey: true }), reading)?.words).toBe('plain');
  expect(commands.ofPress(press('?', { shiftKey: true }), reading)?.words).toBe('help');
  expect(shortcutLabel({ key: 'g', held: true, shift: true }, 'Linux')).toBe('Ctrl Shift G');
});

test.each([
  ['/hello', { name: 'hello', args: '' }],
  [' /hello  a\nb ', { name: 'hello', args: 'a\nb' }],
  ['/', null],
  ['hello /x', null],
  ['/a/b', null],
])('reads a command in a message: %s', (text, expected) => {
  expect(readSlash(text)).toEqual(expected);
});

test('a command of an extension takes neither the key nor the name of one of Cloche that is registered later', () => {
  const key: Shortcut = { key: 's', held: true, whileWriting: true };
  const slash = { name: 'title', immediate: true, complete: null, run: () => Promise.resolve() };
  const commands = registered({ ...command('Theirs', key), slash, foreign: true });
  const saving = press('s', { ctrlKey: true });
  expect(commands.ofPress(saving, writing)?.words).toBe('Theirs');
  expect(commands.slash.map(({ words }) => words)).toEqual(['Theirs']);
  commands.register(() => [{ ...command('Save', key), slash }]);
  expect(commands.ofPress(saving, writing)?.words).toBe('Save');
  expect(commands.slash.map(({ words }) => words)).toEqual(['Save']);
});

test('of two slash commands with one name, the one registered first counts', () => {
  const slash = (words: string): Command => ({
    ...command(words),
    slash: { name: 'x', immediate: false, complete: null, run: () => Promise.resolve() },
  });
  const commands = registered(slash('first'));
  commands.register(() => [slash('second')]);
  expect(commands.slash.map(({ words }) => words)).toEqual(['first']);
});
