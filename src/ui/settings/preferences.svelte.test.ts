import { expect, test } from 'vitest';
import { Preferences } from './preferences.svelte.ts';

const memory = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
});

test('preferences are remembered', () => {
  const kept = new Map<string, string>();
  const before = new Preferences(memory(kept));
  before.theme = 'dark';
  before.jsonView = 'tree';
  const { theme, jsonView } = new Preferences(memory(kept));
  expect({ theme, jsonView }).toEqual({ theme: 'dark', jsonView: 'tree' });
});

test('what was kept and is no choice counts for nothing', () => {
  expect(new Preferences(memory(new Map([['cloche:theme', 'plaid']]))).theme).toBe('system');
});

test('refused storage changes nothing but the memory', () => {
  const refuse = (): never => {
    throw new DOMException('no', 'SecurityError');
  };
  const preferences = new Preferences({ getItem: refuse, setItem: refuse });
  preferences.theme = 'light';
  expect([preferences.theme, new Preferences(null).theme]).toEqual(['light', 'system']);
});
