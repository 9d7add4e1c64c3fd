/** Values of the settings that files declare, as they are stored with the policy of a folder. */

import { asObject } from '../spec/guards.ts';
import type { JsonObject } from '../spec/json.ts';
import type { SettingGroup, SettingValues } from '../spec/setting.ts';

export type FileValues = SettingValues[string];

const groups: readonly SettingGroup[] = ['Valves', 'UserValves', 'environment'];

/** Returns only what has the right form: another version of the app may have stored it. */
export function parseSettings(stored: unknown): SettingValues {
  const files = Object.entries(asObject(stored));
  return Object.fromEntries(files.map(([file, values]) => [file, toFileValues(asObject(values))]));
}

/** Returns the settings of both for each file. The second wins where both have a value. */
export function mergeSettings(first: SettingValues, second: SettingValues): SettingValues {
  const files = new Set([...Object.keys(first), ...Object.keys(second)]);
  const merged = (file: string): FileValues =>
    eachGroup((group) => ({ ...first[file]?.[group], ...second[file]?.[group] }));
  return Object.fromEntries(Array.from(files, (file) => [file, merged(file)]));
}

/** The values with those of a file changed; null removes one. */
export function withSettings(
  values: SettingValues,
  file: string,
  changes: FileValues,
): SettingValues {
  const changed = eachGroup((group) => {
    const all = Object.entries({ ...values[file]?.[group], ...changes[group] });
    return Object.fromEntries(all.filter(([, value]) => value !== null));
  });
  return { ...values, [file]: changed };
}

/** All texts among the values. */
export function textsIn(values: SettingValues): string[] {
  const ofFile = Object.values(values).flatMap((one) => groups.map((group) => one[group] ?? {}));
  const all = ofFile.flatMap((group) => Object.values(group));
  return all.filter((value) => typeof value === 'string');
}

function toFileValues(values: JsonObject): FileValues {
  return eachGroup((group) => asObject(values[group]));
}

/** Groups without values are left out. */
function eachGroup(of: (group: SettingGroup) => JsonObject): FileValues {
  const all = groups.map((group) => [group, of(group)] as const);
  return Object.fromEntries(all.filter(([, values]) => Object.keys(values).length > 0));
}
