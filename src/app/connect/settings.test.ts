/** Values of settings reach the open folder when they are loaded or changed, and only then. */

import { expect, test, vi } from 'vitest';
import { Policies } from '../../runtime/grants/policies.ts';
import type { SettingValues } from '../../runtime/spec/setting.ts';
import { connectSettings } from './settings.ts';

test('stored and new values are given once, and another folder gets none of them', async () => {
  const raise = (thrown: unknown): void => {
    throw thrown;
  };
  const policies = new Policies({
    store: {
      get: (id) => Promise.resolve({ id, settings: { 'a.py': { Valves: { unit: id } } } }),
      put: () => Promise.resolve(),
      observe: () => undefined,
    },
    isLocked: false,
    onStorageFailure: raise,
    report: raise,
  });
  const given: SettingValues[] = [];
  connectSettings({ setSettings: (values) => void given.push(values) }, policies);
  policies.follow('first', 'one');
  await vi.waitFor(() => expect(given).toEqual([{ 'a.py': { Valves: { unit: 'one' } } }]));
  policies.current.grant('https://a.example', 'always');
  expect(given).toHaveLength(1);
  policies.current.setSettings('a.py', {}, { Valves: { key: 'k' } });
  expect(given.at(-1)).toEqual({ 'a.py': { Valves: { key: 'k' } } });
  policies.follow('second', undefined);
  expect(given.at(-1)).toEqual({});
});
