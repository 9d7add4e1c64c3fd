/** Gives the stored values of settings to the open folder, now and when they change. */

import type { FolderPolicy } from '../../runtime/grants/folder-policy.ts';
import type { Policies } from '../../runtime/grants/policies.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';

export function connectSettings(
  folder: Pick<FolderLoader, 'setSettings'>,
  policies: Pick<Policies, 'current' | 'observe'>,
): void {
  let latest = '{}';
  let unfollow = (): void => undefined;
  const setSettings = (): void => {
    const { settings } = policies.current;
    const text = JSON.stringify(settings);
    // Each change of values imports files again.
    if (text === latest) return;
    latest = text;
    folder.setSettings(settings);
  };
  const follow = (policy: FolderPolicy): void => {
    unfollow();
    unfollow = policy.observe(setSettings);
    setSettings();
  };
  policies.observe(follow);
  follow(policies.current);
}
