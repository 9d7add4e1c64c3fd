/** Values of settings: stored with the policy of a folder, secrets apart. */

import { expect, test } from 'vitest';
import { FolderPolicy, type StoredPolicy } from '../grants/folder-policy.ts';
import { parseSettings } from './setting.ts';

function raise(thrown: unknown): void {
  throw thrown;
}

test('values are stored, secrets apart, and reach Python together', () => {
  const stored: Omit<StoredPolicy, 'id'>[] = [];
  const policy = new FolderPolicy(raise);
  policy.keep(null, (changed) => stored.push(changed));
  policy.setSettings(
    'a.py',
    { Valves: { unit: 'km' } },
    { Valves: { key: 'sk-12345678' }, environment: { TOKEN: 'tok-12345678' } },
  );
  expect(policy.settings).toEqual({
    'a.py': { Valves: { unit: 'km', key: 'sk-12345678' }, environment: { TOKEN: 'tok-12345678' } },
  });
  expect(policy.shownSettings).toEqual({ 'a.py': { Valves: { unit: 'km' } } });
  expect(policy.hasSecretSetting('a.py', 'Valves', 'key')).toBe(true);
  expect(policy.hasSecretSetting('a.py', 'Valves', 'unit')).toBe(false);
  // Responses that repeat one are masked, and nothing that is shown has it.
  expect(policy.secretParts).toEqual(['tok-12345678', 'sk-12345678']);
  expect(JSON.stringify(policy.get())).not.toContain('sk-');

  // A secret that is not mentioned stays; null removes one.
  policy.setSettings('a.py', {}, { environment: { TOKEN: null } });
  expect(policy.settings).toEqual({ 'a.py': { Valves: { key: 'sk-12345678' } } });
  const next = new FolderPolicy(raise);
  const last = stored.at(-1);
  next.keep(last ? { id: 'a', ...last } : null, () => undefined);
  expect(next.settings).toEqual(policy.settings);
});

test('a page in a frame of another site cannot set values', () => {
  const policy = new FolderPolicy(raise, true);
  expect(() => policy.setSettings('a.py', { Valves: { unit: 'km' } }, {})).toThrow(/frame/);
  expect(policy.settings).toEqual({});
});

test('what another version has stored in another form is left out', () => {
  expect(parseSettings(undefined)).toEqual({});
  expect(parseSettings([1])).toEqual({});
  expect(
    parseSettings({ 'a.py': { Valves: { a: 1 }, other: { b: 1 }, environment: [2] }, 'b.py': 1 }),
  ).toEqual({ 'a.py': { Valves: { a: 1 } }, 'b.py': {} });
});
