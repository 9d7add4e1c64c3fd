import { expect, test } from 'vitest';
import { Layout, Preferences } from './preferences.svelte.ts';

const memory = (kept: Map<string, string>) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
});

test('preferences are stored', () => {
  const kept = new Map<string, string>();
  const before = new Preferences(memory(kept));
  before.theme = 'dark';
  before.jsonView = 'tree';
  const { theme, jsonView } = new Preferences(memory(kept));
  expect({ theme, jsonView }).toEqual({ theme: 'dark', jsonView: 'tree' });
});

test('an unknown stored value is ignored', () => {
  expect(new Preferences(memory(new Map([['cloche:theme', 'plaid']]))).theme).toBe('system');
});

test('preferences work without storage, until the page is closed', () => {
  const refuse = (): never => {
    throw new DOMException('no', 'SecurityError');
  };
  const preferences = new Preferences({ getItem: refuse, setItem: refuse });
  preferences.theme = 'light';
  expect([preferences.theme, new Preferences(null).theme]).toEqual(['light', 'system']);
});

test('sizes are stored', () => {
  const kept = new Map<string, string>();
  new Layout(memory(kept)).resize('rail', 333.4);
  const again = new Layout(memory(kept));
  expect([again.size('rail'), again.size('drawer')]).toEqual([333, 280]);
});

test('sizes stay within their limits, whatever is stored', () => {
  const layout = new Layout(
    memory(
      new Map([
        ['cloche:width:rail', '99999'],
        ['cloche:height:drawer', 'wide'],
      ]),
    ),
  );
  expect([layout.size('rail'), layout.size('drawer')]).toEqual([560, 280]);
  layout.resize('rail', -5);
  expect(layout.size('rail')).toBe(200);
});

test('sizes work without storage, until the page is closed', () => {
  const refuse = (): never => {
    throw new DOMException('no', 'SecurityError');
  };
  const layout = new Layout({ getItem: refuse, setItem: refuse });
  layout.resize('drawer', 500);
  expect([layout.size('drawer'), new Layout(null).size('drawer')]).toEqual([500, 280]);
});
